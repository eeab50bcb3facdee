/**
 * How a leg ended, from what Asterisk says of it (spec 4.13 `cd_status`).
 * The SIP status speaks first, then the Q.850 cause; Dial's own word alone is not enough: it says NOANSWER for
 * 404, 500 and 603 too, and nothing at all when our ring time runs out.
 */
import type { Outcome } from '../../../../machines/vocabulary/telephony.ts';

export interface Ending {
  answered: boolean;
  /** It rang, or gave early media. */
  rang: boolean;
  /** We asked for the end before the answer. */
  cancelled: boolean;
  /** Last word of the Dial events; empty: none. */
  dialStatus: string;
  /** Q.850, 0 when unknown. */
  cause: number;
  /** SIP status of the final answer, 0 when none. Asterisk says 480 itself when our ring time runs out. */
  sipStatus: number;
}

const bySip: Readonly<Record<number, Outcome>> = {
  404: 'unreachable',
  410: 'unreachable',
  484: 'unreachable',
  486: 'busy',
  502: 'unreachable',
  600: 'busy',
  603: 'busy',
  604: 'unreachable',
};

const byCause: Readonly<Record<number, Outcome>> = {
  1: 'unreachable',
  2: 'unreachable',
  3: 'unreachable',
  17: 'busy',
  20: 'unreachable',
  21: 'busy',
  22: 'unreachable',
  27: 'unreachable',
  28: 'unreachable',
  34: 'congestion',
  38: 'congestion',
  41: 'congestion',
  42: 'congestion',
  44: 'congestion',
  47: 'congestion',
};

/** The outcome of a leg that has ended. */
export const outcomeOf = (ending: Ending): Outcome => {
  const { answered, cancelled, cause, sipStatus, dialStatus } = ending;
  if (answered) return 'normal';
  if (cancelled || cause === 16) return 'cancelled';
  const told = bySip[sipStatus] ?? (sipStatus >= 500 && sipStatus < 600 ? 'congestion' : byCause[cause]);
  if (told) return told;
  if (dialStatus === 'BUSY') return 'busy';
  if (dialStatus === 'CONGESTION') return 'congestion';
  return silent(ending);
};

/**
 * Nobody refused and nobody answered. A carrier that never rang is away: a closed port ends with 408 by
 * Asterisk's own timer, or by ours; only a 480 that came from the far end (Dial says so) is its "no answer".
 */
const silent = ({ rang, sipStatus, dialStatus }: Ending): Outcome =>
  rang || (sipStatus === 480 && dialStatus === 'NOANSWER') ? 'noAnswer' : 'unreachable';
