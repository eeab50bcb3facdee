/** Moments that the service writes into its sentences, found again: they are shown as the other times of a page are. Pure. */
import { localDateTimeToEpoch } from './zone.ts';

/** `2026-11-20T14:30:05.000Z`, or `2026-11-20 14:30:05` on the clock of the account. */
const moments = /(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z|(?: \d{2}:\d{2}:\d{2})(?!\.?\d)))/;

/** A part of a sentence. `at`: the moment that it is, epoch milliseconds; undefined: it is text. */
export interface SentencePart {
  text: string;
  at: number | undefined;
}

/** `zone`: of the account; undefined: it is not known, and times of its clock stay as they are written. */
export const partsOfSentence = (sentence: string, zone: string | undefined): SentencePart[] =>
  sentence
    .split(moments)
    .map((text, nth) => ({ text, at: nth % 2 === 1 ? momentOf(text, zone) : undefined }));

const momentOf = (text: string, zone: string | undefined): number | undefined => {
  if (!text.endsWith('Z'))
    return zone === undefined ? undefined : localDateTimeToEpoch(text.replace(' ', 'T'), zone);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
};
