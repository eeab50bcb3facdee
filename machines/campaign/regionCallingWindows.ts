/** Which regions may be rung now, and when that must be looked at again. */
import type { RegionCallingStatus } from '../contracts/campaign.ts';
import { isCampaignOver, countUnclaimedInRegion, type CampaignContext } from './context.ts';

/** Windows and holidays of the account may change: a plan is made anew after this long. */
const PLAN_KEEPS_MS = 3_600_000;
/** A plan that could not be made is asked for again after this long. */
const PLAN_FAILED_MS = 5_000;

/** Whether numbers of this region may be rung at this moment. A window whose end has come is closed until planned anew. */
export const isRegionOpen = ({ calendar }: CampaignContext, region: string, at: number): boolean => {
  const window = calendar.regions[region];
  return window !== undefined && window.open && at < window.until;
};

/** Regions that may be rung now and have destinations that are not claimed yet. */
export const openRegionsToDial = (context: CampaignContext, at: number): string[] =>
  Object.keys(context.regions).filter(
    (region) => countUnclaimedInRegion(context.regions[region]!) > 0 && isRegionOpen(context, region, at),
  );

/** Whether a destination could be dialled now, as far as the clock goes. */
export const hasDialableCalls = (context: CampaignContext, at: number): boolean =>
  context.flow.wanting.some(({ region }) => isRegionOpen(context, region, at)) ||
  context.flow.ahead.length > 0 ||
  openRegionsToDial(context, at).length > 0;

/** Why a region is closed; undefined while it is open or nothing is known. */
export const windowIfRegionClosed = (
  context: CampaignContext,
  region: string,
  at: number,
): RegionCallingStatus | undefined => {
  const window = context.calendar.regions[region];
  return window && !isRegionOpen(context, region, at) ? window : undefined;
};

/** When the plan must be made anew. */
export const callingWindowPlanExpiresAt = ({ calendar }: CampaignContext): number => {
  const windows = Object.values(calendar.regions);
  if (windows.length === 0) return calendar.at === 0 ? 0 : calendar.at + PLAN_FAILED_MS;
  // A region that does not open again says when it was over: nothing about it changes any more.
  const changes = windows.map(({ until }) => until).filter((until) => until > calendar.at);
  return Math.min(calendar.at + PLAN_KEEPS_MS, ...changes);
};

/** Whether a campaign that does not dial knows all that it needs: when it is over. */
export const isPlanEnough = ({ phase, calendar }: CampaignContext): boolean =>
  phase === 'paused' && calendar.over > 0;

/** Whether a plan is to be asked for. */
export const isCallingWindowPlanDue = (context: CampaignContext, at: number): boolean => {
  const { calendar, phase } = context;
  if (calendar.asked || phase === 'loading' || (isCampaignOver(context) && phase !== 'expired')) return false;
  if (calendar.at === 0) return true;
  if (phase === 'expired' || isPlanEnough(context)) return false;
  return at >= callingWindowPlanExpiresAt(context);
};
