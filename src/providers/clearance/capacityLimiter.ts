/**
 * Capacity: each trunk bears so many new legs a second and so many legs at a time. The rest waits in a queue where accounts
 * take turns and each account's turn goes by priority; a full trunk does not hold up who may go by another. When the queue
 * is full, the account with the most entries gives way.
 *
 * Everything here may be lost with the process: a call that waited too long asks again, and a slot whose end was never
 * reported is freed after a while.
 */
import type { Clock } from '../clearance.ts';
import { Pace } from './pace.ts';
import { type QueueEntry, FairPriorityQueue } from './fairPriorityQueue.ts';
import { TokenBucket } from './tokenBucket.ts';

export interface Capacity {
  callsPerSecond: number;
  legs: number;
}

export interface CapacityLimiterOptions {
  /** What a trunk bears; it may change at any time. */
  capacityOf(trunk: string): Capacity;
  clock: Clock;
  /** How many may wait, of all accounts; beyond that an account that has more gives way. Default 50,000. */
  waiting?: number;
  /** A slot of which it is not known how long its leg may last is given back after this long, milliseconds. Default 4.25 hours. */
  heldMs?: number;
}

export type Admission =
  | { granted: Slot }
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
  /** Trunks that may carry the leg, the best first: the first with capacity is taken. Default one trunk for all. */
  trunks?: readonly string[];
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
  readonly trunk: string;
  readonly since: number;
  leg?: number;
  /** Its leg is over so long after `since`, milliseconds; absent: as long as any may last. */
  longestMs?: number;
  readonly owner?: string;
}

interface Waiter extends QueueEntry {
  heard: Waiting;
  trunks: readonly string[];
}

/** What is known of a trunk. */
interface Usage {
  bucket: TokenBucket;
  held: number;
}

const ONE_TRUNK: readonly string[] = [''];

/** Capacity may change while calls wait: it is looked at again after this long. */
const CAPACITY_BELIEVED_MS = 2_000;

/** A slot that is not dialled with is free again after this long: its call ended while it waited. */
const UNUSED_MS = 60_000;

/** The longest that a call may last (`timelimit`), with its ringing and the carrier's net, milliseconds. */
const LONGEST_LEG_MS = 15_300_000;

/** The end of a leg is reported within this time. */
const REPORTED_MS = 60_000;

/** The longest delay that a refused call is given: after it the load may be quite different. */
const LONGEST_AWAY_MS = 3_600_000;

export class CapacityLimiter {
  readonly #options: Required<CapacityLimiterOptions>;
  /** In the order they were granted, so the oldest comes first. */
  readonly #held = new Map<string, Slot>();
  readonly #waiting = new FairPriorityQueue<Waiter>();
  /** What an owner's lanes may hold together, and what they do hold. */
  readonly #shares = new Map<string, NonNullable<Asker['share']>>();
  readonly #heldBy = new Map<string, number>();
  /** Trunks of the lanes that wait. */
  readonly #trunksOf = new Map<string, readonly string[]>();
  readonly #waitedFor = new Set<string>();
  readonly #usage = new Map<string, Usage>();
  readonly #pace = new Pace();
  #callOff: (() => void) | undefined;
  #stopped = false;

  constructor(options: CapacityLimiterOptions) {
    this.#options = { waiting: 50_000, heldMs: LONGEST_LEG_MS, ...options };
  }

