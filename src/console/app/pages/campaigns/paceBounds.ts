/** Paces that the form of a campaign and the slider of its page take, calls a minute. */
import type { ListedCampaign } from './data.ts';

/** As CreateCampaign takes them. */
export const slowestPace = 1;
export const fastestPace = 100;

/** From what to what one pace goes on a slider; one that a program has set beyond the form's stands on it too. */
export const paceBoundsOf = ({
  calls_per_minute: set,
}: Pick<ListedCampaign, 'calls_per_minute'>): { least: number; most: number } => ({
  least: Math.min(slowestPace, set ?? slowestPace),
  most: Math.max(fastestPace, set ?? fastestPace),
});
