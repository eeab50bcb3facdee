/**
 * The dialler contract: what a campaign asks of lists and clocks (spec 4.3). The words stand in
 * `machines/contracts/campaign.ts`; `campaignDestinations/fetchDestinationsAndWindows.ts` implements it.
 */
import type { ListRecordSelection } from '../../../machines/campaign/input.ts';
import type { DiallerEffects } from '../../../machines/contracts/campaign.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';

/** The campaign that asks; its machine id is its own. */
export interface CampaignMachineRef {
  shard: string;
  account: number;
  id: number;
}

export type CampaignDestinationPerformers = {
  [Name in Exclude<keyof DiallerEffects, 'addressResults'>]: EffectPerformer<DiallerEffects[Name]>;
};

/** What generation left. */
export interface GeneratedDestinationCounts {
  destinations: number;
  /** Records left out, by reason: filter, mobile, blocklist, duplicate, name. */
  skipped: Record<string, number>;
  /** Destinations by region; '' are numbers without one. */
  regions: Record<string, number>;
}

/** A record as it stands in the list. */
export interface ListDestinationRow {
  region: string;
  seq: number;
  row: number;
  /** Separated by a space. */
  numbers: string;
  name: string;
  client_code: string;
  extra_1: string;
  extra_2: string;
  extra_3: string;
  extra_4: string;
}

/** What the dialler reads and writes. Rejections mean the database is away: the question is asked again. */
export interface CampaignDestinationRepository {
  /** Undefined: there is no such account. `table`: its calling windows as stored, when its campaigns keep them. */
  account(
    campaign: CampaignMachineRef,
  ): Promise<{ active: boolean; zone: string; keepsTable: boolean; table: unknown } | undefined>;
  /** Chooses the destinations in one transaction; whatever an earlier try left is replaced. */
  generate(
    campaign: CampaignMachineRef,
    query: { list: number; selection: ListRecordSelection },
    signal: AbortSignal,
  ): Promise<GeneratedDestinationCounts>;
  /** The next destinations in the order of the list, from after each region's cursor. */
  destinations(
    campaign: CampaignMachineRef,
    query: { list: number; cursors: Record<string, number>; limit: number },
  ): Promise<ListDestinationRow[]>;
  /** Those of the calls that have ended or are not there, and of which no word waits for the campaign. */
  lostCalls(campaign: CampaignMachineRef, calls: readonly number[]): Promise<number[]>;
  /** Its calls that live and were not answered, by id from after `after`; at most `limit`. */
  liveCalls(campaign: CampaignMachineRef, query: { after: number; limit: number }): Promise<number[]>;
}
