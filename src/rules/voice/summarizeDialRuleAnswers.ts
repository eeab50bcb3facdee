/** What the rules answered before a dial, brought into few bytes. */
import type { DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import { type CallingWindows, callingHoursForNumber } from './callingWindows.ts';

/** JSON of all answers takes no more bytes than this. */
export const maxDialRuleAnswersBytes = 300;

/** A day's hours that are written; tables may have more. */
const mostRanges = 3;
/** Holidays' names are of our own table; reasons of rests are of ours or an older version's. */
const longestHoliday = 60;
const longestReason = 24;

/** The hours that are open, else that it is closed, and the hours of the day. */
export const summarizeCallingHoursForNumber = (
  number: string,
  at: number,
  windows: CallingWindows,
): Pick<DialRuleAnswers, 'window' | 'holiday'> => {
  const day = callingHoursForNumber(number, at, windows);
  if (!day) return { window: 'any' };
  const { hours, holiday, state, time } = day;
  const open = hours.find(({ from, to }) => from <= time && time < to);
  const said = (open ? [open] : hours.slice(0, mostRanges)).map(({ from, to }) => `${from}-${to}`);
  return {
    window: [state, ...(open ? [] : ['closed']), ...said].join(' '),
    holiday: shortened(holiday ?? 'none', longestHoliday),
  };
};

/** Why a number rests, as it is written. */
export const shortNumberRestReason = (reason: string | undefined): Pick<DialRuleAnswers, 'rest'> => ({
  rest: shortened(reason ?? 'none', longestReason),
});

/** By bytes, whole characters; JSON must not make them longer. */
const shortened = (text: string, bytes: number): string => {
  const plain = text.replaceAll(/[\p{C}"\\]/gu, ' ');
  // What is cut within a character ends in a replacement for it.
  return Buffer.from(plain)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');
};
