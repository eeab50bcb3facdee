/**
 * The time of a shard: this node's monotonic clock, with the database's clock as a slow correction.
 *
 * The clock of the database may be set, and a standby that was promoted has another one. Timers that wait for it would
 * stand still, or run out at once. So time goes on by the monotonic clock and follows the database's by one part in a
 * hundred, and how far it is ahead stands in each heartbeat, so that a node that joins goes on from there. It moves at
 * once in two cases, forward only: the machine was suspended, and when it is behind by more than ten minutes and the wall
 * clock of this machine agrees.
 */
import type { Clock } from '../contract/ports.ts';
import type { DatabaseClockReading, LastNodeHeartbeat } from '../contract/store.ts';

/** More than this at once is a jump, milliseconds. */
const JUMP_MS = 1_000;
/** How fast time follows the database's: a prompt's guard of 15 s bears it for 25 minutes. */
const SLEW = 0.01;
/** What is followed slowly, and what is carried over a time without any node; milliseconds. */
const MOST_MS = 600_000;
/** What one reply may correct at most is what it may in this time: backward, time stands still meanwhile. */
const SLEW_OVER_MS = 10_000;
/** A reply that took longer says little about the database's clock. */
const SLOW_MS = 250;

/** How often one who joins asks for the time until the reply is quick. */
const TRIES = 3;

/** What all clocks said at a moment. */
interface Sample {
  monotonic: number;
  /** Database time minus monotonic time. */
  database: number;
  /** Wall time minus monotonic time. */
  wall: number;
  /** How long this machine has slept, as far as its clocks tell: only differences mean something. */
  slept: number;
}

interface Asked<Answer> {
  answer: Answer;
  sample: Sample;
  isPrecise: boolean;
}

/** What one who joins knows of the others. */
export interface ClockJoinOptions {
  /** Between two heartbeats. */
  beatMs: number;
  /** True when that process surely ended. */
  isProcessDead(process: string): boolean;
}

/** A heartbeat that is so much older than the next is due, or that lies ahead, says nothing of the present. */
const FITTING_BEATS = 1.5;
/** How long one who joins waits for the next heartbeat, in beats. */
const WAITED_BEATS = 1.25;

/** A jump that was found, milliseconds. */
export interface Jump {
  /** Of the database's clock against this node's. */
  byMs: number;
  /** How much of it this machine slept. */
  sleptMs: number;
  /** How far the shard's time jumped with it. */
  steppedMs: number;
}

