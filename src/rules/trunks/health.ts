/**
 * How a trunk fares, by the legs of the last minutes. One whose network refuses far more than it usually does rests: it is left
 * out where another may carry the call, tried with a few legs after a pause, and comes back when they are not refused.
 * Time comes as arguments; nothing is read or written.
 */

/** How a leg ended, as far as its trunk is concerned. */
export type Fate = 'answered' | 'unanswered' | 'failed';

export interface Figures {
  /** Of the last five minutes, 500 legs at most. */
  legs: number;
  answered: number;
  failed: number;
  /** Answered of all legs, 0 to 1; null: there were none. */
  answerSeizureRatio: number | null;
  /** Mean milliseconds from the dial until it rang; null: none rang. */
  postDialMs: number | null;
  /** Failures by SIP answer, else by Q.850 cause (`Q34`). */
  causes: Readonly<Record<string, number>>;
  /** Milliseconds until it is tried again, while it rests. */
  restsForMs: number | null;
}

interface Ended {
  at: number;
  fate: Fate;
  rangAfterMs: number | undefined;
  cause: string;
}

const WINDOW_MS = 5 * 60_000;
const MOST_LEGS = 500;
/** The newest legs decide whether it rests. */
const JUDGED = 20;
const JUDGED_MS = 2 * 60_000;
/** Refused of those, at the least, and how often its norm. */
const RESTS_AT = 0.5;
const OVER_NORM = 2;
/** How slowly the norm follows: by a hundredth with each leg. */
const NORM_STEP = 0.01;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/** Legs that try it after a rest. */
const TRIALS = 3;

export class TrunkHealth {
  #ended: Ended[] = [];
  /** The share of refusals that is usual for it. */
  #norm = 0;
  /** While it rests: until when, how long the rest is, and what became of the legs that tried it. */
  #rest: { until: number; ms: number; begun: number; over: Fate[] } | undefined;

  /** Whether calls go by others, where there are others. */
  rests(now: number): boolean {
    if (!this.#rest) return false;
    return now < this.#rest.until || this.#rest.begun >= TRIALS;
  }

  /** A leg is dialled on it. */
  began(now: number): void {
    if (this.#rest && now >= this.#rest.until) this.#rest.begun += 1;
  }

  /** A leg on it is over. */
  ended(
    now: number,
    fate: Fate,
    { cause = '', rangAfterMs }: { cause?: string; rangAfterMs?: number } = {},
  ): void {
    this.#ended.push({ at: now, fate, cause, rangAfterMs });
    if (this.#ended.length > MOST_LEGS) this.#ended.shift();
    if (this.#rest) this.#judgeTrial(now, fate);
    else this.#judge(now);
    this.#norm += ((fate === 'failed' ? 1 : 0) - this.#norm) * NORM_STEP;
  }

  figures(now: number): Figures {
    const legs = this.#ended.filter(({ at }) => at > now - WINDOW_MS);
    const of = (fate: Fate): number => legs.filter((one) => one.fate === fate).length;
    const rang = legs.flatMap(({ rangAfterMs }) => rangAfterMs ?? []);
    const failed = legs.filter(({ fate }) => fate === 'failed');
    return {
      ...{ legs: legs.length, answered: of('answered'), failed: failed.length },
      answerSeizureRatio: legs.length === 0 ? null : of('answered') / legs.length,
      postDialMs: rang.length === 0 ? null : Math.round(rang.reduce((sum, ms) => sum + ms, 0) / rang.length),
      causes: countedBy(failed.map(({ cause }) => cause)),
      restsForMs: this.rests(now) ? Math.max(0, this.#rest!.until - now) : null,
    };
  }

  #judge(now: number): void {
    const judged = this.#ended.slice(-JUDGED).filter(({ at }) => at > now - JUDGED_MS);
    if (judged.length < JUDGED) return;
    const share = judged.filter(({ fate }) => fate === 'failed').length / judged.length;
    if (share >= RESTS_AT && share >= OVER_NORM * this.#norm) this.#restFor(now, FIRST_REST_MS);
  }

  /** It comes back when most of the legs that tried it were not refused; else it rests for twice as long. */
  #judgeTrial(now: number, fate: Fate): void {
    const rest = this.#rest!;
    if (now < rest.until) return;
    rest.over.push(fate);
    const failed = rest.over.filter((one) => one === 'failed').length;
    if (failed * 2 > TRIALS) this.#restFor(now, Math.min(LONGEST_REST_MS, rest.ms * 2));
    else if (rest.over.length >= TRIALS) this.#back();
  }

  #restFor(now: number, ms: number): void {
    this.#rest = { until: now + ms, ms, begun: 0, over: [] };
  }

  /** What was before is no reason to rest again. */
  #back(): void {
    this.#rest = undefined;
    this.#ended = this.#ended.filter(({ fate }) => fate !== 'failed');
  }
}

const countedBy = (causes: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const cause of causes) counts[cause] = (counts[cause] ?? 0) + 1;
  return counts;
};
