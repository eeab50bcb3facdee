/** Every fact a call may hear. */
import type { EffectFailedEvent, EventFromEngine, EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { CampaignToCallEvent } from '../contracts/campaign.ts';
import type { DialClearanceEffects, DialClearanceEvent } from '../contracts/clearance.ts';
import type { FollowUpSmsEffects, FollowUpSmsEvent } from '../contracts/sms.ts';
import type { SpeechSynthesisEffects, SpeechSynthesisEvent } from '../contracts/speech.ts';
import type {
  QueueLineReplyToCall,
  LegTargetEffects,
  SecondLegDestinationAnswer,
} from '../contracts/targetResolutionAndQueue.ts';
import type {
  RequestFromRealtimeAgent,
  LegOutcome,
  TelephonyEffects,
  TelephonyEvent,
} from '../contracts/telephony.ts';

/** Everything a call may ask of the world. */
export type CallEffects = TelephonyEffects &
  DialClearanceEffects &
  SpeechSynthesisEffects &
  LegTargetEffects &
  FollowUpSmsEffects;

/** `playFailed`, `originateFailed` …: the engine's word that an effect failed for good. */
type Failures = {
  [Name in keyof CallEffects]: EffectFailedEvent<Name, CallEffects[Name]>;
}[keyof CallEffects];

/** What an operator may tell a call. */
export type CallOperatorEvent =
  /** End it: nothing more is dialled, what is up is hung up. `reason`: why, where no operator asked for it. */
  | { type: 'cancel'; reason?: 'insufficientBalance' }
  /** Do not wait any longer for a date, a window or a retry. */
  | { type: 'retryNow' }
  /** How a leg whose fate is being looked up did end. Default `unreachable`. */
  | { type: 'resolveUnknown'; outcome?: LegOutcome };

type Reported =
  | TelephonyEvent
  | RequestFromRealtimeAgent
  | SpeechSynthesisEvent
  | DialClearanceEvent
  | SecondLegDestinationAnswer
  | QueueLineReplyToCall
  | FollowUpSmsEvent
  | CampaignToCallEvent
  | CallOperatorEvent;

export type CallMachineEvent = (Reported & EventTimestamp) | EventFromEngine | Failures;
