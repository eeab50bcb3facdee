/** When a template is asked for again. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a template under review is asked for by itself. */
export const TEMPLATE_REVIEW_POLLING_PERIOD_MS = 30 * DAY;

/** Pauses before a check while the status stays the same; the last one repeats. */
const POLLS_MS: readonly number[] = [
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  40 * MINUTE,
  HOUR,
];

/** The pause after so many checks. */
export const pollPauseMs = (polls: number): number => POLLS_MS[Math.min(polls, POLLS_MS.length - 1)]!;

/**
 * Pauses between looks for a submission in doubt; the last one repeats. Upstream may list a template some time after
 * it took it.
 */
const LOOKS_MS: readonly number[] = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 30 * MINUTE];
/** Times that upstream says it does not have it before it is believed. */
const MISSES = 4;
/** Looks, with those that upstream did not answer. */
const LOOKS = 50;

export const templateLookupPauseMs = (looks: number): number =>
  LOOKS_MS[Math.min(Math.max(0, looks - 1), LOOKS_MS.length - 1)]!;
export const isLastTemplateLookupMiss = (misses: number): boolean => misses + 1 >= MISSES;
export const isLastTemplateLookup = (looks: number): boolean => looks >= LOOKS;
