/**
 * One of the shard's writers. Whenever its connection is free it takes what waits and writes it with one statement.
 * There is no timer: batches grow by themselves under load. A machine always goes through the same writer.
 *
 * When a batch has landed, the event loop turns before the next one is cut, so that mail which the landed steps caused
 * joins it. Else the machines would go in two halves, each waiting for the other's statement.
 *
 * Facts (events, timers, confirmations) are always admitted and written first; starts take at most a fifth of a batch, and
 * a twentieth also where facts would fill it: else a crowd of one customer's timers would keep all others from starting.
 * Machines of low-priority kinds come last, when there is time (`writer/lowPriorityQueue.ts`). What the database
 * refuses waits apart, and is tried alone (`holdAndRetryRefusedWrites.ts`).
 */
import { GroupCommit } from './groupCommit.ts';
import { UncommittedMachineStep } from '../step/stepTransaction.ts';
import { batchItemStepCount, type PendingMachineStart, type CommitBatchItem } from './batchItem.ts';
import type { ShardWriterDeps } from './writerDeps.ts';
import { LowPriorityQueue } from './lowPriorityQueue.ts';
import type { Clock } from '../contract/ports.ts';
import { RefusedWriteRetryQueue } from './holdAndRetryRefusedWrites.ts';
import { MAX_MAIL_PER_WRITE, type CachedMachine } from './cachedMachine.ts';
import { applyMailToStep } from '../step/applyMailToStep.ts';
import { Unavailable } from '../contract/api.ts';
import { isEffectOrder } from '../contract/machineMail.ts';

/** The part of a statement that may be starts. */
const STARTS = 1 / 5;
/** The part of a statement that starts have for themselves: one at least, also when statements grew small. */
const STARTS_AT_LEAST = 1 / 20;
/** Machines that go by themselves between two batches, at most. */
const ALONE = 16;
/** Starts that may wait; more are refused early. */
const STARTS_WAITING = 2_000;
/** A process that is at work for this part of its time has none for low-priority machines. */
const BUSY = 0.8;
/** The pause before it is checked again whether there is time, milliseconds. */
const PAUSE_MS = 20;
/** A lane that wrote nothing for so long, though something is due, is a problem that readiness shows, milliseconds. */
const STALLED_MS = 5_000;
/** While nothing can be written for longer than this, requests are refused at once, milliseconds. */
const REFUSING_MS = 1_000;

export class ShardWriter {
  readonly #scope: ShardWriterDeps;
  readonly #writer: GroupCommit;
  readonly #quarantine: RefusedWriteRetryQueue;
  #ready: CachedMachine[] = [];
  /** Machines that were refused with several pieces of mail: each goes by itself, with less. */
  #alone: CachedMachine[] = [];
  readonly #lowPriority = new LowPriorityQueue();
  #starts: PendingMachineStart[] = [];
  #busy = false;
  #stopped = false;
  #closing = false;
  /** Since when something is under way, monotonic. */
  #busySince = -Infinity;
  /** When a machine that was refused is tried again. */
  #cancelTry: () => void = () => {};
  /** Only low-priority machines wait, and it is not their time yet. */
  #pause: (() => void) | null = null;

