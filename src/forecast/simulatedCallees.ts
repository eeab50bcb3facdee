/** Whom a forecast calls: what becomes of a dial, and what a person who answers does, in the given shares. */
import type { CallContext } from '../../machines/call/context.ts';
import type { LegOutcome } from '../../machines/contracts/telephony.ts';
import { SIMULATED_VALIDATION_DIGITS } from './simulatedDestinationList.ts';
import { randomAroundMean, StratifiedSampler, type Prng, booleanSampler } from './prng.ts';
import type { CallOutcomeRates } from './scenarioAndResultTypes.ts';

/** What an attempt comes to. Milliseconds count from the dial. */
export type ForecastCallee =
  | { answersAfterMs: number; presses: boolean; leaves: boolean }
  | { failsAfterMs: number; outcome: LegOutcome; cause: number };

/** How long a network takes to say so, milliseconds. */
const BUSY_MS = 2_000;
const FAILURE_MS = 1_000;

export class ForecastCallees {
  readonly #prng: Prng;
  readonly #rates: CallOutcomeRates;
  readonly #outcomes: StratifiedSampler;
  readonly #presses: () => boolean;
  readonly #leaves: () => boolean;

  constructor(rates: CallOutcomeRates, prng: Prng) {
    this.#prng = prng;
    this.#rates = rates;
    this.#outcomes = new StratifiedSampler([rates.answer, rates.busy, rates.noAnswer, rates.failure], prng);
    this.#presses = booleanSampler(rates.transfer, prng);
    this.#leaves = booleanSampler(rates.hangUp, prng);
  }

  /** The person at the other end of this attempt. */
  next(ringSeconds: number): ForecastCallee {
    const longest = ringSeconds * 1_000;
    switch (this.#outcomes.draw()) {
      case 0:
        return this.#answering(longest);
      case 1:
        return { failsAfterMs: BUSY_MS, outcome: 'busy', cause: 17 };
      case 2:
        return { failsAfterMs: longest, outcome: 'noAnswer', cause: 19 };
      default:
        return { failsAfterMs: FAILURE_MS, outcome: 'unreachable', cause: 1 };
    }
  }

  /** How long a person listens who hangs up before a prompt of this length is over. */
  patience(ms: number): number {
    return Math.floor(ms * this.#prng());
  }

  /** The length of a talk, milliseconds. */
  talk(): number {
    return Math.round(randomAroundMean(this.#prng, this.#rates.talkSeconds * 1_000));
  }

  #answering(longestMs: number): ForecastCallee {
    const rings = Math.round(randomAroundMean(this.#prng, this.#rates.ringSeconds * 1_000));
    // Who presses stays for it.
    const presses = this.#presses();
    return { answersAfterMs: Math.min(rings, longestMs - 1), presses, leaves: !presses && this.#leaves() };
  }
}

/** The keys of a person who does as asked. */
export const simulatedCooperativeCalleeKeys = ({ call, talk }: CallContext): string => {
  const isFirst = talk.responses.length === 0;
  if (call.mode === 'validate')
    return isFirst
      ? (call.validation?.confirm ?? '1')
      : SIMULATED_VALIDATION_DIGITS.slice(0, call.validation?.digits ?? 1);
  if (call.mode === 'question') return '1'.repeat(isFirst ? call.digits.count : (call.secondAnswer ?? 1));
  const transferring = Object.entries(call.keys).find(([, action]) => action.do === 'transfer')?.[0];
  const confirming = call.mode === 'confirm' ? call.digits.confirm : undefined;
  return transferring ?? confirming ?? Object.keys(call.keys)[0] ?? '1'.repeat(call.digits.count);
};
