/** When the regions of a simulated campaign may be rung: the truth that its desk tells, and that it is judged by. */
import type { CampaignDatesAndHours } from '../../../machines/campaign/input.ts';
import type { RegionCallingStatus } from '../../../machines/contracts/campaign.ts';
import type { Hours } from './program.ts';

/** Hours of a campaign in which nothing may be rung; in all others its regions open and close by themselves. */
export const SHUT = { timeStart: '00:00:00', timeEnd: '00:00:00' } as const;
export const areShut = ({ timeStart, timeEnd }: CampaignDatesAndHours): boolean => timeStart === timeEnd;
/** A campaign that is shut looks again so soon. */
const SHUT_MS = 20_000;

/** How every region stands while a campaign is shut. */
export const shutAt = (at: number): RegionCallingStatus => ({
  ...{ open: false, until: at + SHUT_MS, detail: 'it is shut' },
});

/** How a region stands at a moment, epoch milliseconds. */
export const windowAt = (
  { periodMs, openShare, offsets, over }: Hours,
  region: string,
  at: number,
): RegionCallingStatus => {
  if (at >= over) return { open: false, until: over, detail: 'it does not open again' };
  if (openShare === 1) return { open: true, until: over, detail: '' };
  const since = (at + (offsets[region] ?? 0)) % periodMs;
  const openMs = Math.round(periodMs * openShare);
  return since < openMs
    ? { open: true, until: Math.min(over, at + openMs - since), detail: '' }
    : { open: false, until: Math.min(over, at + periodMs - since), detail: 'outside its hours' };
};
