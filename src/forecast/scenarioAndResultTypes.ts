/** What a forecast is made of, and what it says. Both travel between threads: plain data and typed arrays. */
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { CampaignChanges } from '../../machines/campaign/input.ts';
import type { ClosedPrefixes, TrunkRoutingTable } from '../rules/trunks/trunkTypes.ts';
import type { CallingWindows } from '../rules/voice/callingWindows.ts';

/** Shares from 0 to 1. The first four are of all attempts and come to 1; the others are of those that were answered. */
export interface CallOutcomeRates {
  answer: number;
  busy: number;
  noAnswer: number;
  failure: number;
  /** Who presses what is asked for, and so is transferred when the campaign transfers. */
  transfer: number;
  /** Who hangs up before the first prompt is over. */
  hangUp: number;
  /** Mean length of the talk after a transfer. */
  talkSeconds: number;
  /** Mean time that an answered call rings. */
  ringSeconds: number;
}

/** The destinations of one region that are not claimed yet, in the order of the list. */
export interface UnclaimedDestinationsOfRegion {
  /** A state (`SP`); empty: numbers without one. */
  region: string;
  /** The last `seq` that was claimed; the first of `rows` is the next one. */
  cursor: number;
  /** Row of the list, by place. */
  rows: Int32Array;
  /** How many numbers the record has, by place. */
  numbers: Uint8Array;
  /** These numbers, of one record after the other, as `packPhoneNumber` writes them. */
  dialled: Float64Array;
}

/** Calls of a campaign that runs already and wait for their next attempt, by place in the columns. */
export interface CallsAwaitingRetry {
  regions: string[];
  rows: Int32Array;
  /** Attempts made so far. */
  tried: Uint8Array;
  /** Not before this moment, epoch milliseconds. */
  dueAt: Float64Array;
  /** The number that is dialled next, as `packPhoneNumber` writes it. */
  dialled: Float64Array;
}

export interface ForecastSimulationInput {
  /** As it stands; it is looked at as if it were switched on at `start`, with these changes. */
  campaign: CampaignContext;
  changes: CampaignChanges;
  /** Epoch milliseconds. */
  start: number;
  seed: number;
  rates: CallOutcomeRates;
  list: UnclaimedDestinationsOfRegion[];
  waiting: CallsAwaitingRetry;
  account: {
    id: number;
    /** IANA. */
    zone: string;
    /** The regional and holiday table, when the account's campaigns keep it. */
    table?: CallingWindows;
    /** Calls of its campaigns at a time; null: what the carrier bears. */
    concurrentCalls: number | null;
    /** Price of a minute, an amount such as `0.1200`. */
    callRate: string;
    /** Numbers that it does not call. */
    closedPrefixes?: ClosedPrefixes;
    /** What its calls may cost in a day, ten-thousandths of the currency; null: no matter. */
    spendPerDay?: number | null;
  };
  trunks: TrunkRoutingTable;
  /** What calls cost in the day of this moment (epoch milliseconds) until then, ten-thousandths: of trunks by id, of the account. */
  spent: { at: number; trunks: Readonly<Record<number, number>>; account: number };
  /** Calls are paid out of these balances, ten-thousandths, as they stand. Absent: they are not paid out of any. */
  charges?: { payers: readonly { account: number; balance: bigint }[] };
  /** Seconds that a file of the media store lasts. Files that are not named count as 10 seconds. */
  mediaSeconds: Record<string, number>;
  /** Milliseconds of real time after which it stops with what it has. */
  patienceMs: number;
}

/** Why a forecast ends. */
export type ForecastEndReason =
  | 'completed'
  | 'limitReached'
  | 'expired'
  /** The real time was over, or more than a year was looked at. */
  | 'truncated';

/** What a trunk carries. Amounts are ten-thousandths of the currency. */
export interface ForecastTrunkTotals {
  trunk: string;
  /** Calls whose last attempt it carried. */
  calls: number;
  attempts: number;
  answered: number;
  /** Seconds from answer to end, rounded as in call records. */
  seconds: number;
  sale: bigint;
  purchase: bigint;
  /** Answered calls that it has no price for. */
  unpriced: number;
}

/** What becomes of balances. Amounts are ten-thousandths of the currency, moments epoch milliseconds. */
export interface BalanceForecast {
  payers: { account: number; before: bigint; after: bigint }[];
  /** The first time that one did not cover what was to be reserved; null: all covered everything. */
  runsOutAt: number | null;
  /** Attempts that were paid for until then. */
  attemptsBefore: number;
  /** Destinations that were not dialled for it (CANCEL, `insufficientBalance`). */
  unfunded: number;
  /** Calls under way that were hung up for it. */
  cutOff: number;
}

/** Moments are epoch milliseconds. */
export interface ForecastResult {
  ends: ForecastEndReason;
  /** When it came there. */
  endsAt: number;
  /** A sentence, when it does not end with the list dialled through. */
  reason: string;
  /** Destinations of the whole campaign that were never dialled by then. */
  unreached: number;
  /** Calls that ended, and the dials they took. */
  calls: number;
  attempts: number;
  answered: number;
  transferred: number;
  /** Seconds from answer to end, over all calls. */
  seconds: number;
  /** What the account pays, ten-thousandths of the currency. */
  cost: bigint;
  /** By the trunks that carried them, those of the most attempts first. */
  trunks: ForecastTrunkTotals[];
  /** Destinations that were not dialled (`refused`: the call ended CANCEL), or had to wait; `capacity` apart. */
  leftOut: {
    type: 'refused' | 'postponed';
    reason: string;
    trunks: readonly string[];
    destinations: number;
  }[];
  /** Of an account whose calls are paid out of its balance. */
  balance?: BalanceForecast;
  perHour: { hour: number; dials: number; answered: number }[];
  /** `opensAt`: the first moment, from the start on, at which one may ring there; null: never again. */
  windows: { region: string; destinations: number; opensAt: number | null }[];
  /** Most calls that were dialled or up at one moment. */
  peak: number;
  /** Facts and timers that the machines were given. */
  steps: number;
}
