/**
 * Events and effects between a call and call admission, which checks every attempt: lists, limits, windows, capacity.
 */
export interface ClearanceEffects {
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
  };
  /**
   * The attempt will not be made: what was granted or still waits goes to the next. `atLeastOnce`; an answer that is
   * on its way already may come all the same.
   */
  withdrawClearance: Record<string, never>;
  /** The callee opted out: put the number on the account's block list. `atLeastOnce`. */
  blockNumber: { number: string; reason: string };
  /** The callee, or its network, wants no more calls of this scope: they are refused from now on. `atLeastOnce`. */
  restNumber: { number: string; scope: string; reason: string };
}

export type ClearanceEvent = ClearanceAnswer & { question?: number };

type ClearanceAnswer =
  | { type: 'cleared'; route: string }
  /** Never: the attempt is not made and the call ends CANCEL with this reason. */
  | { type: 'refused'; reason: 'blocklist' | 'rested' | 'numlim' | 'audiolim' | 'account'; detail: string }
  /** Not now; ask again at `until`. */
  | {
      type: 'postponed';
      reason: 'window' | 'holiday' | 'capacity' | 'account';
      detail: string;
      until: number;
    };
