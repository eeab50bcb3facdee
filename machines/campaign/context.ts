/** What a campaign remembers between two facts. Plain JSON; 0 stands for "none". */
import type { RegionCallingStatus } from '../contracts/campaign.ts';
import type { CampaignDatesAndHours, CampaignInput, CampaignPace } from './input.ts';

/**
 * Where a campaign stands. `dialing`, `waitingWindow`, `throttled` and `draining` are what an active one does; the
 * other words are states of their own (decisions "states").
 */
export type CampaignPhase =
  | 'loading'
  | 'dialing'
  | 'waitingWindow'
  | 'throttled'
  | 'draining'
  | 'paused'
  | 'completed'
  | 'limitReached'
  | 'expired'
  | 'failed';

/** What may be changed while it runs. */
export interface CampaignSettings {
  name: string;
  description: string;
  group: number | null;
  active: boolean;
  /** A model is never dialled, only cloned. */
  model: boolean;
  priority: number;
  hours: CampaignDatesAndHours;
  pace: CampaignPace;
  /** It was closed before its last day. */
  closed?: true;
}

/** The destinations of one region: rows up to `cursor` have been claimed. */
export interface CampaignRegionProgress {
  count: number;
  cursor: number;
}

/** Reached only by facts, and exact: every word of a call is heard once. */
export interface CampaignCounts {
  destinations: number;
  skipped: number;
  /** Calls born. */
  started: number;
  /** Destinations dialled at least once. */
  made: number;
  answered: number;
  transferred: number;
  /** Calls that ended. */
  ended: number;
}

/** A call that waits for its turn. `ask`: the number of its question; absent: 0 (`NumberedDialGrantRequest`). */
export interface CallAwaitingDialGrant {
  call: number;
  region: string;
  ask?: number;
}

/** A call that may dial, or might. */
export interface DialGrant {
  call: number;
  /** The question it answers; absent: 0. */
  ask?: number;
  /** Where it rings. Absent: granted before grants had one, and called back with the whole campaign only. */
  region?: string;
  /** When it was granted or called back, or when the call was last asked for it or last said that it has it. */
  at: number;
  /** Times in a row that the call was asked what became of it, without an answer. */
  awaited?: number;
}

/** Grants that are out, and who waits for one. */
export interface CampaignDialGrants {
  /** Calls that may dial and have not begun yet. Both lists: in the order of `at`. */
  granted: DialGrant[];
  /** Calls that were asked to give their grant back and have not answered: they may have begun meanwhile. */
  revoked: DialGrant[];
  /** Calls that wait, in the order they asked. */
  wanting: CallAwaitingDialGrant[];
  /** Calls born without a grant, because their audio is made first. */
  ahead: number[];
  /** Attempts that ring. */
  dialling: number;
  /** Calls that were answered and go on. */
  up: number;
  /** Records asked for and not yet found. */
  fetching: number;
  /** Calls that do not answer were looked for, and nothing was heard of that yet. */
  searching?: boolean;
  /** No grant before this moment: the pace. */
  nextAt: number;
}

/** When the regions may be rung, as planned at `at`. */
export interface CallingWindowPlan {
  at: number;
  /** A plan was asked for and has not come. */
  asked: boolean;
  /** The number of the question asked last. Absent: none had a number yet. */
  question?: number;
  /** Questions that have no answer yet: each is owed by the engine. Absent: none is known of. */
  unanswered?: number;
  regions: Record<string, RegionCallingStatus>;
  /** No region opens after this moment. */
  over: number;
  /** The latest moment until which a call of a region was told to wait for its hours. Absent: none was. */
  asleep?: Record<string, number>;
}

export interface CampaignContext {
  id: number;
  bornAt: number;
  definition: CampaignInput;
  plan: CampaignSettings;
  regions: Record<string, CampaignRegionProgress>;
  /** Records left out, by reason. */
  skipped: Record<string, number>;
  counts: CampaignCounts;
  flow: CampaignDialGrants;
  calendar: CallingWindowPlan;
  phase: CampaignPhase;
  /** Why it failed; empty otherwise. */
  reason: string;
  /** When it was over; 0 while it goes on. */
  overAt: number;
  /** `relftp`: the delivery of the results. */
  results: 'none' | 'asked' | 'started';
}

/** What the engine gives a campaign at its start. */
export interface CampaignStartInput extends CampaignInput {
  at: number;
  id: number;
}

export const initialCampaignContext = ({ at, id, ...definition }: CampaignStartInput): CampaignContext => ({
  id,
  bornAt: at,
  definition,
  plan: {
    name: definition.name,
    description: definition.description,
    group: definition.group,
    active: definition.active,
    model: false,
    priority: definition.call.priority,
    hours: definition.hours,
    pace: definition.pace,
  },
  regions: {},
  skipped: {},
  counts: { destinations: 0, skipped: 0, started: 0, made: 0, answered: 0, transferred: 0, ended: 0 },
  flow: { granted: [], revoked: [], wanting: [], ahead: [], dialling: 0, up: 0, fetching: 0, nextAt: 0 },
  calendar: { at: 0, asked: false, regions: {}, over: 0 },
  phase: 'loading',
  reason: '',
  overAt: 0,
  results: 'none',
});

export const updateCampaignCountsInContext = (
  context: CampaignContext,
  changes: Partial<CampaignCounts>,
): CampaignContext => ({
  ...context,
  counts: { ...context.counts, ...changes },
});
export const mergeCampaignDialGrantChanges = (
  context: CampaignContext,
  changes: Partial<CampaignDialGrants>,
): CampaignContext => ({
  ...context,
  flow: { ...context.flow, ...changes },
});

/** Calls that were born and have not ended. */
export const countLiveCalls = ({ counts }: CampaignContext): number => counts.started - counts.ended;

/** The number of destinations of one region that are not claimed yet. */
export const countUnclaimedInRegion = (region: CampaignRegionProgress): number =>
  region.count - region.cursor;

/** The number of destinations that are not claimed yet. */
export const countUnclaimedDestinations = ({ regions }: CampaignContext): number =>
  Object.values(regions).reduce((sum, region) => sum + countUnclaimedInRegion(region), 0);

/** Whether the phase is one a campaign does not leave by itself. */
export const isCampaignOver = ({ phase }: CampaignContext): boolean =>
  phase === 'completed' || phase === 'limitReached' || phase === 'expired' || phase === 'failed';
