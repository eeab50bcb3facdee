/** What was seen of trunks: what carriers of Asterisks were asked for and did, and what the service says of it. */

/**
 * What a carrier saw of a leg. `refused`: it gave a final answer that is none of success, `sip`; `cancelled`: it was told
 * to stop ringing; `left`: the far end was told that the call is over; `hungUp`: the far end ended it.
 */
export type LegMoment = 'dial' | 'rang' | 'answered' | 'refused' | 'cancelled' | 'left' | 'hungUp';

export type TrunkSeen =
  /** A trunk as it was set up: on which Asterisk, whose carrier has the same name, and what it bears. */
  | ({ kind: 'trunk' } & TrunkAsked)
  /** Routes were changed, and that was acknowledged. */
  | { kind: 'routed'; order: string; trunks: readonly string[] }
  /** `took`: when the carrier wrote it, by the wall clock and the beginning of `at`. `sip`: 0 for none. */
  | {
      kind: 'leg';
      carrier: string;
      call: string;
      leg: number;
      number: string;
      saw: LegMoment;
      sip: number;
      took: number;
    }
  /** What was done to an Asterisk, or to its carrier. `on`: it is asked to be used again. */
  | { kind: 'asterisk'; asterisk: string; phase: AsteriskPhase }
  /** At the end, an attempt by the record of its call. */
  | ({ kind: 'attempt' } & AttemptSeen)
  /** At the end: how many things were found at a place that should have none. */
  | { kind: 'remains'; where: string; count: number; said: string };

export type AsteriskPhase = 'killed' | 'started' | 'draining' | 'on' | 'refusing' | 'open';

export interface TrunkAsked {
  trunk: string;
  asterisk: string;
  callsPerSecond: number;
  legs: number;
  /** SIP answers before ringing after which another trunk may be tried. */
  failover: readonly number[];
}

/** Moments by the clock of `at`; 0 for what did not happen. */
export interface AttemptSeen {
  call: string;
  attempt: number;
  /** The trunk that carried it in the end. */
  route: string;
  status: string;
  reason: string;
  sipStatus: number;
  dialedAt: number;
  endedAt: number;
  /** Trunks that refused it before. */
  tries: readonly { route: string; leg: number; sipStatus: number }[];
}
