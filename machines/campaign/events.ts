/** Every fact a campaign may hear, and everything it may ask. */
import type { EffectFailedEvent, EngineEffects, EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { CallToCampaignEvent, DiallerEffects, DiallerEvent } from '../contracts/campaign.ts';
import type { CampaignContext } from './context.ts';
import type { CampaignChanges } from './input.ts';

type Failures = {
  [Name in keyof DiallerEffects]: EffectFailedEvent<Name, DiallerEffects[Name]>;
}[keyof DiallerEffects];

/** What an operator, or ChangeCampaign (spec 4.4), may tell a campaign. */
export type CampaignCommand =
  /** All changes at once. */
  | { type: 'changed'; changes: CampaignChanges }
  /** It is over before its last day: what is left is not called. `changed` with `active` opens it again. */
  | { type: 'close' }
  /** The account's calling windows or holidays changed: plan anew. */
  | { type: 'windowsChanged' }
  /** A list that could not be read is tried once more. */
  | { type: 'reload' };

export type CampaignEvent =
  | ((CallToCampaignEvent | DiallerEvent | CampaignCommand) & EventTimestamp)
  | Failures;

export interface CampaignActionArgs {
  context: CampaignContext;
  event: CampaignEvent;
}

/** Everything a campaign asks, of the dialler and of the engine. */
type Effects = DiallerEffects & Pick<EngineEffects, 'tell' | 'startMachine'>;

/** A request as data. */
export type CampaignEffectRequest = {
  [Name in keyof Effects]: { type: Name; params: Effects[Name] };
}[keyof Effects];
