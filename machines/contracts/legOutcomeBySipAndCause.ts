/**
 * How an unanswered leg ends: one table from what the network says to what follows (docs/decisions/0003). The SIP status
 * speaks first, then the Q.850 cause; the reason on the record is the name of the row.
 */

/** spec 2.1 `cd_status`; empty until an attempt ended. */
export type LastAttemptOutcomeCode =
  | ''
  | 'OK'
  | 'BUSY'
  | 'NOANSWER'
  | 'CANCEL'
  | 'CONGESTION'
  | 'CHANUNAVAIL';

export interface LegOutcomeRule {
  /** Final SIP answers that mean it. */
  sip: readonly number[];
  /** Q.850 causes that mean it, where no SIP answer says more. */
  q850: readonly number[];
  /** What the caller sees (spec 2.1 `cd_status`). */
  status: Exclude<LastAttemptOutcomeCode, ''>;
  /** Whether `repeat` or `resends` may dial again. `unlessDeclined`: the account may say no (`retry_declined`). */
  retry: 'yes' | 'no' | 'unlessDeclined';
  /** The number is not dialled again for this campaign. */
  rests?: true;
}

export const legOutcomeRules = {
  /** It was answered; what is said of its end says nothing of a call that was not. */
  normal: { sip: [], q850: [], status: 'OK', retry: 'no' },
  busy: { sip: [486, 600], q850: [17], status: 'BUSY', retry: 'yes' },
  /** The callee pressed the red key. */
  declined: { sip: [603], q850: [21], status: 'BUSY', retry: 'unlessDeclined' },
  /** The callee said that such calls are unwanted (RFC 8197). */
  unwanted: { sip: [607], q850: [], status: 'BUSY', retry: 'no', rests: true },
  /** The callee's network took the call for spam (RFC 8688). */
  rejected: { sip: [608], q850: [], status: 'BUSY', retry: 'no', rests: true },
  /** Only with ringing: 408 and 480 come from a carrier that is away, too. */
  noAnswer: { sip: [], q850: [], status: 'NOANSWER', retry: 'yes' },
  /** By us: no answer of the network is needed to know it. */
  cancelled: { sip: [], q850: [], status: 'CANCEL', retry: 'no' },
  congestion: { sip: [500, 503, 504], q850: [34, 38, 41, 42, 44, 47], status: 'CONGESTION', retry: 'yes' },
  /** The network refuses the call, e.g. this caller id; no telephone rang. */
  forbidden: { sip: [403], q850: [], status: 'CONGESTION', retry: 'yes' },
  unreachable: {
    sip: [404, 410, 484, 502, 604],
    q850: [1, 2, 3, 20, 22, 27, 28],
    status: 'CHANUNAVAIL',
    retry: 'yes',
  },
} as const satisfies Record<string, LegOutcomeRule>;

/** How a leg ended, in the field's words: a row of the table. */
export type LegOutcome = keyof typeof legOutcomeRules;

/** The row of a reason; undefined for a reason that is no ending of the network. */
export const legOutcomeRuleByReason = (reason: string): LegOutcomeRule | undefined =>
  Object.hasOwn(legOutcomeRules, reason) ? legOutcomeRules[reason as LegOutcome] : undefined;

const rows = Object.entries(legOutcomeRules) as [LegOutcome, LegOutcomeRule][];

/** What a final SIP answer means; undefined for one that is not in the table. */
export const outcomeOfSip = (status: number): LegOutcome | undefined =>
  rows.find(([, { sip }]) => sip.includes(status))?.[0];

/** What a Q.850 cause means; undefined for one that is not in the table. */
export const outcomeOfCause = (cause: number): LegOutcome | undefined =>
  rows.find(([, { q850 }]) => q850.includes(cause))?.[0];
