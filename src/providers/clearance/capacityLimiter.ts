/**
 * Capacity: so many new legs a second, so many legs at a time, and a waiting room for the rest, where accounts take
 * turns and each account's turn goes by priority. When the room is full, the account with the most seats gives way.
 *
 * Everything here may be lost with the process: a call that waited too long asks again, and a slot whose end was never
 * reported is freed after a while.
 */
import type { Clock } from '../clearance.ts';
import { Pace } from './pace.ts';
import { type QueueEntry, FairPriorityQueue } from './fairPriorityQueue.ts';

export interface Capacity {
  callsPerSecond: number;
  legs: number;
}

export interface CapacityLimiterOptions {
  capacity: Capacity;
  clock: Clock;
  /** How many may wait, of all accounts; beyond that an account that has more gives way. Default 50,000. */
  waiting?: number;
  /** A slot is given back after this long at the latest, milliseconds. Default one hour. */
  heldMs?: number;
}

export type Admission =
  | 'granted'
  /** One of the listener's functions will be called. */
  | 'waiting'
  /** The room is full; come back at this moment (epoch milliseconds), when the account's own seats have had their turn. */
  | { comeBackAt: number };

/** Who asks. */
export interface Asker {
  /** Accounts take turns. Default one account for all. */
  account?: string;
  /** spec 4.2 `priority`: which of the account's goes first. Default 0. */
  priority?: number;
  /** Askers of one lane are served in their order, lanes of the same priority by turns. Default one lane for all. */
  lane?: string;
  /** Most slots of the lane's owner at a time; lanes with the same owner count together. */
  share?: { owner: string; slots: number };
}

/** Hears what becomes of a question that waits. */
export interface Waiting {
  /** The slot is the key's, as long as `holds` says so. */
  granted(slot: Slot): void;
  /** Its seat went to an account that has fewer; come back at this moment (epoch milliseconds). */
  turnedAway(comeBackAt: number): void;
}

/** What a key holds. */
export interface Slot {
  readonly since: number;
  leg?: number;
  readonly owner?: string;
}

interface Waiter extends QueueEntry {
  heard: Waiting;
}

/** A slot that is not dialled with is free again after this long: its call ended while it waited. */
const UNUSED_MS = 60_000;

/** The longest delay that a refused call is given: after it the load may be quite different. */
const LONGEST_AWAY_MS = 3_600_000;

/** How much of a second's grants may go out at once. */
const BURST = 1 / 20;

export class CapacityLimiter {
  readonly #options: Required<CapacityLimiterOptions>;
  /** In the order they were granted, so the oldest comes first. */
  readonly #held = new Map<string, Slot>();
  readonly #waiting = new FairPriorityQueue<Waiter>();
  /** What an owner's lanes may hold together, and what they do hold. */
  readonly #shares = new Map<string, NonNullable<Asker['share']>>();
  readonly #heldBy = new Map<string, number>();
  readonly #pace = new Pace();
  readonly #bucket: number;
  #tokens: number;
  #filledAt: number;
  #callOff: (() => void) | undefined;
  #stopped = false;

  constructor(options: CapacityLimiterOptions) {
    this.#options = { waiting: 50_000, heldMs: 3_600_000, ...options };
    this.#bucket = Math.max(1, options.capacity.callsPerSecond * BURST);
    this.#tokens = this.#bucket;
    this.#filledAt = options.clock.now();
  }

