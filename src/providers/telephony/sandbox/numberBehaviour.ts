/**
 * What a sandbox number does: its last two digits decide, or its last five where they are 99 and a SIP status. A trunk leads
 * to the first carrier or to the second, which differ in what they have no circuits for (`03`, `08`) and in how long they
 * take until it rings.
 * Times are the carrier's own milliseconds, which `SANDBOX_SPEED` shortens; the ones after the answer count from it.
 */
import type { LegDestination, LegOutcome } from '../../../../machines/contracts/telephony.ts';

export interface SandboxNumberBehaviour {
  /** When the far end is alerted; absent: never. */
  ringsAfterMs?: number;
  /** When it answers; absent: never. */
  answersAfterMs?: number;
  /** When and how the network refuses the leg. */
  refusal?: { afterMs: number; outcome: LegOutcome; cause: number; sipStatus: number };
  /** An answering machine took the call. */
  machine?: boolean;
  /** Hangs up in the first prompt. */
  leaves?: boolean;
  /** The key it presses once a prompt. */
  presses?: string;
  /** Talks all the time, so that recordings have sound. */
  speaks?: boolean;
  /** A person has it in hand, at a page of the console: it rings, and does nothing by itself. */
  inHand?: true;
}

const answering = (more: SandboxNumberBehaviour = {}): SandboxNumberBehaviour => ({
  ringsAfterMs: 100,
  answersAfterMs: 2_100,
  ...more,
});

const refusing = (outcome: LegOutcome, cause: number, sipStatus: number): SandboxNumberBehaviour => ({
  refusal: { afterMs: 500, outcome, cause, sipStatus },
});

const failing: Readonly<Record<string, SandboxNumberBehaviour>> = {
  '01': refusing('busy', 17, 486),
  '02': { ringsAfterMs: 100 },
  '03': refusing('congestion', 34, 503),
  '04': refusing('unreachable', 1, 404),
};

/** `99` and the SIP status that the far end's network answers. */
const answers: Readonly<Record<string, SandboxNumberBehaviour>> = {
  '99403': refusing('forbidden', 21, 403),
  '99603': refusing('declined', 21, 603),
  '99607': refusing('unwanted', 21, 607),
  '99608': refusing('rejected', 21, 608),
};

const special: Readonly<Record<string, SandboxNumberBehaviour>> = {
  ...failing,
  '05': answering({ machine: true }),
  '06': answering({ leaves: true }),
  '07': answering({ answersAfterMs: 20_100 }),
  '30': answering({ speaks: true }),
};

/** The one number that waits for a person; whole, so that no number of a list is it by chance. */
const inHand = /^(55)?11987699000$/;

/** Which of the sandbox's carriers a trunk leads to. */
export type SandboxCarrierName = 'first' | 'second';

/** The second carrier takes so much longer until it rings, milliseconds. */
const SLOWER_MS = 300;

/**
 * What the far end does on the `attempt`th attempt (from 1) of its call, by a carrier. Anything not in the table answers and
 * listens.
 */
export const sandboxNumberBehaviour = (
  number: string,
  attempt: number,
  carrier: SandboxCarrierName = 'first',
): SandboxNumberBehaviour => {
  if (carrier === 'first') return byFirst(number, attempt);
  const ending = number.slice(-2);
  if (ending === '08') return refusing('congestion', 34, 503);
  return slower(ending === '03' || ending === '23' ? answering() : byFirst(number, attempt));
};

const slower = ({
  ringsAfterMs,
  answersAfterMs,
  ...rest
}: SandboxNumberBehaviour): SandboxNumberBehaviour => ({
  ...rest,
  ...(ringsAfterMs !== undefined && { ringsAfterMs: ringsAfterMs + SLOWER_MS }),
  ...(answersAfterMs !== undefined && { answersAfterMs: answersAfterMs + SLOWER_MS }),
});

const byFirst = (number: string, attempt: number): SandboxNumberBehaviour => {
  if (inHand.test(number)) return { ringsAfterMs: 100, inHand: true };
  const told = answers[number.slice(-5)];
  if (told) return told;
  const ending = /\d\d$/.exec(number)?.[0] ?? '00';
  if (/^1\d$/.test(ending)) return answering({ presses: ending[1]! });
  if (/^2[1-4]$/.test(ending)) return attempt === 1 ? failing[`0${ending[1]}`]! : answering();
  return special[ending] ?? answering();
};

/** The text whose last two digits decide: the number, the user part of a SIP URI, or the URL. */
export const legDestinationNumber = (to: LegDestination): string => {
  if (to.kind === 'sip') return to.uri.replace(/^sips?:/, '').split(/[@;?]/, 1)[0]!;
  return to.kind === 'websocket' ? to.url : to.number;
};
