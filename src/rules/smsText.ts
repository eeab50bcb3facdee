/** The text of a follow-up SMS (spec 4.2 `sms_text`): accents stripped, 160 characters. */

/** Longest text of one message, characters. */
export const smsTextLimit = 160;

const plain: Readonly<Record<string, string>> = {
  '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '…': '...', '•': '-',
  ª: 'a', º: 'o', ß: 'ss', Æ: 'AE', æ: 'ae', Ø: 'O', ø: 'o', Œ: 'OE', œ: 'oe', '€': 'EUR', '\u00a0': ' ',
}; // prettier-ignore

/** Without accents and typographic signs; a character that has no plain form becomes `?`. */
export const stripAccents = (text: string): string =>
  text
    .replace(/[“”„‘’–—…•ªºßÆæØøŒœ€\u00a0]/g, (sign) => plain[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\n\r\x20-\x7e]/gu, '?');
