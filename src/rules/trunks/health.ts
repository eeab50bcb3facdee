/**
 * How a trunk fares, by the legs of the last minutes. One that fares far worse than it usually does rests: its network refuses
 * legs or says nothing of them, hardly any is answered, or it takes long until they ring. It is left out where another may carry
 * the call, tried with a few legs after a pause, and comes back when these ring. Time comes as arguments; nothing is read or
 * written.
 */

/** How a leg ended, as far as its trunk is concerned. */
export type Fate = 'answered' | 'unanswered' | 'failed';

export interface TrunkHealthFigures {
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
  /** What it rests for; null: it does not. */
  restsBecause: TrunkRestReason | null;
}

/** Half of its legs failed; hardly any was answered; they rang much later than usual. */
export type TrunkRestReason = 'failed' | 'unanswered' | 'slow';

interface Ended {
  at: number;
  fate: Fate;
  rangAfterMs: number | undefined;
  cause: string;
}

interface Rest {
  reason: TrunkRestReason;
  until: number;
  ms: number;
  /** When legs that try it began, of which nothing was heard yet. */
  pending: number[];
  /** What became of the others. */
  over: Fate[];
}

const WINDOW_MS = 5 * 60_000;
const MOST_LEGS = 500;
/** The newest legs decide whether it rests. */
const JUDGED = 20;
const JUDGED_MS = 2 * 60_000;
/** Failed of those, at the least, and how often its norm. */
const RESTS_AT = 0.5;
const OVER_NORM = 2;
/** Whether people answer depends on who is called: of more legs, and where far fewer answer than usual. */
const ANSWERS_JUDGED = 50;
const ANSWERS_NORM = 0.2;
const ANSWERS_LEFT = 1 / 5;
/** Rings so much later than usual, milliseconds, and so many times as late. */
const SLOWER_BY_MS = 5_000;
const SLOWER_TIMES = 3;
/** How slowly norms follow: by a hundredth with each leg. */
const NORM_STEP = 0.01;
/** Norms of answers and delays count after so many legs. */
const LEARNT = 100;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 10 * 60_000;
/** Legs that try it after a rest. */
const TRIALS = 3;
/** One of which nothing is heard for so long tells nothing, and another may try. */
const TRIAL_MS = 4 * 60_000;

export class TrunkHealth {
  #ended: Ended[] = [];
  /** What is usual for it: shares of failures and answers, milliseconds until it rings. */
  readonly #norm = { failed: 0, answered: 0, ringMs: 0 };
  readonly #learnt = { legs: 0, rings: 0 };
  /** Legs that ended before tell nothing of it: it has come back since. */
  #judgedFrom = -Infinity;
  #rest: Rest | undefined;

