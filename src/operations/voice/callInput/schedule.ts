/** When the call may be dialled. */
import type { CallInput } from '../../../../machines/call/input.ts';
import {
  isTooFar,
  rollForward,
  readMoment,
  readRepeat,
  scheduleDays,
} from '../../../rules/voice/schedule.ts';
import type { CallAsked } from './params.ts';

/** One attempt now, unless `repeat` or `block` say otherwise; the later of their moments counts. */
export const readSchedule = (asked: CallAsked, now: number): CallInput['schedule'] => {
  const { account, params: given, refuse } = asked;
  const read =
    given.repeat === undefined
      ? { tries: 1, intervalMs: 0 }
      : readRepeat(given.repeat, account.time_zone, now);
  if ('refused' in read) throw refuse('badValue', read.refused);
  const earliest = Math.max(now, readBlock(asked) ?? now);
  const repeat = rollForward(read, earliest);
  const notBefore = Math.max(repeat.notBefore ?? now, earliest);
  if (isTooFar(notBefore, now)) {
    const parameter = isTooFar(repeat.notBefore ?? now, now) ? 'repeat' : 'block';
    throw refuse('badValue', `${parameter} must lie within the next ${scheduleDays} days`);
  }
  const { notBefore: _, ...times } = repeat;
  const rest = { ...times, ...(!account.retry_declined && { retryDeclined: false }) };
  return notBefore > now ? { ...rest, notBefore } : rest;
};

const readBlock = ({ account, params: given, refuse }: CallAsked): number | undefined => {
  if (given.block === undefined) return undefined;
  const at = readMoment(given.block, account.time_zone);
  if (at === undefined) throw refuse('badValue', 'block must be YYYY-MM-DD HH:MM[:SS] or ISO 8601');
  return at;
};
