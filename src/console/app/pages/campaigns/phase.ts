/** How a campaign stands, in a word of the page and with its mark. */
import type { StatusTone } from '../../ui/mark.tsx';
import type { Word } from '../../words/index.ts';
import type { CampaignChartFigures, ListedCampaign } from './data.ts';

const phases: Readonly<Record<string, readonly [Word, StatusTone]>> = {
  loading: ['phaseLoading', 'wait'],
  dialing: ['phaseDialing', 'live'],
  waitingWindow: ['phaseWaiting', 'wait'],
  throttled: ['phaseThrottled', 'wait'],
  draining: ['phaseDraining', 'live'],
  paused: ['phasePaused', 'wait'],
  completed: ['phaseCompleted', 'past'],
  limitReached: ['phaseLimit', 'past'],
  expired: ['phaseExpired', 'past'],
  failed: ['phaseFailed', 'bad'],
};

export const isCampaignFinished = ({ finished_at: at }: ListedCampaign): boolean => at !== null;

/** Its calls that have not ended; one that is over may have some. */
export const countCallsUnderWay = ({ states }: CampaignChartFigures): number =>
  states.reduce((sum, { count }) => sum + count, 0);

/** No number was called yet, and none is. */
export const isCampaignNotStarted = ({ made, active, finished_at: at, model }: ListedCampaign): boolean =>
  made === 0 && !active && at === null && !model;

/** Of a campaign that goes on, by its phase, or its state where it has none; undefined: it has no word here. */
export const runningPhaseWord = (phase: string): Word | undefined => phases[phase]?.[0];

export const campaignPhaseLabel = (campaign: ListedCampaign): readonly [Word, StatusTone] => {
  if (campaign.model) return ['phaseModel', 'past'];
  if (isCampaignNotStarted(campaign) && campaign.state === 'paused') return ['notStarted', 'wait'];
  if (campaign.state === 'expired' && campaign.reason === 'closed') return ['phaseClosed', 'past'];
  return phases[campaign.phase || campaign.state] ?? ['phaseFailed', 'warn'];
};
