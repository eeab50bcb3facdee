/** When a campaign looks at itself again though no fact came. */
import { hasOpenWork, planEndsAt } from './calendar.ts';
import { isOver, type CampaignContext } from './context.ts';
import { GRANT_KEEPS_MS, intervalMs, nextLookByPace, roomByLimits } from './pace.ts';

/** The moment of the next look; Infinity: only a fact can change anything. */
export const nextLook = (context: CampaignContext, at: number): number => {
  if (context.phase === 'loading' || isOver(context)) return Number.POSITIVE_INFINITY;
  const moments = [overAt(context), grantEndsAt(context), planAt(context), grantAt(context, at)];
  return Math.min(...moments.filter((moment) => moment > at));
};

const overAt = ({ calendar }: CampaignContext): number => calendar.over || Number.POSITIVE_INFINITY;

const grantEndsAt = ({ flow }: CampaignContext): number =>
  flow.granted[0] ? flow.granted[0].at + GRANT_KEEPS_MS : Number.POSITIVE_INFINITY;

const planAt = (context: CampaignContext): number =>
  context.calendar.asked || context.phase === 'paused' ? Number.POSITIVE_INFINITY : planEndsAt(context);

/** The next grant, while somebody could be dialled and no fact is waited for. */
const grantAt = (context: CampaignContext, at: number): number => {
  const waits =
    context.phase === 'dialing' &&
    context.flow.fetching === 0 &&
    Number.isFinite(intervalMs(context)) &&
    roomByLimits(context) > 0 &&
    hasOpenWork(context, at);
  return waits ? nextLookByPace(context, at) : Number.POSITIVE_INFINITY;
};