  /** Asks for a slot under a key. A key that holds one gives it up first; one that waits keeps its place in its rank. */
  ask(key: string, { account = '', priority = 0, lane = '', share }: Asker, heard: Waiting): Admission {
    const seat: Waiter = { key, account, lane, rank: rankOf(priority), urgent: isUrgent(priority), heard };
    if (share) this.#shares.set(lane, share);
    else this.#shares.delete(lane);
    const kept = this.#waiting.find(seat);
    if (kept) {
      kept.heard = heard;
      return 'waiting';
    }
    this.release(key);
    if (this.#waiting.size === 0 && this.#hasRoom() && this.#hasShare(lane) && this.#hasToken()) {
      this.#take(key, lane);
      return 'granted';
    }
    if (this.#waiting.size >= this.#options.waiting) {
      const displaced = this.#waiting.displace(seat);
      if (!displaced) return { comeBackAt: this.#servedAt(account) };
      displaced.heard.turnedAway(this.#servedAt(displaced.account));
    }
    this.#waiting.take(seat);
    this.#pump();
    return 'waiting';
  }

  /** Whether this is the slot that the key holds: it was not given back meanwhile. */
  holds(key: string, slot: Slot): boolean {
    return this.#held.get(key) === slot;
  }

  /** The slot of this key is used by this leg. */
  dialled(key: string, leg: number): void {
    const slot = this.#held.get(key);
    if (slot) slot.leg = leg;
  }

  /** Gives back what the key holds or waits for. With a leg: only if the slot is that leg's, or no leg's yet. */
  release(key: string, leg?: number): void {
    const slot = this.#held.get(key);
    if (leg !== undefined && slot?.leg !== undefined && slot.leg !== leg) return;
    this.#waiting.leave(key);
    if (this.#giveBack(key)) this.#pump();
  }

  stop(): void {
    this.#stopped = true;
    this.#callOff?.();
  }

  load(): { waiting: number; held: number } {
    return { waiting: this.#waiting.size, held: this.#held.size };
  }

  /** Grants what can be granted, then sleeps until the next moment that may change something. */
  #pump(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    while (!this.#stopped && this.#waiting.size > 0) {
      if (!this.#hasRoom()) return this.#wakeIn(Math.min(UNUSED_MS, this.#oldestEndsIn()));
      if (!this.#hasToken()) return this.#wakeIn(this.#nextTokenIn());
      const next = this.#waiting.next((lane) => this.#hasShare(lane));
      // Every account that waits has its share; what is held too long is freed by itself.
      if (!next) return this.#wakeIn(Math.min(UNUSED_MS, this.#oldestEndsIn()));
      this.#pace.granted(this.#options.clock.now());
      next.heard.granted(this.#take(next.key, next.lane));
    }
    if (this.#waiting.size > 0) return;
    this.#shares.clear();
    this.#pace.forget();
  }

  #take(key: string, lane: string): Slot {
    const owner = this.#shares.get(lane)?.owner;
    const slot: Slot = { since: this.#options.clock.now(), ...(owner !== undefined && { owner }) };
    this.#tokens -= 1;
    this.#held.set(key, slot);
    if (owner !== undefined) this.#heldBy.set(owner, (this.#heldBy.get(owner) ?? 0) + 1);
    return slot;
  }

  #giveBack(key: string): boolean {
    const slot = this.#held.get(key);
    if (!slot) return false;
    this.#held.delete(key);
    if (slot.owner !== undefined) this.#leaveShare(slot.owner);
    return true;
  }

  #leaveShare(owner: string): void {
    const held = this.#heldBy.get(owner)! - 1;
    if (held > 0) this.#heldBy.set(owner, held);
    else this.#heldBy.delete(owner);
  }

  #hasShare(lane: string): boolean {
    const share = this.#shares.get(lane);
    if (!share || (this.#heldBy.get(share.owner) ?? 0) < share.slots) return true;
    this.#forgetStale();
    return (this.#heldBy.get(share.owner) ?? 0) < share.slots;
  }

  #hasRoom(): boolean {
    if (this.#held.size < this.#options.capacity.legs) return true;
    this.#forgetStale();
    return this.#held.size < this.#options.capacity.legs;
  }

  /** Frees slots that were not dialled with in time, and those held longer than any call lasts. */
  #forgetStale(): void {
    const now = this.#options.clock.now();
    for (const [key, slot] of this.#held) {
      if (slot.since > now - UNUSED_MS) break;
      if (slot.leg === undefined || slot.since <= now - this.#options.heldMs) this.#giveBack(key);
    }
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

  /**
   * About when an account's seats have had their turn, at the pace of the last half minute, if every account that waits is
   * served as often as it is.
   */
  #servedAt(account: string): number {
    const now = this.#options.clock.now();
    const turns = Math.min(this.#waiting.size, this.#waiting.sizeOf(account) * this.#waiting.accounts);
    const most = this.#options.capacity.callsPerSecond;
    const ms = (turns * 1000) / Math.min(most, this.#pace.perSecond(now) ?? most);
    return now + Math.ceil(Math.min(LONGEST_AWAY_MS, Math.max(1000, ms)));
  }

  #wakeIn(ms: number): void {
    this.#callOff = this.#options.clock.after(ms, () => this.#pump());
  }
}

/** Calls of these priorities do not stand in the queue with the others (spec 4.2). */
const isUrgent = (priority: number): boolean => priority === -20 || priority === -1;

/** -20 and -1 come before everything, in this order; then higher first (spec 4.2). */
const rankOf = (priority: number): number => {
  if (priority === -20) return Number.POSITIVE_INFINITY;
  return priority === -1 ? Number.MAX_VALUE : priority;
};
