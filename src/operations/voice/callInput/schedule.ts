/** When the call may be dialled. */
import type { CallInput } from '../../../../machines/call/input.ts';
import {
  isTooFar,
  rollScheduleForward,
  parseDateTime,
  parseCallRepeat,
  maxScheduleDays,
} from '../../../rules/voice/parseCallSchedule.ts';
import type { CallRequestContext } from './params.ts';

/** One attempt now, unless `repeat` or `block` say otherwise; the later of their moments counts. */
export const readCallSchedule = (ctx: CallRequestContext, now: number): CallInput['schedule'] => {
  const { account, params, refuse } = ctx;
  const read =
    params.repeat === undefined
      ? { tries: 1, intervalMs: 0 }
      : parseCallRepeat(params.repeat, account.time_zone, now);
  if ('refused' in read) throw refuse('badValue', read.refused);
  const earliest = Math.max(now, readBlock(ctx) ?? now);
  const repeat = rollScheduleForward(read, earliest);
  const notBefore = Math.max(repeat.notBefore ?? now, earliest);
  if (isTooFar(notBefore, now)) {
    const parameter = isTooFar(repeat.notBefore ?? now, now) ? 'repeat' : 'block';
    throw refuse('badValue', `${parameter} must lie within the next ${maxScheduleDays} days`);
  }
  const { notBefore: _, ...times } = repeat;
  const rest = { ...times, ...(!account.retry_declined && { retryDeclined: false }) };
  return notBefore > now ? { ...rest, notBefore } : rest;
};

const readBlock = ({ account, params, refuse }: CallRequestContext): number | undefined => {
  if (params.block === undefined) return undefined;
  const at = parseDateTime(params.block, account.time_zone);
  if (at === undefined) throw refuse('badValue', 'block must be YYYY-MM-DD HH:MM[:SS] or ISO 8601');
  return at;
};
