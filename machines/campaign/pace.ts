/** How many attempts may begin now: calls a minute, transfers at a time, answers still wanted. */
import type { CampaignContext } from './context.ts';

/** Most grants that are out at a time; what the carrier takes at once is not the campaign's to know. */
const GRANTS_OUT = 100;
/** Faster paces are granted by the tick instead of one by one. */
const TICK_MS = 100;
const MINUTE_MS = 60_000;

/** Milliseconds from one attempt to the next; 0: no limit; Infinity: none at all. */
export const dialIntervalMs = ({ plan }: CampaignContext): number => {
  const { callsPerMinute } = plan.pace;
  if (callsPerMinute === null) return 0;
  return callsPerMinute === 0 ? Number.POSITIVE_INFINITY : MINUTE_MS / callsPerMinute;
};

/** Attempts at a time that a pace needs in flight between grant and dial: two seconds' worth. */
const grantsOut = (interval: number): number =>
  interval === 0 ? GRANTS_OUT : Math.min(GRANTS_OUT, Math.max(2, Math.ceil(2_000 / interval)));

/** Grants by pace alone. Lateness of up to half an interval is made up for, more is lost. */
const byPace = (context: CampaignContext, at: number): number => {
  const interval = dialIntervalMs(context);
  if (interval === 0) return context.flow.nextAt > at ? 0 : GRANTS_OUT;
  if (!Number.isFinite(interval) || at < context.flow.nextAt) return 0;
  const since = at - earliest(context, at, interval);
  return 1 + Math.floor(since / interval);
};

const earliest = ({ flow }: CampaignContext, at: number, interval: number): number =>
  Math.max(flow.nextAt, at - Math.max(interval / 2, TICK_MS - interval));

/** The moment of the next grant after so many now. */
export const nextDialGrantAt = (context: CampaignContext, at: number, grants: number): number => {
  const interval = dialIntervalMs(context);
  if (grants === 0 || interval === 0 || !Number.isFinite(interval)) return context.flow.nextAt;
  return earliest(context, at, interval) + grants * interval;
};

/**
 * The moment of the next grant once the pace is another: the last one is not forgotten. While nothing is dialled at all, the
 * moment of the last one is kept in its place.
 */
export const nextDialGrantAfterChange = (before: CampaignContext, after: CampaignContext): number => {
  const [was, is] = [dialIntervalMs(before), dialIntervalMs(after)];
  if (was === is) return before.flow.nextAt;
  const last = Number.isFinite(was) ? before.flow.nextAt - was : before.flow.nextAt;
  return Number.isFinite(is) ? last + is : last;
};

/** Fast paces look again by the tick, so that several grants go out in one step. */
export const nextWakeupByPace = (context: CampaignContext, at: number): number =>
  Math.max(context.flow.nextAt, dialIntervalMs(context) < TICK_MS ? at + TICK_MS : 0);

/**
 * Calls that may still come to be answered, or transferred: every one of them counts against `max_answered` and
 * `pas`, so that neither is ever exceeded.
 */
export const callsUnderWay = ({ flow }: CampaignContext): number =>
  flow.granted.length + flow.revoked.length + flow.fetching + flow.dialling;

/** Room under `pas`: calls that may begin without more transfers than it allows. */
export const roomByTransfers = (context: CampaignContext): number => {
  const { plan, flow } = context;
  return Math.max(0, (plan.pace.maxTransfers ?? Number.POSITIVE_INFINITY) - callsUnderWay(context) - flow.up);
};

/** Room under `max_answered`: calls that may begin without more answers than are wanted. */
export const roomByAnswers = (context: CampaignContext): number => {
  const { counts, definition } = context;
  return Math.max(
    0,
    (definition.maxAnswered ?? Number.POSITIVE_INFINITY) - counts.answered - callsUnderWay(context),
  );
};

/** Room under `pas`, and under `max_answered`. */
export const roomByTransferAndAnswerLimits = (context: CampaignContext): number =>
  Math.min(roomByTransfers(context), roomByAnswers(context));

/** Attempts that may be granted at this moment. */
export const roomForAttempts = (context: CampaignContext, at: number): number => {
  const out = grantsOut(dialIntervalMs(context)) - context.flow.granted.length - context.flow.fetching;
  return Math.max(0, Math.min(out, byPace(context, at), roomByTransferAndAnswerLimits(context)));
};
