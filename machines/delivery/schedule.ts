/** When a delivery is tried (decisions/0015). Pure: the jitter comes from the id, so a story is told the same again. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first, second … failed attempt, milliseconds. After the last of them there is one attempt more. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
];

/** The longest wait a target may ask for; one that names a later day is asked earlier. */
const LONGEST_ASKED_MS = 24 * HOUR;
/** An attempt that waited so long for a target that is left alone is made all the same. */
export const MAX_WAIT_FOR_PAUSED_TARGET_MS = HOUR;

/** Up to this part of a pause is added to it, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * The pause before the next attempt, milliseconds. `failures`: how many attempts failed so far, from 1.
 * `askedMs`: what the target asked for, at least.
 */
export const deliveryRetryPauseMs = (id: number, failures: number, askedMs = 0): number => {
  const planned = PAUSES_MS[failures - 1]!;
  const jittered = Math.round(planned * (1 + JITTER * spread(id, failures)));
  return Math.max(jittered, Math.min(askedMs, LONGEST_ASKED_MS));
};

/** A number from 0 to 1 that neighbouring ids do not share: Park and Miller's generator, some steps on. */
const spread = (id: number, steps: number): number => {
  let seed = id % 2_147_483_646 || 1;
  for (let step = -1; step < steps; step += 1) seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
