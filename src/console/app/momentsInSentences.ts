/** Moments that the service writes into its sentences, found again: they are shown as the other times of a page are. Pure. */
import { localDateTimeToEpoch } from './zone.ts';

/** `2026-11-20T14:30:05.000Z`, `2026-11-20 14:30:05` on the clock of the account, or the day `2026-11-20`; of names that hold a day, none. */
const moments =
  /(?<![\w./-])(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z|(?: \d{2}:\d{2}:\d{2})(?!\.?\d)|(?![\w/-]|\.\w| \d{2}:)))/;
const day = /^\d{4}-\d{2}-\d{2}$/;

export interface SentencePart {
  text: string;
  /** The moment that it is, epoch milliseconds; undefined: it is none. */
  at: number | undefined;
  /** It is a day, as the service writes days. */
  isDay: boolean;
}

/** `zone`: of the account; undefined: it is not known, and times of its clock stay as they are written. */
export const partsOfSentence = (sentence: string, zone: string | undefined): SentencePart[] =>
  sentence
    .split(moments)
    .map((text, nth) => (nth % 2 === 1 ? readPart(text, zone) : { text, at: undefined, isDay: false }));

const readPart = (text: string, zone: string | undefined): SentencePart =>
  day.test(text)
    ? { text, at: undefined, isDay: !Number.isNaN(Date.parse(text)) }
    : { text, at: momentOf(text, zone), isDay: false };

const momentOf = (text: string, zone: string | undefined): number | undefined => {
  if (!text.endsWith('Z'))
    return zone === undefined ? undefined : localDateTimeToEpoch(text.replace(' ', 'T'), zone);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};
