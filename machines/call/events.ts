/** Every fact a call may hear. */
import type { EffectFailure, EngineEvent, Stamp } from '../../src/engine/contract/effect.ts';
import type { CampaignWord } from '../contracts/campaign.ts';
import type { ClearanceEffects, ClearanceEvent } from '../contracts/clearance.ts';
import type { SmsEffects, SmsEvent } from '../contracts/sms.ts';
import type { SpeechEffects, SpeechEvent } from '../contracts/speech.ts';
import type { LineOffer, TargetEffects, TargetEvent } from '../contracts/target.ts';
import type { AgentRequest, Outcome, TelephonyEffects, TelephonyEvent } from '../contracts/telephony.ts';

/** Everything a call may ask of the world. */
export type CallEffects = TelephonyEffects & ClearanceEffects & SpeechEffects & TargetEffects & SmsEffects;

/** `playFailed`, `originateFailed` …: the engine's word that an effect failed for good. */
type Failures = { [Name in keyof CallEffects]: EffectFailure<Name, CallEffects[Name]> }[keyof CallEffects];

/** What an operator may tell a call. */
export type OperatorEvent =
  /** End it: nothing more is dialled, what is up is hung up. `reason`: why, where no operator asked for it. */
  | { type: 'cancel'; reason?: 'insufficientBalance' }
  /** Do not wait any longer for a date, a window or a retry. */
  | { type: 'retryNow' }
  /** How a leg whose fate is being looked up did end. Default `unreachable`. */
  | { type: 'resolveUnknown'; outcome?: Outcome };

type Reported =
  | TelephonyEvent
  | AgentRequest
  | SpeechEvent
  | ClearanceEvent
  | TargetEvent
  | LineOffer
  | SmsEvent
  | CampaignWord
  | OperatorEvent;

export type CallEvent = (Reported & Stamp) | EngineEvent | Failures;
