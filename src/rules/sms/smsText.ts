/** The text of an SMS (spec 4.12 `message`, 4.2 `sms_text`): 160 characters; a follow-up has its accents stripped. */
import { toPlainAscii } from '../../lib/toPlainAscii.ts';

/** Longest text of one message, characters. */
export const smsTextLimit = 160;

// prettier-ignore

/** Without accents and typographic signs; a character that has no plain form becomes `?`. */
export const stripAccents = (text: string): string => toPlainAscii(text, '?');

/** A follow-up as it is sent, cut when the values of its placeholders made it too long. */
export const trimFollowUpSmsText = (text: string): string => stripAccents(text).trim().slice(0, smsTextLimit);

/** Longer than any text that composes to the limit: no more than this is looked at. */
const farTooLong = 20 * smsTextLimit;

/** The beginning of a text as it is counted and sent: an accent written after its letter is one character with it. */
export const composeSmsTextToNfc = (text: string): string =>
  text.slice(0, farTooLong).toWellFormed().normalize('NFC');

/** Characters (code points) of a composed text, as the limit counts them. */
export const countCharacters = (text: string): number => Array.from(text).length;

const graphemes = new Intl.Segmenter('pt', { granularity: 'grapheme' });

/** The longest beginning of a composed text within the limit; nothing that a reader sees as one is cut in two. */
export const cutToSmsTextLimit = (text: string): string => {
  let cut = '';
  let left = smsTextLimit;
  for (const { segment } of graphemes.segment(text)) {
    left -= countCharacters(segment);
    if (left < 0) break;
    cut += segment;
  }
  return cut;
};
