/** The text of an SMS (spec 4.12 `message`, 4.2 `sms_text`): 160 characters; a follow-up has its accents stripped. */

/** Longest text of one message, characters. */
export const smsTextLimit = 160;

const plain: Readonly<Record<string, string>> = {
  '“': '"', '”': '"', '„': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '…': '...', '•': '-',
  ª: 'a', º: 'o', ß: 'ss', Æ: 'AE', æ: 'ae', Ø: 'O', ø: 'o', Œ: 'OE', œ: 'oe', '€': 'EUR', '\u00a0': ' ',
}; // prettier-ignore

/** Without accents and typographic signs; a character that has no plain form becomes `?`. */
export const stripAccents = (text: string): string => plainText(text, '?');

/** Without accents and typographic signs; `lost` stands for a character that has no plain form. */
export const plainText = (text: string, lost: string): string =>
  text
    // Before anything is put into order: a long row of accents takes time that grows with its square.
    .replace(/\p{Mark}+/gu, '')
    .replace(/[“”„‘’–—…•ªºßÆæØøŒœ€\u00a0]/g, (sign) => plain[sign] ?? sign)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\n\r\x20-\x7e]/gu, lost);

/** A follow-up as it is sent, cut when the values of its placeholders made it too long. */
export const followUpText = (text: string): string => stripAccents(text).trim().slice(0, smsTextLimit);

/** Longer than any text that composes to the limit: no more than this is looked at. */
const farTooLong = 20 * smsTextLimit;

/** The beginning of a text as it is counted and sent: an accent written after its letter is one character with it. */
export const composed = (text: string): string => text.slice(0, farTooLong).toWellFormed().normalize('NFC');

/** Characters (code points) of a composed text, as the limit counts them. */
export const charactersOf = (text: string): number => Array.from(text).length;

const graphemes = new Intl.Segmenter('pt', { granularity: 'grapheme' });

/** The longest beginning of a composed text within the limit; nothing that a reader sees as one is cut in two. */
export const cutText = (text: string): string => {
  let cut = '';
  let left = smsTextLimit;
  for (const { segment } of graphemes.segment(text)) {
    left -= charactersOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut;
};