  constructor(scope: ShardWriterDeps) {
    this.#scope = scope;
    this.#quarantine = new RefusedWriteRetryQueue(scope, {
      release: (cached) => {
        cached.phase = 'idle';
        if (!this.#stopped) this.queue(cached);
      },
      sooner: () => {
        if (!this.#busy) this.#planTry();
      },
    });
    this.#writer = new GroupCommit(scope, this.#quarantine, {
      landed: (item, sentAt) => this.#landed(item, sentAt),
      again: (item) => this.#again(item),
    });
  }

  /** Machines and starts that wait for their turn. */
  get waiting(): number {
    return this.#ready.length + this.#alone.length + this.#lowPriority.size + this.#starts.length;
  }

  /** Machines that wait for their turn, but for those of low priority. */
  get ready(): number {
    return this.#ready.length + this.#alone.length;
  }

  /** Machines of low-priority kinds that wait until there is time. */
  get lowPriority(): number {
    return this.#lowPriority.size;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Whether a machine whose write was refused has yet to be told what stands in memory only. */
  get holdsUrgentMail(): boolean {
    return this.#quarantine.holdsUrgentMail;
  }

  /** Steps of which it is not known whether they were written. */
  get underWay(): CommitBatchItem[] {
    return this.#writer.underWay;
  }

  /** When the commit that is under way was sent, monotonic; `Infinity`: none is. */
  get sentAt(): number {
    return this.#writer.sentAt;
  }

  /** Whether what is asked of it now would wait for the database to come back. */
  get isRefusing(): boolean {
    return this.#writer.failsFor > REFUSING_MS;
  }

  /** How long ago it wrote a batch, milliseconds. */
  get writtenAgo(): number {
    return this.#scope.clock.monotonic() - this.#writer.writtenAt;
  }

  /** What keeps it from writing, as the end of "the shard …"; undefined: nothing does. */
  get problem(): string | undefined {
    const since = Math.max(this.#busySince, this.#writer.writtenAt);
    const stalledMs = this.#busy ? this.#scope.clock.monotonic() - since : 0;
    if (stalledMs > STALLED_MS)
      return `has written nothing for ${Math.round(stalledMs / 1_000)} s, though something is due`;
    return this.#quarantine.problem;
  }

  /** Queues a cached machine that has mail and is neither being read nor written. */
  queue(cached: CachedMachine): void {
    if (cached.eventsPerStep < MAX_MAIL_PER_WRITE) {
      cached.phase = 'ready';
      this.#alone.push(cached);
      this.#kick();
    } else if (cached.isLowPriority) this.#defer(cached);
    else {
      cached.phase = 'ready';
      this.#ready.push(cached);
      this.#kick();
    }
  }

  #defer(cached: CachedMachine): void {
    if (this.#closing) return;
    this.#lowPriority.add(cached, this.#scope.clock.monotonic());
    if (!this.#pause) this.#kick();
  }

  /** Low-priority machines get no more turns: what they wait for stands in their rows, or in the inbox. */
  close(): void {
    this.#closing = true;
    this.#lowPriority.clear();
  }

  /** Queues a start. Throws `Unavailable` when too many wait. */
  start(start: PendingMachineStart): void {
    if (this.#starts.length >= STARTS_WAITING) throw new Unavailable('too many starts are waiting', 2);
    this.#starts.push(start);
    this.#kick();
  }

  /** Ends without a word, as a crash would. */
  abandon(): void {
    this.#stopped = true;
    this.#pause?.();
    this.#cancelTry();
    this.#writer.abandon();
    this.#quarantine.clear();
    this.#ready = [];
    this.#alone = [];
    this.#lowPriority.clear();
    this.#starts = [];
  }

  #kick(): void {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    this.#busySince = this.#scope.clock.monotonic();
    this.#pause?.();
    this.#pause = null;
    this.#scope.clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    while ((this.waiting > 0 || this.#mayTry) && !this.#stopped) {
      if (this.#yields) {
        this.#wait();
        return;
      }
      await this.#turn();
    }
    this.#busy = false;
    this.#writer.rest();
    if (!this.#quarantine.isEmpty) this.#planTry();
    if (this.waiting > 0) this.#kick();
  }

  async #turn(): Promise<void> {
    await this.#writer.ready();
    if (this.#stopped) return;
    if (!this.#quarantine.isEmpty) await this.#tryHeld();
    for (const cached of this.#alone.splice(0, ALONE)) await this.#writeAlone(cached);
    const items = this.#form();
    if (items.length > 0) await this.#writer.write(items);
    await new Promise<void>((resolve) => this.#scope.clock.soon(resolve));
  }

  /** One of those that were refused goes by itself, when its time has come. */
  async #tryHeld(): Promise<void> {
    const cached = this.#quarantine.next();
    if (!cached) return;
    cached.eventsPerStep = 1;
    await this.#writeAlone(cached);
    this.#quarantine.tried();
  }

  async #writeAlone(cached: CachedMachine): Promise<void> {
    if (this.#stopped) return;
    const item = this.#step(cached, this.#scope.now());
    if (item) await this.#writer.write([item]);
  }

  get #mayTry(): boolean {
    return !this.#quarantine.isEmpty && this.#quarantine.dueAt <= this.#scope.clock.monotonic();
  }

  #planTry(): void {
    const { clock } = this.#scope;
    const { dueAt } = this.#quarantine;
    this.#cancelTry();
    if (dueAt === Infinity || this.#stopped) return;
    this.#cancelTry = clock.after(Math.max(1, dueAt - clock.monotonic()), () => this.#kick());
  }

  /** Whether nothing but low-priority machines waits, and there is no time for them. */
  get #yields(): boolean {
    const { clock } = this.#scope;
    return (
      this.#ready.length + this.#alone.length + this.#starts.length === 0 &&
      !this.#mayTry &&
      !this.#lowPriority.isDue(clock.monotonic(), isBusy(clock))
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

  #form(): CommitBatchItem[] {
    const at = this.#scope.now();
    const items: CommitBatchItem[] = [];
    const claimed = new Set<string | number>();
    let size = 0;
    const admit = (item: CommitBatchItem | null): void => {
      if (!item || this.#quarantine.takes(item)) return;
      if (!isFree(item, claimed)) this.#again(item);
      else {
        items.push(item);
        size += batchItemStepCount(item);
      }
    };
    // What is queued again meanwhile waits for the next batch.
    const ready = this.#ready.splice(0);
    const { most } = this.#writer;
    const forStarts = most > 1 ? Math.min(this.#starts.length, Math.ceil(most * STARTS_AT_LEAST)) : 0;
    let taken = 0;
    while (taken < ready.length && size < most - forStarts) admit(this.#step(ready[taken++]!, at));
    if (taken < ready.length) this.#ready = [...ready.slice(taken), ...this.#ready];
    for (const cached of this.#takeLowPriority(most - forStarts - size)) admit(this.#step(cached, at));
    const mostStarts = Math.ceil(this.#scope.stepsPerCommit * STARTS);
    const starts = this.#starts.splice(0, Math.min(mostStarts, Math.max(0, most - size)));
    for (const start of starts) admit(this.#stepNew(start, at));
    return items;
  }

  #takeLowPriority(room: number): CachedMachine[] {
    if (this.#lowPriority.size === 0) return [];
    const { clock } = this.#scope;
    return this.#lowPriority.take(clock.monotonic(), isBusy(clock), room);
  }

  #step(cached: CachedMachine, at: number): CommitBatchItem | null {
    cached.phase = 'writing';
    const mails = cached.takeMail(cached.eventsPerStep);
    const tx = UncommittedMachineStep.next(cached.committed!, at, this.#scope.drafts, cached.settled);
    for (const mail of mails) applyMailToStep(tx, mail);
    if (!tx.idle) return { tx, mails, cached, start: null };
    for (const mail of mails)
      if (mail.what === 'event') mail.done?.resolve({ outcome: 'stepped', state: tx.state, ignored: true });
      else if (isEffectOrder(mail)) mail.done?.resolve('refused');
    if (cached.mailbox.length > 0) this.queue(cached);
    else this.#scope.told.idle(cached);
    return null;
  }

  #stepNew(start: PendingMachineStart, at: number): CommitBatchItem | null {
    const { chart, account, id, input, claims, bookings, caller } = start;
    if (caller.isSettled) return null;
    try {
      const tx = UncommittedMachineStep.first({ chart, account, id, input, at }, this.#scope.drafts);
      for (const claim of claims) tx.claim(claim.key, at + claim.forMs, claim.answer ?? null);
      tx.book(bookings);
      return { tx, mails: [], cached: null, start: start };
    } catch (error) {
      caller.reject(error);
      return null;
    }
  }

  /** Its turn comes once more: a machine with its mail where it was, a start before the others. */
  #again({ start, cached, mails }: CommitBatchItem): void {
    if (start) this.#starts.unshift(start);
    else {
      cached!.mailbox.unshift(...mails);
      this.queue(cached!);
    }
  }

  // ------------------------------------------------------------ written

  #landed({ tx, cached, mails, start }: CommitBatchItem, sentAt: number): void {
    if (cached) {
      if (cached.uncertain.length > 0) cached.uncertain = [];
      if (cached.eventsPerStep < MAX_MAIL_PER_WRITE)
        cached.eventsPerStep = Math.min(MAX_MAIL_PER_WRITE, 2 * cached.eventsPerStep);
    }
    this.#scope.told.landed(tx, cached, mails, sentAt);
    const { shard } = this.#scope;
    start?.caller.resolve({ outcome: 'started', ref: { shard, account: tx.account, id: tx.id } });
  }
}

const isBusy = (clock: Clock): boolean => clock.load() >= BUSY;

/**
 * A key, and an id, is written by one machine a statement; the next one waits its turn and will find it taken. A
 * machine that is here can be born a second time: when the step that started it was written, and the reply of that
 * commit was lost.
 */
const isFree = ({ tx }: CommitBatchItem, claimed: Set<string | number>): boolean => {
  for (const machine of [tx, ...tx.children]) if (isTaken(machine, claimed)) return false;
  for (const machine of [tx, ...tx.children]) take(machine, claimed);
  return true;
};

const isTaken = (
  { id, account, claimants }: UncommittedMachineStep,
  claimed: ReadonlySet<string | number>,
): boolean => {
  if (claimed.has(id)) return true;
  for (const key of claimants.keys()) if (claimed.has(`${account} ${key}`)) return true;
  return false;
};

const take = ({ id, account, claimants }: UncommittedMachineStep, claimed: Set<string | number>): void => {
  claimed.add(id);
  for (const key of claimants.keys()) claimed.add(`${account} ${key}`);
};
