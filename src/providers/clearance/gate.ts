/**
 * Capacity: so many new legs a second, so many legs at a time, and a queue by priority for the rest.
 *
 * Everything here may be lost with the process: a call that waited too long asks again, and a slot whose end nobody
 * reported comes back by itself after a while.
 */
import type { Clock } from '../clearance.ts';

export interface Capacity {
  callsPerSecond: number;
  legs: number;
}

export interface GateOptions {
  capacity: Capacity;
  clock: Clock;
  /** How many may wait; the next are told to come back. Default 50,000. */
  waiting?: number;
  /** A slot is given back after this long at the latest, milliseconds. Default one hour. */
  heldMs?: number;
}

export type GateAnswer =
  | 'granted'
  /** `grant` will be called. */
  | 'waiting'
  /** The queue is full; come back at this moment (epoch milliseconds). */
  | { comeBackAt: number };

interface Slot {
  since: number;
  leg?: number;
}

/** A slot that nobody dials with comes back after this long: its call ended while it waited. */
const UNUSED_MS = 60_000;

/** How much of a second's grants may go out at once. */
const BURST = 1 / 20;

export class Gate {
  readonly #options: Required<GateOptions>;
  /** In the order they were granted, so the oldest comes first. */
  readonly #held = new Map<string, Slot>();
  readonly #queues = new Map<number, Map<string, () => void>>();
  /** Ranks that have a queue, the most urgent first. */
  #ranks: number[] = [];
  readonly #rankOf = new Map<string, number>();
  readonly #bucket: number;
  #tokens: number;
  #filledAt: number;
  #callOff: (() => void) | undefined;
  #stopped = false;

  constructor(options: GateOptions) {
    this.#options = { waiting: 50_000, heldMs: 3_600_000, ...options };
    this.#bucket = Math.max(1, options.capacity.callsPerSecond * BURST);
    this.#tokens = this.#bucket;
    this.#filledAt = options.clock.now();
  }

  /** Asks for a slot under a key. A key that holds one gives it up first; one that waits keeps its place in its rank. */
  ask(key: string, priority: number, grant: () => void): GateAnswer {
    const rank = rankOf(priority);
    if (this.#rankOf.get(key) === rank) {
      this.#queues.get(rank)!.set(key, grant);
      return 'waiting';
    }
    this.release(key);
    if (this.#rankOf.size === 0 && this.#hasRoom() && this.#hasToken()) {
      this.#take(key);
      return 'granted';
    }
    if (this.#rankOf.size >= this.#options.waiting) return { comeBackAt: this.#drainedAt() };
    this.#enqueue(key, rank, grant);
    this.#pump();
    return 'waiting';
  }

  /** The slot of this key is used by this leg. */
  dialled(key: string, leg: number): void {
    const slot = this.#held.get(key);
    if (slot) slot.leg = leg;
  }

  /** Gives back what the key holds or waits for. With a leg: only if the slot is that leg's (or nobody's yet). */
  release(key: string, leg?: number): void {
    const slot = this.#held.get(key);
    if (leg !== undefined && slot?.leg !== undefined && slot.leg !== leg) return;
    this.#withdraw(key);
    if (this.#held.delete(key)) this.#pump();
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff?.();
  }

  load(): { waiting: number; held: number } {
    return { waiting: this.#rankOf.size, held: this.#held.size };
  }

  /** Grants what can be granted, then sleeps until the next moment that may change something. */
  #pump(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    while (!this.#stopped && this.#rankOf.size > 0) {
      if (!this.#hasRoom()) return this.#wakeIn(Math.min(UNUSED_MS, this.#oldestEndsIn()));
      if (!this.#hasToken()) return this.#wakeIn(this.#nextTokenIn());
      this.#grantNext();
    }
  }

  #grantNext(): void {
    const queue = this.#queues.get(this.#ranks[0]!)!;
    const [key, grant] = queue.entries().next().value!;
    this.#withdraw(key);
    this.#take(key);
    grant();
  }

  #take(key: string): void {
    this.#tokens -= 1;
    this.#held.set(key, { since: this.#options.clock.now() });
  }

  #enqueue(key: string, rank: number, grant: () => void): void {
    const queue = this.#queues.get(rank) ?? new Map<string, () => void>();
    queue.set(key, grant);
    this.#rankOf.set(key, rank);
    if (queue.size > 1) return;
    this.#queues.set(rank, queue);
    this.#ranks = [...this.#queues.keys()].toSorted((one, other) => other - one);
  }

  #withdraw(key: string): void {
    const rank = this.#rankOf.get(key);
    if (rank === undefined) return;
    this.#rankOf.delete(key);
    const queue = this.#queues.get(rank)!;
    queue.delete(key);
    if (queue.size > 0) return;
    this.#queues.delete(rank);
    this.#ranks = this.#ranks.filter((other) => other !== rank);
  }

  #hasRoom(): boolean {
    if (this.#held.size < this.#options.capacity.legs) return true;
    const now = this.#options.clock.now();
    for (const [key, slot] of this.#held) {
      if (slot.since > now - UNUSED_MS) break;
      if (slot.leg === undefined || slot.since <= now - this.#options.heldMs) this.#held.delete(key);
    }
    return this.#held.size < this.#options.capacity.legs;
  }

  #hasToken(): boolean {
    const now = this.#options.clock.now();
    const earned = ((now - this.#filledAt) * this.#options.capacity.callsPerSecond) / 1000;
    this.#tokens = Math.min(this.#bucket, this.#tokens + Math.max(0, earned));
    this.#filledAt = now;
    return this.#tokens >= 1;
  }

  #nextTokenIn(): number {
    return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.#options.capacity.callsPerSecond));
  }

  #oldestEndsIn(): number {
    const oldest = this.#held.values().next().value;
    const since = oldest?.since ?? this.#options.clock.now();
    return Math.max(1, since + this.#options.heldMs - this.#options.clock.now());
  }

  #drainedAt(): number {
    const seconds = this.#rankOf.size / this.#options.capacity.callsPerSecond;
    return this.#options.clock.now() + Math.ceil(Math.max(1, seconds) * 1000);
  }

  #wakeIn(ms: number): void {
    this.#callOff = this.#options.clock.after(ms, () => this.#pump());
  }
}

/** -20 and -1 come before everything, in this order; then higher first (spec 4.2). */
const rankOf = (priority: number): number => {
  if (priority === -20) return Number.POSITIVE_INFINITY;
  return priority === -1 ? Number.MAX_VALUE : priority;
};
