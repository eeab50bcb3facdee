/**
 * Capacity: each trunk bears so many new legs a second and so many legs at a time. The rest waits in a queue where accounts
 * take turns and each account's turn goes by priority; a full trunk does not hold up who may go by another. When the queue
 * is full, the account with the most entries gives way.
 *
 * Everything here may be lost with the process: a call that waited too long asks again, and a slot whose end was never
 * reported is freed after a while.
 */
import type { ClockWithTimers } from '../contracts/dialClearance.ts';
import { type FairQueueEntry, FairPriorityQueue } from './fairPriorityQueue.ts';
import { HeldSlots, LEG_END_REPORT_DEADLINE_MS, type Slot } from './heldSlots.ts';
import { Pace } from './pace.ts';
import { TokenBucket } from './tokenBucket.ts';

export interface TrunkCapacity {
  callsPerSecond: number;
  legs: number;
}

export interface CapacityLimiterOptions {
  /** What a trunk bears; it may change at any time. */
  capacityOf(trunk: string): TrunkCapacity;
  clock: ClockWithTimers;
  /** How many may wait, of all accounts; beyond that an account that has more gives way. Default 50,000. */
  waiting?: number;
  /** A slot of which it is not known how long its leg may last is given back after this long, milliseconds. */
  heldMs?: number;
}

export type CapacityDecision =
  | { granted: Slot }
  /** One of the listener's functions will be called. */
  | 'waiting'
  /** The room is full; come back at this moment (epoch milliseconds), when the account's own seats have had their turn. */
  | { comeBackAt: number };

/** Who asks. */
export interface CapacityRequest {
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
export interface SlotWaitListener {
  /** The slot is the key's, as long as `holds` says so. */
  granted(slot: Slot): void;
  /** Its seat went to an account that has fewer; come back at this moment (epoch milliseconds). */
  turnedAway(comeBackAt: number): void;
}

interface Waiter extends FairQueueEntry {
  heard: SlotWaitListener;
  trunks: readonly string[];
}

const ONE_TRUNK: readonly string[] = [''];

/** Capacity may change while calls wait: it is looked at again after this long. */
const CAPACITY_BELIEVED_MS = 2_000;

/** The longest delay that a refused call is given: after it the load may be quite different. */
const LONGEST_AWAY_MS = 3_600_000;

export class CapacityLimiter {
  readonly #options: CapacityLimiterOptions & { waiting: number };
  readonly #held: HeldSlots;
  readonly #waiting = new FairPriorityQueue<Waiter>();
  /** What an owner's lanes may hold together. */
  readonly #shares = new Map<string, NonNullable<CapacityRequest['share']>>();
  /** Trunks of the lanes that wait. */
  readonly #trunksOf = new Map<string, readonly string[]>();
  readonly #waitedFor = new Set<string>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #pace = new Pace();
  #callOff: (() => void) | undefined;
  #stopped = false;

  constructor(options: CapacityLimiterOptions) {
    this.#options = { waiting: 50_000, ...options };
    this.#held = new HeldSlots(() => options.clock.now(), options.heldMs);
  }

  /** Asks for a slot under a key. A key that holds one gives it up first; one that waits keeps its place in its rank. */
  ask(key: string, asker: CapacityRequest, heard: SlotWaitListener): CapacityDecision {
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
    return this.#held.find(key) === slot;
  }

  /** The slot of this key is used by this leg, which is over after `lastsMs` from now. */
  dialled(key: string, leg: number, lastsMs: number): void {
    const slot = this.#held.find(key);
    if (!slot) return;
    slot.leg = leg;
    slot.longestMs = this.#options.clock.now() - slot.since + lastsMs + LEG_END_REPORT_DEADLINE_MS;
  }

  /** Gives back what the key holds or waits for. With a leg: only if the slot is that leg's, or no leg's yet. */
  release(key: string, leg?: number): void {
    const slot = this.#held.find(key);
    if (leg !== undefined && slot?.leg !== undefined && slot.leg !== leg) return;
    this.#waiting.leave(key);
    if (this.#held.giveBack(key)) this.#pump();
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
    return this.#held.on(trunk);
  }

  /** What is done with a trunk now. */
  usageOf(trunk: string): { legs: number; perSecond: number; waits: boolean } {
    const perSecond = this.#buckets.get(trunk)?.inLastSecond(this.#options.clock.now()) ?? 0;
    const waits = this.#waiting.size > 0 && this.#waitedFor.has(trunk);
    return { legs: this.heldOn(trunk), perSecond, waits };
  }

  /** A place on a trunk that is free now, without waiting; false: there is none. Given back as that of `ask`. */
  takePlace(key: string, leg: number, trunk: string, lastsMs: number): boolean {
    this.release(key);
    if (!this.#hasRoom(trunk)) return false;
    const now = this.#options.clock.now();
    this.#bucketOf(trunk).takeAt(now);
    this.#held.hold(key, { trunk, leg, since: now, longestMs: lastsMs + LEG_END_REPORT_DEADLINE_MS });
    return true;
  }

  /** A leg of this key lives on a trunk, taken over from another process: it has a place, whatever the trunk bears. */
  adopt(key: string, leg: number, trunk: string): void {
    const slot = this.#held.find(key);
    if (slot) slot.leg = leg;
    else this.#held.hold(key, { trunk, leg, since: this.#options.clock.now() });
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
      .map((trunk) => this.#bucketOf(trunk).nextIn());
    return Math.min(CAPACITY_BELIEVED_MS, this.#held.oldestEndsIn(), ...tokens.filter((ms) => ms > 0));
  }

  #take(key: string, lane: string, trunk: string): Slot {
    const owner = this.#shares.get(lane)?.owner;
    const slot: Slot = {
      trunk,
      since: this.#options.clock.now(),
      ...(owner !== undefined && { owner }),
    };
    this.#bucketOf(trunk).take();
    this.#held.hold(key, slot);
    return slot;
  }

  #hasShare(lane: string): boolean {
    const share = this.#shares.get(lane);
    if (!share || this.#held.of(share.owner) < share.slots) return true;
    this.#held.forgetStale();
    return this.#held.of(share.owner) < share.slots;
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
    this.#held.forgetStale();
    return this.heldOn(trunk) < legs;
  }

  #hasToken(trunk: string): boolean {
    const { callsPerSecond } = this.#options.capacityOf(trunk);
    return this.#bucketOf(trunk).has(this.#options.clock.now(), callsPerSecond);
  }

  #bucketOf(trunk: string): TokenBucket {
    const known = this.#buckets.get(trunk);
    if (known) return known;
    const { callsPerSecond } = this.#options.capacityOf(trunk);
    const bucket = new TokenBucket(this.#options.clock.now(), callsPerSecond);
    this.#buckets.set(trunk, bucket);
    return bucket;
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
  { account = '', priority = 0, lane = '', trunks = ONE_TRUNK }: CapacityRequest,
  heard: SlotWaitListener,
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
