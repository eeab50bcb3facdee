/** Text in plain ASCII. */

const plain: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '…': '...',
  '•': '-',
  ª: 'a',
  º: 'o',
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  '€': 'EUR',
  '\u00a0': ' ',
};

/** Without accents and typographic signs; `lost` stands for a character that has no plain form. */
export const toPlainAscii = (text: string, lost: string): string =>
  text
    // Before anything is put into order: a long row of accents takes time that grows with its square.
    .replace(/\p{Mark}+/gu, '')
    .replace(/[“”„‘’–—…•ªºßÆæØøŒœ€\u00a0]/g, (sign) => plain[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\n\r\x20-\x7e]/gu, lost);
