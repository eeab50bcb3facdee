/**
 * How a leg ended, from what Asterisk says of it (spec 4.13 `cd_status`).
 * The SIP status speaks first, then the Q.850 cause; Dial's own word alone is not enough: it says NOANSWER for
 * 404, 500 and 603 too, and nothing at all when our ring time runs out.
 */
import {
  type LegOutcome,
  outcomeOfCause,
  outcomeOfSip,
} from '../../../../machines/contracts/legOutcomeBySipAndCause.ts';

export interface AsteriskLegEnd {
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

/** The outcome of a leg that has ended. */
export const legOutcomeOf = (ending: AsteriskLegEnd): LegOutcome => {
  const { answered, cancelled, cause, sipStatus, dialStatus } = ending;
  if (answered) return 'normal';
  if (cancelled || cause === 16) return 'cancelled';
  const told =
    outcomeOfSip(sipStatus) ?? (sipStatus >= 500 && sipStatus < 600 ? 'congestion' : outcomeOfCause(cause));
  if (told) return told;
  if (dialStatus === 'BUSY') return 'busy';
  if (dialStatus === 'CONGESTION') return 'congestion';
  return silent(ending);
};

/**
 * The status that came from the far end. The 480 of our own ring time, where nothing rang, is none: the INVITE went out and
 * had no answer, so no other trunk may be tried.
 */
export const farEndSipStatus = ({ sipStatus, rang, dialStatus }: AsteriskLegEnd): number =>
  sipStatus === 480 && !rang && dialStatus !== 'NOANSWER' ? 0 : sipStatus;

/**
 * Neither a refusal nor an answer came. A carrier that never rang is away: a closed port ends with 408 by Asterisk's
 * own timer, or by ours; only a 480 that came from the far end (Dial says so) is its "no answer".
 */
const silent = ({ rang, sipStatus, dialStatus }: AsteriskLegEnd): LegOutcome =>
  rang || (sipStatus === 480 && dialStatus === 'NOANSWER') ? 'noAnswer' : 'unreachable';
