import type { LegTariff } from './price.ts';

/**
 * Events and effects between a call and call admission, which checks every attempt: lists, limits, windows, capacity.
 */
export interface DialClearanceEffects {
  /**
   * May this attempt dial now? Asked before every attempt, answered by `cleared`, `refused` or `postponed`
   * (at once, or when capacity is free). `atLeastOnce`: asking again replaces the earlier question.
   */
  requestClearance: {
    destination: string;
    attempt: number;
    /** Comes back with the answer: one to an earlier question says nothing of this one. A question repeated keeps it. */
    question?: number;
    /** -20 and -1 before everything, then higher first (spec 4.2). */
    priority: number;
    skipBlocklist: boolean;
    /** `cp_id` of a campaign's call: campaigns take turns. Absent: a single call. */
    campaign?: number;
    /** Calls for which a number may rest (`restNumber`); absent: none does. */
    restScope?: string;
    /** `cpid`; empty: none. Limits are counted over it. */
    customerCampaign: string;
    numberLimit?: number;
    audioLimit?: number;
    audioKey: string;
    waitForWindow: boolean;
    /** The caller id to be shown: not every trunk may show every one. Absent: the carrier's own. */
    callerId?: string;
    /** The request asked for that one: no pool of caller ids chooses another. */
    callerIdAsked?: true;
    /** `tfix`: names of trunks, in this order; these and no others. Absent: as the routes say. */
    forcedRoutes?: readonly string[];
    /** Trunks that this attempt was refused by. */
    tried?: readonly string[];
  };
  /**
   * The attempt will not be made: what was granted or still waits goes to the next. `atLeastOnce`; an answer that is
   * on its way already may come all the same. `question`: the last that is withdrawn; it may be asked later than this, where
   * its request is tried again. Absent: asked before questions had numbers.
   */
  withdrawClearance: { question?: number };
  /** The callee opted out: put the number on the account's block list. `atLeastOnce`. */
  blockNumber: { number: string; reason: string };
  /** The callee, or its network, wants no more calls of this scope: they are refused from now on. `atLeastOnce`. */
  restNumber: { number: string; scope: string; reason: string };
}

/**
 * What each rule answered before a dial, in the order in which they are asked; absent: it was not asked, or not reached.
 * No chart reads it: it stands in the history with the answer, 300 bytes of JSON at most, so that what held then can be
 * told after the rules have changed. Absent in answers of versions that wrote none.
 */
export interface DialRuleAnswers {
  /**
   * `closed`: it calls no such numbers; `spent`: its calls of today cost as much as they may; `unfunded`: a balance does not
   * cover the first step.
   */
  account?: 'active' | 'off' | 'closed' | 'spent' | 'unfunded';
  campaign?: 'active' | 'paused';
  /** The block list that has the number; `passed`: the call asks none (`free`). Opt-outs by key are on the account's. */
  list?: 'none' | 'account' | 'global' | 'passed';
  /** Why the number rests for calls of this campaign (`restNumber`). */
  rest?: string;
  /** Calls of the customer's campaign to the number in 30 days, and how many it may have. */
  calls?: readonly [number, number];
  /** The same, of those with the same audio. */
  audio?: readonly [number, number];
  /**
   * The state where it rings, and the hours that are open (`SP 09:00-20:00`) or those of a day on which it is closed now
   * (`SP closed 09:00-20:00`), by the account's table; `any`: the number has no region.
   */
  window?: string;
  /** The name of the day's holiday there. */
  holiday?: string;
  /** Trunks that would carry it and do not, five at most: `carrier-b:draining`. */
  trunks?: readonly string[];
  /** How many trunks refused this attempt before; absent: none. */
  tried?: number;
  /** The caller id that its pool chose; `full`: all have had their calls of the hour. Absent: no pool was asked. */
  callerId?: string;
  /** Milliseconds that it waited for a free line; `full`: too many wait. */
  line?: number | 'full';
}

export type DialClearanceEvent = ClearanceAnswer & { question?: number; answers?: DialRuleAnswers };

type ClearanceAnswer =
  /**
   * `route`: the trunk. `failover`: final SIP answers after which this attempt is tried on another; absent: there is none.
   * `callerId`: the one to be shown; absent: the call's own. `price`: what the trunk asks; absent: it has none for the number.
   */
  | { type: 'cleared'; route: string; failover?: readonly number[]; callerId?: string; price?: LegTariff }
  /** Never: the attempt is not made and the call ends CANCEL with this reason. */
  | {
      type: 'refused';
      reason:
        | 'blocklist'
        | 'rested'
        | 'numlim'
        | 'audiolim'
        | 'account'
        | 'closedPrefix'
        | 'route'
        | 'insufficientBalance';
      detail: string;
    }
  /** Not now; ask again at `until`. */
  | {
      type: 'postponed';
      reason: 'window' | 'holiday' | 'capacity' | 'account' | 'dayLimit' | 'route' | 'callerId';
      detail: string;
      until: number;
    };