  /** Asks for a slot under a key. A key that holds one gives it up first; one that waits keeps its place in its rank. */
  ask(key: string, asker: Asker, heard: Waiting): Admission {
    const seat = seatOf(key, asker, heard);
    const { account, lane, trunks } = seat;
    if (asker.share) this.#shares.set(lane, asker.share);
    else this.#shares.delete(lane);
    const kept = this.#waiting.find(seat);
    if (kept) {
      kept.heard = heard;
      return 'waiting';
    }
    this.release(key);
    const free = this.#waiting.size === 0 && this.#hasShare(lane) ? this.#firstFree(trunks) : undefined;
    if (free !== undefined) return { granted: this.#take(key, lane, free) };
    if (this.#waiting.size >= this.#options.waiting) {
      const displaced = this.#waiting.displace(seat);
      if (!displaced) return { comeBackAt: this.#servedAt(account, trunks) };
      displaced.heard.turnedAway(this.#servedAt(displaced.account, displaced.trunks));
    }
    this.#trunksOf.set(lane, trunks);
    for (const trunk of trunks) this.#waitedFor.add(trunk);
    this.#waiting.take(seat);
    this.#pump();
    return 'waiting';
  }

  /** Whether this is the slot that the key holds: it was not given back meanwhile. */
  holds(key: string, slot: Slot): boolean {
    return this.#held.get(key) === slot;
  }

  /** The slot of this key is used by this leg, which is over after `lastsMs` from now. */
  dialled(key: string, leg: number, lastsMs: number): void {
    const slot = this.#held.get(key);
    if (!slot) return;
    slot.leg = leg;
    slot.longestMs = this.#options.clock.now() - slot.since + lastsMs + REPORTED_MS;
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

  /** Legs that a trunk carries, or is to carry, at this moment. */
  heldOn(trunk: string): number {
    return this.#usage.get(trunk)?.held ?? 0;
  }

  /** What is done with a trunk now. */
  usageOf(trunk: string): { legs: number; perSecond: number; waits: boolean } {
    const perSecond = this.#usage.get(trunk)?.bucket.inLastSecond(this.#options.clock.now()) ?? 0;
    const waits = this.#waiting.size > 0 && this.#waitedFor.has(trunk);
    return { legs: this.heldOn(trunk), perSecond, waits };
  }

  /** A place on a trunk that is free now, without waiting; false: there is none. Given back as that of `ask`. */
  takePlace(key: string, leg: number, trunk: string, lastsMs: number): boolean {
    this.release(key);
    if (!this.#hasRoom(trunk)) return false;
    const now = this.#options.clock.now();
    this.#usageOf(trunk).bucket.takeAt(now);
    this.#hold(key, { trunk, leg, since: now, longestMs: lastsMs + REPORTED_MS });
    return true;
  }

  /** A leg of this key lives on a trunk, taken over from another process: it has a place, whatever the trunk bears. */
  adopt(key: string, leg: number, trunk: string): void {
    const slot = this.#held.get(key);
    if (slot) slot.leg = leg;
    else this.#hold(key, { trunk, leg, since: this.#options.clock.now() });
  }

  /** Grants what can be granted, then sleeps until the next moment that may change something. */
  #pump(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    while (!this.#stopped && this.#waiting.size > 0) {
      const next = this.#next();
      if (!next) return this.#wakeIn(this.#nextChangeIn());
      this.#pace.granted(this.#options.clock.now());
      next.waiter.heard.granted(this.#take(next.waiter.key, next.waiter.lane, next.trunk));
    }
    if (this.#waiting.size > 0) return;
    this.#shares.clear();
    this.#trunksOf.clear();
    this.#waitedFor.clear();
    this.#pace.forget();
  }

  /** The next whose lane has its share, and a trunk that is free. */
  #next(): { waiter: Waiter; trunk: string } | undefined {
    const free = new Set([...this.#waitedFor].filter((trunk) => this.#isFree(trunk)));
    if (free.size === 0) return undefined;
    const freeFor = (lane: string): string | undefined =>
      this.#trunksOf.get(lane)!.find((trunk) => free.has(trunk));
    const waiter = this.#waiting.next((lane) => freeFor(lane) !== undefined && this.#hasShare(lane));
    return waiter && { waiter, trunk: freeFor(waiter.lane)! };
  }

  /** Until a trunk may have a token again, or its capacity another value; what is held too long is freed by itself. */
  #nextChangeIn(): number {
    const tokens = [...this.#waitedFor]
      .filter((trunk) => this.#hasRoom(trunk))
      .map((trunk) => this.#usageOf(trunk).bucket.nextIn());
    return Math.min(CAPACITY_BELIEVED_MS, this.#oldestEndsIn(), ...tokens.filter((ms) => ms > 0));
  }

  #take(key: string, lane: string, trunk: string): Slot {
    const owner = this.#shares.get(lane)?.owner;
    const slot: Slot = {
      trunk,
      since: this.#options.clock.now(),
      ...(owner !== undefined && { owner }),
    };
    this.#usageOf(trunk).bucket.take();
    this.#hold(key, slot);
    if (owner !== undefined) this.#heldBy.set(owner, (this.#heldBy.get(owner) ?? 0) + 1);
    return slot;
  }

  #hold(key: string, slot: Slot): void {
    this.#usageOf(slot.trunk).held += 1;
    this.#held.set(key, slot);
  }

  #giveBack(key: string): boolean {
    const slot = this.#held.get(key);
    if (!slot) return false;
    this.#held.delete(key);
    this.#usageOf(slot.trunk).held -= 1;
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

  #firstFree(trunks: readonly string[]): string | undefined {
    return trunks.find((trunk) => this.#isFree(trunk));
  }

  #isFree(trunk: string): boolean {
    return this.#hasRoom(trunk) && this.#hasToken(trunk);
  }

  #hasRoom(trunk: string): boolean {
    const { legs } = this.#options.capacityOf(trunk);
    if (this.heldOn(trunk) < legs) return true;
    this.#forgetStale();
    return this.heldOn(trunk) < legs;
  }

  #hasToken(trunk: string): boolean {
    const { callsPerSecond } = this.#options.capacityOf(trunk);
    return this.#usageOf(trunk).bucket.has(this.#options.clock.now(), callsPerSecond);
  }

  #usageOf(trunk: string): Usage {
    const known = this.#usage.get(trunk);
    if (known) return known;
    const { callsPerSecond } = this.#options.capacityOf(trunk);
    const usage = { bucket: new TokenBucket(this.#options.clock.now(), callsPerSecond), held: 0 };
    this.#usage.set(trunk, usage);
    return usage;
  }

  /** Frees slots that were not dialled with in time, and those held longer than any call lasts. */
  #forgetStale(): void {
    const now = this.#options.clock.now();
    for (const [key, slot] of this.#held) {
      if (slot.since > now - UNUSED_MS) break;
      if (slot.leg === undefined || slot.since <= now - this.#longestOf(slot)) this.#giveBack(key);
    }
  }

  #oldestEndsIn(): number {
    const { clock, heldMs } = this.#options;
    const oldest = this.#held.values().next().value;
    if (!oldest) return heldMs;
    return Math.max(1, oldest.since + this.#longestOf(oldest) - clock.now());
  }

  #longestOf({ longestMs }: Slot): number {
    return longestMs ?? this.#options.heldMs;
  }

  /**
   * About when an account's seats have had their turn, at the pace of the last half minute, if every account that waits is
   * served as often as it is.
   */
  #servedAt(account: string, trunks: readonly string[]): number {
    const now = this.#options.clock.now();
    const turns = Math.min(this.#waiting.size, this.#waiting.sizeOf(account) * this.#waiting.accounts);
    const most = trunks.reduce((sum, trunk) => sum + this.#options.capacityOf(trunk).callsPerSecond, 0);
    const ms = (turns * 1000) / Math.min(most, this.#pace.perSecond(now) ?? most);
    // A rate of zero makes it infinite, or no number at all.
    const bounded = Number.isNaN(ms) ? LONGEST_AWAY_MS : Math.min(LONGEST_AWAY_MS, Math.max(1000, ms));
    return now + Math.ceil(bounded);
  }

  #wakeIn(ms: number): void {
    this.#callOff = this.#options.clock.after(ms, () => this.#pump());
  }
}

/** A lane's entries may go by the same trunks: who may go by others is another lane. */
const seatOf = (
  key: string,
  { account = '', priority = 0, lane = '', trunks = ONE_TRUNK }: Asker,
  heard: Waiting,
): Waiter => ({
  ...{ key, account, lane, trunks, heard },
  ...{ rank: rankOf(priority), urgent: isUrgent(priority) },
});

/** Calls of these priorities do not stand in the queue with the others (spec 4.2). */
const isUrgent = (priority: number): boolean => priority === -20 || priority === -1;

/** -20 and -1 come before everything, in this order; then higher first (spec 4.2). */
const rankOf = (priority: number): number => {
  if (priority === -20) return Number.POSITIVE_INFINITY;
  return priority === -1 ? Number.MAX_VALUE : priority;
};
