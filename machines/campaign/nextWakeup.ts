/** When a campaign looks at itself again though no fact came. */
import { hasDialableCalls, callingWindowPlanExpiresAt, isPlanEnough } from './regionCallingWindows.ts';
import type { CampaignContext } from './context.ts';
import { GRANT_INQUIRY_AFTER_MS } from './grants.ts';
import { dialIntervalMs, nextWakeupByPace, roomByTransferAndAnswerLimits } from './pace.ts';

/** Even when only a fact can change anything it looks at itself once a day. */
const DAY_MS = 86_400_000;

/** The moment of the next look. */
export const nextCampaignWakeup = (context: CampaignContext, at: number): number => {
  const moments = [overAt(context), awaitedAt(context), planAt(context), grantAt(context, at)];
  return Math.min(at + DAY_MS, ...moments.filter((moment) => moment > at));
};

const overAt = ({ calendar }: CampaignContext): number => calendar.over || Number.POSITIVE_INFINITY;

const awaitedAt = ({ flow }: CampaignContext): number =>
  Math.min(
    ...[flow.granted[0], flow.revoked[0]].map((oldest) => (oldest?.at ?? Infinity) + GRANT_INQUIRY_AFTER_MS),
  );

const planAt = (context: CampaignContext): number =>
  context.calendar.asked || isPlanEnough(context)
    ? Number.POSITIVE_INFINITY
    : callingWindowPlanExpiresAt(context);

/** The next grant, while there is a call to dial and no fact is waited for. */
const grantAt = (context: CampaignContext, at: number): number => {
  const waits =
    context.phase === 'dialing' &&
    context.flow.fetching === 0 &&
    Number.isFinite(dialIntervalMs(context)) &&
    roomByTransferAndAnswerLimits(context) > 0 &&
    hasDialableCalls(context, at);
  return waits ? nextWakeupByPace(context, at) : Number.POSITIVE_INFINITY;
};
