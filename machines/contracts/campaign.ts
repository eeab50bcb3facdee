/** Events and effects of campaigns: with their calls, and with the dialler, which reads lists and clocks for them. */
import type { CampaignDatesAndHours, ListRecordSelection } from '../campaign/input.ts';

/**
 * The number of a call's question to its campaign. The grant that comes with a birth answers question 0; a question that
 * is repeated keeps its number. Absent in words of machines that were stepped before questions had numbers.
 */
export type NumberedDialGrantRequest = { ask?: number };

/**
 * A call to its campaign. Every attempt needs a grant; the first may have come with the call's birth
 * (`campaign.granted`). A grant is used by `attemptBegun`, or given back by `attemptDropped`.
 */
export type CallToCampaignEvent =
  /** Wants to dial: for a first attempt without a grant, for a retry, or after a postponement. */
  | ({ type: 'attemptWanted'; call: number; region: string } & NumberedDialGrantRequest)
  /** Cleared and dialling: the grant is used. `attempt`: 1 is the first dial of this call. */
  | ({ type: 'attemptBegun'; call: number; attempt: number } & NumberedDialGrantRequest)
  /** Will not dial on this grant; it asks again when it wants to. */
  | ({ type: 'attemptDropped'; call: number } & NumberedDialGrantRequest)
  /** It was asked: the grant is in its hands, and it waits for the carrier. */
  | ({ type: 'attemptHeld'; call: number } & NumberedDialGrantRequest)
  | { type: 'callAnswered'; call: number }
  | { type: 'callTransferred'; call: number }
  /** The two were not brought together after all: its record says no transfer. */
  | { type: 'transferUndone'; call: number }
  /** An attempt that was begun is over without an answer, and the call goes on (a retry, another number). */
  | { type: 'attemptEnded'; call: number }
  /** An attempt that was begun was not made: no telephone rang. The call wants it again. */
  | { type: 'attemptUndone'; call: number; attempt: number }
  /** Its last word. `was`: what it was doing when the end began: it dialled, was answered (`up`), or neither. */
  | { type: 'callEnded'; call: number; was: 'idle' | 'dialling' | 'up' };

/** A campaign to one of its calls. */
export type CampaignToCallEvent =
  /** Good for this question only: a call that has asked another since does not dial on it. */
  | ({ type: 'attemptGranted' } & NumberedDialGrantRequest)
  /** Not now: ask again at this moment. */
  | { type: 'attemptDeferred'; until: number; reason: 'paused' | 'window' | 'pace'; detail: string }
  /** The grant is taken back (pause): unless it dials already, the call waits for another. */
  | ({ type: 'attemptRevoked' } & NumberedDialGrantRequest)
  /** Nothing was heard of this grant for long: the call says whether it still has it. */
  | ({ type: 'attemptAwaited' } & NumberedDialGrantRequest)
  /** No more attempts: a call that is not up ends. */
  | { type: 'campaignOver'; reason: 'limitReached' | 'expired' | 'cancelled' };

export interface DiallerEffects {
  /**
   * Choose the records of the list that are dialled, and keep why the others are not. Replaces what an earlier,
   * broken try left. `atLeastOnce`; answered by `destinationsGenerated` with the acceptance.
   */
  generateDestinations: { list: number; selection: ListRecordSelection };
  /**
   * When may each region be rung? Answered by `windowsPlanned` with the acceptance. `atLeastOnce`. `question` comes back
   * with the answer: hours change, and only the newest question counts.
   */
  planWindows: { hours: CampaignDatesAndHours; regions: string[]; question: number };
  /**
   * The next records in the order of the list, from after the cursor of each region that is open. Answered by
   * `destinationsFound` with the acceptance. `atLeastOnce`. `texts`: filled in for each record.
   */
  fetchDestinations: {
    list: number;
    cursors: Record<string, number>;
    limit: number;
    texts: string[];
    /** Each call has callbacks: an id for the delivery of each is wanted as well. */
    callbacks?: true;
  };
  /**
   * Which of these calls have come to their end, or are not there at all, with every word they said heard? Calls that
   * still live are never among them. Answered by `callsLost` with the acceptance. `atLeastOnce`.
   */
  findLostCalls: { calls: number[] };
  /**
   * Which calls of this campaign live and have not been answered, by id from after this one? They may wait for a retry or
   * a date, and ask for nothing meanwhile. Asked when the campaign is over, and when its hours open earlier than its calls
   * were told. Answered by `callsLive` with the acceptance. `atLeastOnce`.
   */
  findLiveCalls: { after: number; limit: number };
  /** Where do the results go, and under which machine id? Answered by `resultsAddressed`. `atLeastOnce`. */
  addressResults: { profile: number };
}

/** A record that is going to be called. */
export interface DestinationToCall {
  region: string;
  seq: number;
  row: number;
  /** Machine id for its call. */
  call: number;
  /** Machine id for the delivery of its callbacks, where they are wanted. */
  delivery?: number;
  /** In the order in which they are tried. */
  numbers: string[];
  /** Values by the canonical word: nome, extra1 … extra4, cod_cli. */
  placeholders: Record<string, string>;
  /** The asked texts, filled in. */
  texts: string[];
}

/** When a region may be rung. */
export interface RegionCallingStatus {
  open: boolean;
  /** When that changes, epoch milliseconds. */
  until: number;
  /** Why it is closed: a sentence. */
  detail: string;
}

export type DiallerEvent =
  | {
      type: 'destinationsGenerated';
      destinations: number;
      /** Records left out, by reason. */
      skipped: Record<string, number>;
      /** Destinations by region; `''`: numbers without one. */
      regions: Record<string, number>;
    }
  | {
      type: 'windowsPlanned';
      /** Which question this answers. Absent in answers to questions asked before they had numbers. */
      question?: number;
      regions: Record<string, RegionCallingStatus>;
      /** No region opens after this moment: the campaign is over. */
      over: number;
    }
  | { type: 'destinationsFound'; found: DestinationToCall[] }
  /** They will not dial, and say nothing any more. */
  | { type: 'callsLost'; calls: number[] }
  /** In ascending order; `more`: others may come after these. */
  | { type: 'callsLive'; calls: number[]; more: boolean }
  /** `delivery`: id for the delivery's machine; 0: there is no such profile any more. */
  | { type: 'resultsAddressed'; delivery: number; input: object };
