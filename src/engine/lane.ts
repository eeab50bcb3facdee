/**
 * One writer of a shard. It takes what is waiting whenever its connection is free and writes it with one statement:
 * no timer, and batches grow by themselves under load. A machine always goes through the same lane.
 *
 * When a batch has landed, the turn passes before the next is cut: what the landed steps cause joins it. Else a lane
 * would write its machines in two halves, and each would wait for the other's statement as well.
 *
 * Facts (events, timers, confirmations) are always admitted and written first; starts take at most a fifth of a batch.
 * Machines of patient kinds come last, when there is time (`patients.ts`).
 */
import { Draft } from './draft.ts';
import { sizeOf, writesOf, type Birth, type Item } from './item.ts';
import type { LaneScope } from './laneScope.ts';
import { Patients } from './patients.ts';
import { ReadBack } from './readBack.ts';
import type { Resident } from './resident.ts';
import type { Clock } from './ports.ts';
import { BadBatch, type Write } from './store.ts';
import { takeMail } from './taking.ts';
import { Unavailable } from './verbs.ts';

/** Most steps in a statement, and most machines in it that may be starts. */
const BATCH = 750;
const BATCH_STARTS = BATCH / 5;
/** Most mail that one write folds together. */
const FOLD = 64;
/** Starts that may wait; more are refused early. */
const STARTS_WAITING = 2_000;
/** A process that is at work for this part of its time has none for patient machines. */
const BUSY = 0.8;
/** How long it is until somebody looks again whether there is time, milliseconds. */
const PAUSE_MS = 20;

export class Lane {
  readonly #scope: LaneScope;
  readonly #readBack: ReadBack;
  #ready: Resident[] = [];
  readonly #patients = new Patients();
  #births: Birth[] = [];
  #busy = false;
  #stopped = false;
  #closing = false;
  #sentAt = Infinity;
  /** Only patient machines wait, and it is not their time yet. */
  #pause: (() => void) | null = null;

