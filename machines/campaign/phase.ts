/** Where a campaign stands, from what it knows: one answer, tried in this order. */
import { hasDialableCalls } from './regionCallingWindows.ts';
import {
  countLiveCalls,
  countUnclaimedDestinations,
  type CampaignContext,
  type CampaignPhase,
} from './context.ts';
import { dialIntervalMs, roomByTransferAndAnswerLimits } from './pace.ts';

export const decideCampaignPhase = (context: CampaignContext, at: number): CampaignPhase => {
  const { phase, plan, counts, calendar, definition } = context;
  if (phase === 'loading' || phase === 'failed') return phase;
  // Closed, it has not called all it was to call, even where its last calls were called off.
  if (plan.closed) return 'expired';
  if (isDone(context)) return 'completed';
  if (definition.maxAnswered !== null && counts.answered >= definition.maxAnswered) return 'limitReached';
  if (calendar.at > 0 && calendar.over > 0 && at >= calendar.over) return 'expired';
  if (!plan.active || plan.model) return 'paused';
  if (isClaimed(context)) return 'draining';
  if (!hasDialableCalls(context, at)) return 'waitingWindow';
  return isHeldBack(context) ? 'throttled' : 'dialing';
};

/** Every destination was claimed and every call has ended. */
const isDone = (context: CampaignContext): boolean =>
  countUnclaimedDestinations(context) === 0 && countLiveCalls(context) === 0;

/** Only calls that live are waited for. */
const isClaimed = (context: CampaignContext): boolean =>
  countUnclaimedDestinations(context) === 0 &&
  context.flow.wanting.length === 0 &&
  context.flow.ahead.length === 0;

/** `lig_min` 0, or everything that `pas` and `max_answered` allow is under way. */
const isHeldBack = (context: CampaignContext): boolean =>
  !Number.isFinite(dialIntervalMs(context)) || roomByTransferAndAnswerLimits(context) === 0;
