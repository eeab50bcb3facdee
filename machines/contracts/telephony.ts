/**
 * Events and effects between a call and a carrier: what a call may ask, and what a carrier may report.
 *
 * A leg is one channel. Charts number their legs 1, 2, 3 … over the whole life of a call; a number is never
 * used twice. The channel's id is made from it (`legId` in the telephony contract), so what comes back finds its machine by key, and a
 * second originate of the same leg is refused by the carrier.
 */
import type { SecondLegTarget } from '../call/input.ts';
import type { LegOutcome } from './legOutcomeBySipAndCause.ts';
import type { AudioPrompt } from './prompt.ts';

/** Where a leg goes. */
export type LegDestination =
  /** A telephone number in the carrier's format (E.164 without `+`, or a national special number). */
  | { kind: 'number'; number: string }
  /** A SIP URI (an agent, a queue member). */
  | { kind: 'sip'; uri: string }
  /** A number reached through the chat-app calling trunk. */
  | { kind: 'chat'; number: string }
  /** A realtime agent: the call's audio as frames over a web socket. */
  | { kind: 'websocket'; url: string; headers?: Record<string, string>; hello?: Record<string, unknown> };

/** Requests. Each ends when the carrier has accepted it; what follows is reported as a fact. */
export interface TelephonyEffects {
  /** Open a leg. `atMostOnce`. */
  originate: {
    leg: number;
    to: LegDestination;
    callerId: string;
    /** Give up ringing after this many seconds. */
    ringSeconds: number;
    /** Safety net: the carrier ends the leg this many seconds after it opened, whatever happens to us. */
    limitSeconds: number;
    /** Seconds after which a leg that only gives early media counts as answered; 0: never. */
    answerSeconds?: number;
    /** The leg on whose behalf this one is opened (a second leg). */
    onBehalfOf?: number;
    /** Attempt of the call this leg belongs to, from 1 (the sandbox's numbers look at it). */
    attempt?: number;
    /** The trunk it goes by, by its name; absent, or one that is not there any more: that of the settings. */
    trunk?: string;
    /** Dial order when capacity is short; higher first. Default 0. */
    priority?: number;
  };
  /** End a leg. Ending one that is gone is accepted. */
  hangUp: { leg: number; reason: 'normal' | 'busy' | 'noAnswer' };
  /** Play prompts in order. `played` with the same `playback` follows, or `playFailed`. Playing again with the same name plays again. */
  play: { leg: number; playback: string; prompts: AudioPrompt[] };
  /** Stop a playback; no `played` need follow. */
  stopPlay: { leg: number; playback: string };
  /** Find out whether a person or a machine answered. `machineDetected` follows. */
  detectMachine: { leg: number };
  /** Park a leg: it hears music, silence or ringing until it is bridged, played to or hung up. */
  hold: { leg: number; music: HoldMusic };
  /** Join two legs so that they hear each other; from `hold` as well. */
  bridge: { legs: [number, number] };
  /** Part a bridge; the legs that are still up stay up. */
  unbridge: { legs: [number, number] };
  /** Send keypad digits to the far end of a leg. */
  sendDigits: { leg: number; digits: string };
  /**
   * Record. `leg`: what that leg says, ended by `maxSeconds`, `endOnDigit`, or hang-up.
   * `call`: everything heard on that leg, both sides, through bridges, until `maxSeconds` or hang-up.
   * `recorded` follows once the file is in the media store.
   */
  record: {
    leg: number;
    recording: string;
    scope: 'leg' | 'call';
    maxSeconds: number;
    beep: boolean;
    endOnDigit?: string;
  };
  /** End a recording early. `recorded` follows. */
  stopRecord: { leg: number; recording: string };
  /**
   * This process now holds the call: take over its legs and report what became of them.
   * Legs that live go on reporting to us (with a `legFound`); those that are gone are reported `hungUp` with `lost: true`.
   */
  adopt: {
    legs: number[];
    /** Of the first leg, which is the callee's: it has a place there. Absent: there is no such leg, or no trunk is known. */
    trunk?: string;
    /** Those of them that are second legs by this trunk: they have places there, too. Absent: none. */
    seconds?: number[];
  };
  /** What became of a leg whose originate has an unknown outcome: `legFound`, or `hungUp` with `lost: true`. */
  lookUp: { leg: number };
}

export type HoldMusic = 'music' | 'ringing' | 'silence';

/** How a leg ended (`legOutcomeBySipAndCause.ts`). */
export type { LegOutcome } from './legOutcomeBySipAndCause.ts';

/** Where a carrier numbers its events: `source` is `leg <n>`, `seq` ascends per source, and the engine drops repeats. */
export interface CarrierEventNumber {
  source?: string;
  seq?: number;
}

/** Facts. Every one carries its leg. */
export type TelephonyEvent =
  /** The far end is being alerted. */
  | ({ type: 'ringing'; leg: number } & CarrierEventNumber)
  | ({ type: 'answered'; leg: number } & CarrierEventNumber)
  /** The leg is gone; nothing follows for it but `recorded`. */
  | ({
      type: 'hungUp';
      leg: number;
      outcome: LegOutcome;
      /** Q.850 cause, 0 when unknown. */
      cause: number;
      /** SIP status of the final answer, 0 when none. */
      sipStatus: number;
      by: 'us' | 'them' | 'carrier';
      /** The leg was found gone; how it ended is not known. */
      lost?: boolean;
      /**
       * With `lost`: the carrier is certain that it was not asked for this leg since this moment (epoch milliseconds),
       * and does not take it any more. A leg asked for later than that never was, and may be dialled anew.
       */
      neverSince?: number;
    } & CarrierEventNumber)
  | ({ type: 'digitReceived'; leg: number; digit: string } & CarrierEventNumber)
  | ({ type: 'played'; leg: number; playback: string } & CarrierEventNumber)
  | ({ type: 'playFailed'; leg: number; playback: string; reason: string } & CarrierEventNumber)
  | ({ type: 'machineDetected'; leg: number; result: 'human' | 'machine' | 'notSure' } & CarrierEventNumber)
  /** The file is in the media store under `media`; `seconds` is measured from the file. */
  | ({
      type: 'recorded';
      leg: number;
      recording: string;
      media: string;
      seconds: number;
    } & CarrierEventNumber)
  | ({ type: 'recordFailed'; leg: number; recording: string; reason: string } & CarrierEventNumber)
  /** Answer to `adopt` and `lookUp`: the leg lives. */
  | ({ type: 'legFound'; leg: number; state: 'dialing' | 'ringing' | 'up' } & CarrierEventNumber);

/** What a realtime agent may ask for over its web socket while it talks. */
export type RequestFromRealtimeAgent =
  /** Hand the callee over to another second leg. */
  | ({ type: 'transferRequested'; leg: number; to: SecondLegTarget } & CarrierEventNumber)
  /** Send keypad digits to the callee. */
  | ({ type: 'digitsRequested'; leg: number; digits: string } & CarrierEventNumber);