  constructor(scope: LaneScope) {
    this.#scope = scope;
    this.#readBack = new ReadBack(scope, {
      landed: (item, sentAt) => this.#landed(item, sentAt),
      again: (item) => this.#again(item),
    });
  }

  /** Machines and starts that wait for their turn. */
  get waiting(): number {
    return this.#ready.length + this.#patients.size + this.#births.length;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** When the commit that is under way was sent, monotonic; `Infinity`: none is. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /** Queues a resident that has mail and is neither being read nor written. */
  queue(resident: Resident): void {
    if (resident.givesWay) this.#putOff(resident);
    else {
      resident.phase = 'ready';
      this.#ready.push(resident);
      this.#kick();
    }
  }

  #putOff(resident: Resident): void {
    if (this.#closing) return;
    this.#patients.add(resident, this.#scope.clock.monotonic());
    if (!this.#pause) this.#kick();
  }

  /** Patient machines get no more turns: what they wait for stands in their rows. */
  close(): void {
    this.#closing = true;
    this.#patients.clear();
  }

  /** Queues a start. Throws `Unavailable` when too many wait. */
  start(birth: Birth): void {
    if (this.#births.length >= STARTS_WAITING) throw new Unavailable('too many starts are waiting', 2);
    this.#births.push(birth);
    this.#kick();
  }

  /** Ends without a word, as a crash would. */
  abandon(): void {
    this.#stopped = true;
    this.#pause?.();
    this.#readBack.abandon();
    this.#ready = [];
    this.#patients.clear();
    this.#births = [];
  }

  #kick(): void {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    this.#pause?.();
    this.#pause = null;
    this.#scope.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.waiting > 0 && !this.#stopped) {
      if (this.#yields) {
        this.#wait();
        return;
      }
      await this.#turn();
    }
    this.#busy = false;
    if (this.waiting > 0) this.#kick();
  }

  async #turn(): Promise<void> {
    const items = this.#form();
    if (items.length > 0) await this.#write(items);
    this.#sentAt = Infinity;
    await new Promise<void>((resolve) => this.#scope.clock.soon(resolve));
  }

  /** Whether nothing but patient machines waits, and there is no time for them. */
  get #yields(): boolean {
    const { clock } = this.#scope;
    return (
      this.#ready.length + this.#births.length === 0 &&
      !this.#patients.isDue(clock.monotonic(), isBusy(clock))
    );
  }

  /** They go with the next that come, or by themselves a little later. */
  #wait(): void {
    this.#busy = false;
    this.#pause = this.#scope.clock.after(PAUSE_MS, () => {
      this.#pause = null;
      this.#kick();
    });
  }

  // ------------------------------------------------------------ forming a batch

  #form(): Item[] {
    const at = this.#scope.now();
    const items: Item[] = [];
    const claimed = new Set<string | number>();
    let size = 0;
    const admit = (item: Item | null): void => {
      if (!item) return;
      if (!isFree(item, claimed)) this.#again(item);
      else {
        items.push(item);
        size += sizeOf(item);
      }
    };
    // What is queued again meanwhile waits for the next batch.
    const ready = this.#ready.splice(0);
    let taken = 0;
    while (taken < ready.length && size < BATCH) admit(this.#step(ready[taken++]!, at));
    if (taken < ready.length) this.#ready = [...ready.slice(taken), ...this.#ready];
    for (const resident of this.#patientOnes(BATCH - size)) admit(this.#step(resident, at));
    const births = this.#births.splice(0, Math.min(BATCH_STARTS, Math.max(0, BATCH - size)));
    for (const birth of births) admit(this.#bear(birth, at));
    return items;
  }

  #patientOnes(room: number): Resident[] {
    if (this.#patients.size === 0) return [];
    const { clock } = this.#scope;
    return this.#patients.take(clock.monotonic(), isBusy(clock), room);
  }

  #step(resident: Resident, at: number): Item | null {
    resident.phase = 'writing';
    const mails = resident.takeMail(FOLD);
    const draft = Draft.next(resident.committed!, at, this.#scope.drafts, resident.settled);
    for (const mail of mails) takeMail(draft, mail);
    if (!draft.idle) return { draft, mails, resident, birth: null };
    for (const mail of mails)
      if (mail.what === 'event') mail.done?.resolve({ outcome: 'stepped', state: draft.state });
      else if (mail.what === 'begin') mail.done?.(false);
    if (resident.mailbox.length > 0) this.queue(resident);
    else this.#scope.told.rested(resident);
    return null;
  }

  #bear(birth: Birth, at: number): Item | null {
    const { chart, account, id, input, claims, bookings, caller } = birth;
    if (caller.gone) return null;
    try {
      const draft = Draft.birth({ chart, account, id, input, at }, this.#scope.drafts);
      for (const claim of claims) draft.claim(claim.key, at + claim.forMs, claim.answer ?? null);
      draft.book(bookings);
      return { draft, mails: [], resident: null, birth };
    } catch (error) {
      caller.reject(error);
      return null;
    }
  }

  /** Its turn comes once more: a machine with its mail where it was, a start before the others. */
  #again({ birth, resident, mails }: Item): void {
    if (birth) this.#births.unshift(birth);
    else {
      resident!.mailbox.unshift(...mails);
      this.queue(resident!);
    }
  }

  // ------------------------------------------------------------ writing it

  async #write(items: Item[]): Promise<void> {
    const { clock, metrics, log } = this.#scope;
    const sentAt = clock.monotonic();
    this.#sentAt = sentAt;
    try {
      const { count, written } = this.#send(items);
      const landed = await written;
      if (this.#stopped) return;
      metrics.committed(count, clock.monotonic() - sentAt);
      if (landed === count) for (const item of items) this.#landed(item, sentAt);
      else await this.#readBack.find(items, sentAt, true);
    } catch (error) {
      if (this.#stopped) return;
      if (error instanceof BadBatch) await this.#halve(items, error);
      else {
        log.warn({ err: error, machines: items.length }, 'commit without an answer: reading back');
        await this.#readBack.find(items, sentAt, false);
      }
    }
  }

  /**
   * Sends a batch: how many machines are in it, and how many were written. What is written is let go with the
   * statement: a collection of garbage while it is under way has so much less to move.
   */
  #send(items: Item[]): { count: number; written: Promise<number> } {
    const { store, index } = this.#scope;
    const writes = goodWritesOf(items);
    return { count: writes.length, written: store.commit(index, writes, this.#scope.now()) };
  }

  #landed({ draft, resident, mails, birth }: Item, sentAt: number): void {
    if (resident && resident.doubtful.length > 0) resident.doubtful = [];
    this.#scope.told.landed(draft, resident, mails, sentAt);
    const { shard } = this.#scope;
    birth?.caller.resolve({ outcome: 'started', ref: { shard, account: draft.account, id: draft.id } });
  }

  /** Some data is at fault. Halves are written by themselves until the culprit is alone. */
  async #halve(items: Item[], error: unknown): Promise<void> {
    if (items.length > 1) {
      const middle = Math.ceil(items.length / 2);
      await this.#write(items.slice(0, middle));
      await this.#write(items.slice(middle));
      return;
    }
    const item = items[0]!;
    if (await this.#readBack.lostClaim(item)) return;
    if (item.birth) item.birth.caller.reject(error);
    else this.#scope.told.poisoned(item.resident!, item.mails, error);
  }
}

/** What a record says is the chart's, and may be impossible. Throws `BadBatch`. */
const goodWritesOf = (items: readonly Item[]): Write[] => {
  try {
    return writesOf(items);
  } catch (error) {
    throw new BadBatch(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const isBusy = (clock: Clock): boolean => clock.load() >= BUSY;

/**
 * A key, and an id, is written by one machine a statement; the next one waits its turn and will find it taken. A machine
 * that is here can be born a second time: when the step that bore it was written, and nobody heard of that so far.
 */
const isFree = ({ draft }: Item, claimed: Set<string | number>): boolean => {
  for (const machine of [draft, ...draft.births]) if (isTaken(machine, claimed)) return false;
  for (const machine of [draft, ...draft.births]) take(machine, claimed);
  return true;
};

const isTaken = ({ id, account, claimants }: Draft, claimed: ReadonlySet<string | number>): boolean => {
  if (claimed.has(id)) return true;
  for (const key of claimants.keys()) if (claimed.has(`${account} ${key}`)) return true;
  return false;
};

const take = ({ id, account, claimants }: Draft, claimed: Set<string | number>): void => {
  claimed.add(id);
  for (const key of claimants.keys()) claimed.add(`${account} ${key}`);
};