export class ShardClock {
  readonly #clock: Clock;
  /** Time of the shard minus monotonic time. */
  #offset = -Infinity;
  #last = 0;
  #sample: Sample = { monotonic: 0, database: 0, wall: 0, slept: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Epoch milliseconds; never goes back. 0 before it was begun. */
  now(): number {
    const now = Math.round(this.#clock.monotonic() + this.#offset);
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** How far it is ahead of the database's clock, whole milliseconds. */
  get aheadMs(): number {
    return Math.round(this.#offset - this.#sample.database);
  }

  /**
   * Goes on from where the shard's time stands; where it is further already, it stays there. When the last heartbeat does
   * not fit the database's clock, either its node died or that clock has jumped since: then the next one of any node is
   * waited for.
   */
  async join(ask: () => Promise<DatabaseClockReading>, peers: ClockJoinOptions): Promise<void> {
    let found = await this.#askPrecisely(ask);
    const before = found.answer.living;
    const until = this.#clock.monotonic() + WAITED_BEATS * peers.beatMs;
    let beaten: LastNodeHeartbeat | undefined;
    while (!beaten && isDoubtful(found.answer, peers) && this.#clock.monotonic() < until) {
      await new Promise<void>((resolve) => void this.#clock.after(peers.beatMs / 10, resolve));
      found = await this.#askPrecisely(ask);
      beaten = found.answer.living.find((node) => hasBeaten(node, before));
    }
    const { now } = found.answer;
    const time = beaten ? timeOf(beaten, now, peers) : timeAtJoin(found.answer);
    this.#sample = found.sample;
    this.#offset = Math.max(this.#offset, found.sample.database + time - now);
  }

  async #askPrecisely<Answer extends { now: number }>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
    let asked = await this.#ask(ask);
    for (let tries = 1; !asked.isPrecise && tries < TRIES; tries += 1) asked = await this.#ask(ask);
    return asked;
  }

  /** Follows the database's clock. The jump that it found, if there was one. */
  async sync(ask: () => Promise<number>): Promise<Jump | undefined> {
    const { sample, isPrecise } = await this.#ask(async () => ({ now: await ask() }));
    if (!isPrecise) return undefined;
    const byMs = sample.database - this.#sample.database;
    const sleptMs = Math.max(0, sample.slept - this.#sample.slept);
    const elapsed = sample.monotonic - this.#sample.monotonic;
    this.#sample = sample;
    const steppedMs = this.#step(byMs, sleptMs);
    this.#offset += steppedMs;
    const most = SLEW * Math.min(elapsed, SLEW_OVER_MS);
    this.#offset += Math.max(-most, Math.min(most, sample.database - this.#offset));
    return Math.abs(byMs) > JUMP_MS ? { byMs, sleptMs, steppedMs } : undefined;
  }

  /**
   * What it takes at once: the time that was slept, for as much as the database has gone on; or all that is too much, when
   * this machine's wall clock says so too. A database that errs by years would have its own history dropped.
   */
  #step(byMs: number, sleptMs: number): number {
    const { database, wall } = this.#sample;
    const behind = database - this.#offset;
    if (behind > MOST_MS && Math.abs(wall - database) < MOST_MS) return behind;
    return byMs > JUMP_MS && sleptMs > JUMP_MS ? Math.min(byMs, sleptMs) : 0;
  }

  async #ask<Answer extends { now: number }>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
    const sent = this.#clock.monotonic();
    const slept = this.#slept();
    const wall = this.#clock.wall() - sent;
    const answer = await ask();
    const back = this.#clock.monotonic();
    // One that slept while it waited does not know when the database answered.
    const isPrecise = back - sent < SLOW_MS && Math.abs(this.#slept() - slept) < SLOW_MS;
    const monotonic = (sent + back) / 2;
    return { answer, isPrecise, sample: { monotonic, wall, slept, database: answer.now - monotonic } };
  }

  /** The clock since boot knows; where there is none the wall clock does, unless it was set. */
  #slept(): number {
    return (this.#clock.sinceBoot() ?? this.#clock.wall()) - this.#clock.monotonic();
  }
}

/**
 * The shard's time for a node that joins. Where others live, theirs. Where all have stopped, the database's; but what
 * they wrote last is not undone by a clock that was set back a little.
 */
const timeAtJoin = ({ now, last }: DatabaseClockReading): number => {
  if (!last) return now;
  const stood = Math.max(now + last.aheadMs, last.beatAt);
  if (!last.left) return stood;
  return stood > now && stood - now <= MOST_MS ? stood : now;
};

const hasBeaten = (
  { incarnation, beats }: LastNodeHeartbeat,
  before: readonly LastNodeHeartbeat[],
): boolean => before.some((node) => node.incarnation === incarnation && node.beats !== beats);

/** The time of a node that has just beaten; it stands in the beat itself where the database's clock was set since. */
const timeOf = ({ beatAt, aheadMs }: LastNodeHeartbeat, now: number, { beatMs }: ClockJoinOptions): number =>
  Math.abs(now + aheadMs - beatAt) > beatMs ? beatAt : Math.max(now + aheadMs, beatAt);

/** Whether the last heartbeat may be that of a node which lives, and does not know yet that the clock has jumped. */
const isDoubtful = (
  { now, last }: DatabaseClockReading,
  { beatMs, isProcessDead }: ClockJoinOptions,
): boolean =>
  last !== null &&
  !last.left &&
  Math.abs(now + last.aheadMs - last.beatAt) > FITTING_BEATS * beatMs &&
  !isProcessDead(last.process);