  /** Whether calls go by others, where there are others. */
  rests(now: number): boolean {
    if (!this.#rest) return false;
    const { until, pending, over } = this.#rest;
    const trials = pending.filter((at) => at > now - TRIAL_MS).length + over.length;
    return now < until || trials >= TRIALS;
  }

  /** A leg is dialled on it. True: it tries whether the trunk is well again. */
  began(now: number): boolean {
    if (!this.#rest || now < this.#rest.until) return false;
    this.#rest.pending = [...this.#rest.pending.filter((at) => at > now - TRIAL_MS), now];
    return true;
  }

  /** A leg that tries it rings, or was answered: talk may last for hours. */
  proved(now: number): void {
    this.#judgeTrial(now, 'answered');
  }

  /** A leg on it is over. `tries`: it tried the trunk, and nothing was heard of it before. */
  ended(
    now: number,
    fate: Fate,
    {
      cause = '',
      rangAfterMs,
      tries = false,
    }: { cause?: string; rangAfterMs?: number; tries?: boolean } = {},
  ): void {
    this.#ended.push({ at: now, fate, cause, rangAfterMs });
    if (this.#ended.length > MOST_LEGS) this.#ended.shift();
    if (tries) this.#judgeTrial(now, fate);
    else if (!this.#rest) this.#judge(now);
    this.#learn(fate, rangAfterMs);
  }

  figures(now: number): TrunkHealthFigures {
    const legs = this.#ended.filter(({ at }) => at > now - WINDOW_MS);
    const of = (fate: Fate): number => legs.filter((one) => one.fate === fate).length;
    const rang = legs.flatMap(({ rangAfterMs }) => rangAfterMs ?? []);
    const failed = legs.filter(({ fate }) => fate === 'failed');
    const rest = this.rests(now) ? this.#rest : undefined;
    return {
      ...{ legs: legs.length, answered: of('answered'), failed: failed.length },
      answerSeizureRatio: legs.length === 0 ? null : of('answered') / legs.length,
      postDialMs: rang.length === 0 ? null : Math.round(rang.reduce((sum, ms) => sum + ms, 0) / rang.length),
      causes: countedBy(failed.map(({ cause }) => cause)),
      restsForMs: rest ? Math.max(0, rest.until - now) : null,
      restsBecause: rest?.reason ?? null,
    };
  }

  #learn(fate: Fate, rangAfterMs: number | undefined): void {
    const norm = this.#norm;
    norm.failed += ((fate === 'failed' ? 1 : 0) - norm.failed) * NORM_STEP;
    norm.answered += ((fate === 'answered' ? 1 : 0) - norm.answered) * NORM_STEP;
    this.#learnt.legs += 1;
    if (rangAfterMs === undefined) return;
    // The first ones count as they are: a mean that begins at 0 would call everything slow.
    norm.ringMs += (rangAfterMs - norm.ringMs) * Math.max(NORM_STEP, 1 / (this.#learnt.rings + 1));
    this.#learnt.rings += 1;
  }

  #judge(now: number): void {
    const reason = this.#reasonToRest(now);
    if (reason) this.#restFor(now, FIRST_REST_MS, reason);
  }

  #reasonToRest(now: number): TrunkRestReason | undefined {
    const { failed, answered, ringMs } = this.#norm;
    const newest = this.#newest(JUDGED, now - JUDGED_MS);
    const share = shareOf(newest, 'failed');
    if (newest.length === JUDGED && share >= RESTS_AT && share >= OVER_NORM * failed) return 'failed';
    const more = this.#newest(ANSWERS_JUDGED, now - WINDOW_MS);
    const knowsAnswers = this.#learnt.legs >= LEARNT && answered >= ANSWERS_NORM;
    if (
      knowsAnswers &&
      more.length === ANSWERS_JUDGED &&
      shareOf(more, 'answered') <= ANSWERS_LEFT * answered
    )
      return 'unanswered';
    const delays = newest
      .flatMap(({ rangAfterMs }) => rangAfterMs ?? [])
      .toSorted((one, other) => one - other);
    const median = delays[Math.floor(delays.length / 2)] ?? 0;
    const isSlow = median >= ringMs + SLOWER_BY_MS && median >= SLOWER_TIMES * ringMs;
    if (this.#learnt.rings >= LEARNT && delays.length * 2 > JUDGED && isSlow) return 'slow';
    return undefined;
  }

  #newest(count: number, since: number): Ended[] {
    return this.#ended.slice(-count).filter(({ at }) => at > Math.max(since, this.#judgedFrom));
  }

  /** It comes back when most of the legs that tried it did not fail; else it rests for twice as long. */
  #judgeTrial(now: number, fate: Fate): void {
    const rest = this.#rest;
    // One of an earlier rest.
    if (!rest || now < rest.until) return;
    rest.pending.shift();
    rest.over.push(fate);
    const failed = rest.over.filter((one) => one === 'failed').length;
    if (failed * 2 > TRIALS) this.#restFor(now, Math.min(LONGEST_REST_MS, rest.ms * 2), rest.reason);
    else if (rest.over.length >= TRIALS) this.#back(now);
  }

  #restFor(now: number, ms: number, reason: TrunkRestReason): void {
    this.#rest = { reason, until: now + ms, ms, pending: [], over: [] };
  }

  /** What was before is no reason to rest again. */
  #back(now: number): void {
    this.#rest = undefined;
    this.#judgedFrom = now;
  }
}

const shareOf = (legs: readonly Ended[], fate: Fate): number =>
  legs.length === 0 ? 0 : legs.filter((one) => one.fate === fate).length / legs.length;

const countedBy = (causes: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const cause of causes) counts[cause] = (counts[cause] ?? 0) + 1;
  return counts;
};
