/**
 * Machines of one writer whose writes the database refuses. Each waits here, apart from the others, until it is known
 * what is at fault (`writer/diagnoseDataOrDatabaseFault.ts`): its data, and the event is set aside; or the database, and everything
 * waits for its repair. One machine of each cause is tried alone, with growing pauses; when it is written, all that
 * wait for the same cause go back to their writer.
 */
import { commitFailureKey, OngoingCommitFailure } from './diagnoseDataOrDatabaseFault.ts';
import { summarizeError } from '../contract/databaseFailureTracker.ts';
import type { CommitBatchItem } from './batchItem.ts';
import { isUrgentMail, type Mail, mailHistoryName } from '../contract/machineMail.ts';
import type { ShardWriterDeps } from './writerDeps.ts';
import type { CachedMachine } from './cachedMachine.ts';
import type { BadBatch } from '../contract/store.ts';
import { Unavailable } from '../contract/api.ts';

/** A cause for which nothing waits is forgotten when it was not met for so long, milliseconds. */
const FORGET_MS = 60_000;
/** Causes that are known at a time; one more makes the oldest forgotten. */
const MOST_CAUSES = 32;
/** Between two lines of the log that say the same of one cause, milliseconds. */
const TELL_MS = 60_000;

export interface RefusedWriteReleaseListener {
  /** A machine may take its turn again. */
  release(cached: CachedMachine): void;
  /** One is to be tried sooner than was said. */
  sooner(): void;
}

export class RefusedWriteRetryQueue {
  readonly #scope: ShardWriterDeps;
  readonly #lane: RefusedWriteReleaseListener;
  readonly #faults = new Map<string, OngoingCommitFailure>();
  /** What was said of causes, when, and how often it was left unsaid since. */
  readonly #told = new Map<string, { at: number; unsaid: number }>();
  /** The machine that is tried alone now, and what for. */
  #tried: { cached: CachedMachine; fault: OngoingCommitFailure; wasAlone: boolean } | null = null;

  constructor(scope: ShardWriterDeps, lane: RefusedWriteReleaseListener) {
    this.#scope = scope;
    this.#lane = lane;
    scope.quarantines.push(this);
  }

  /** Whether nothing was refused lately: then nothing here need be asked. */
  get isEmpty(): boolean {
    return this.#faults.size === 0;
  }

  /** When the next machine is to be tried, monotonic; `Infinity`: none waits. */
  get dueAt(): number {
    let due = Infinity;
    for (const fault of this.#faults.values())
      if (fault.held.size > 0 && fault.dueAt < due) due = fault.dueAt;
    return due;
  }

  /** Whether a machine waits here with mail that stands in memory only. */
  get holdsUrgentMail(): boolean {
    const held = [...this.#faults.values()].flatMap((fault) => [...fault.held.keys()]);
    return held.some(({ mailbox }) => mailbox.some(isUrgentMail));
  }

  /** What the database is broken for, as the end of "the shard …"; undefined: it is not. */
  get problem(): string | undefined {
    if (this.isEmpty) return undefined;
    const at = this.#scope.clock.monotonic();
    const fault = [...this.#faults.values()].find((one) => one.isOfDatabase(at));
    return fault && `refuses writes: ${summarizeError(fault.error)}`;
  }

  /** A machine to be tried alone, if its time has come. */
  next(): CachedMachine | undefined {
    const at = this.#scope.clock.monotonic();
    this.#forget(at);
    const fault = [...this.#faults.values()].find(({ held, dueAt }) => held.size > 0 && dueAt <= at);
    if (!fault) return undefined;
    const cached = nextOf(fault);
    const wasAlone = fault.held.get(cached)!;
    fault.held.delete(cached);
    this.#tried = { cached, fault, wasAlone };
    return cached;
  }

  /** What was tried has come to its end, whatever that was. */
  tried(): void {
    const tried = this.#tried;
    if (!tried) return;
    this.#tried = null;
    const { fault } = tried;
    const at = this.#scope.clock.monotonic();
    // Neither written nor refused for the same cause: that says nothing, and the next one is tried soon.
    if (fault.dueAt <= at && !fault.isOfData) fault.dueAt = at + 50;
  }

  /** One was refused while it stood alone, with one piece of mail: it waits, or it is set aside. */
  refused(item: CommitBatchItem, error: BadBatch): void {
    const { clock } = this.#scope;
    const at = clock.monotonic();
    const fault = this.#faultOf(error, at);
    const wasTried = this.#tried?.cached === item.cached && this.#tried.fault === fault;
    fault.refused(item, at);
    if (item.start) {
      this.#refuseStart(item, fault, at);
      return;
    }
    const mayBlame = wasTried || error.certain;
    const isMarked = item.mails.some(({ what }) => what === 'broken');
    if (isMarked) this.#holdMarked(item, fault, at);
    else if (mayBlame && fault.blame(item, at) === 'data') this.#setAside(item, fault);
    else {
      fault.putOff(at, wasTried ? undefined : item);
      this.#hold(item, fault, true);
    }
    for (const { faults } of this.#scope.quarantines) {
      const known = faults.get(commitFailureKey(error));
      if (known) this.#giveBack(known, item);
    }
  }

  /** What is known of causes, by their names. */
  get faults(): ReadonlyMap<string, OngoingCommitFailure> {
    return this.#faults;
  }

  /** What need not be sent, for it would be refused as others like it were. True: it waits here, or was answered. */
  takes(item: CommitBatchItem): boolean {
    if (this.isEmpty || this.#tried?.cached === item.cached) return false;
    for (const fault of this.#faults.values()) {
      if (!fault.covers(item)) continue;
      if (item.start && this.#mayTry(fault)) return false;
      this.takeUntried([item], fault);
      return true;
    }
    return false;
  }

  /** They go the way of those that were refused for this, untried. */
  takeUntried(items: readonly CommitBatchItem[], cause: BadBatch | OngoingCommitFailure): void {
    const fault =
      cause instanceof OngoingCommitFailure ? cause : this.#faultOf(cause, this.#scope.clock.monotonic());
    for (const item of items)
      if (item.start) item.start.caller.reject(notNow(fault));
      else this.#hold(item, fault, false);
  }

  /** These were written: that tells of all who wait. */
  written(items: readonly CommitBatchItem[]): void {
    const at = this.#scope.clock.monotonic();
    const { dueAt } = this;
    for (const [cause, fault] of this.#faults) {
      for (const item of items) fault.written(item, at);
      if (fault.held.size === 0 && fault.isOfData) this.#faults.delete(cause);
    }
    const tried = this.#tried;
    if (tried && items.some(({ cached }) => cached === tried.cached)) this.#passed(tried);
    if (this.dueAt < dueAt) this.#lane.sooner();
  }

  /** Ends without a word. */
  clear(): void {
    this.#faults.clear();
  }

  #faultOf(error: BadBatch, at: number): OngoingCommitFailure {
    const cause = commitFailureKey(error);
    const known = this.#faults.get(cause);
    if (known) return known;
    if (this.#faults.size >= MOST_CAUSES) this.#lift(this.#faults.values().next().value!);
    const elsewhere = this.#scope.quarantines.map(({ faults }) => faults.get(cause)).find(Boolean);
    const fault = new OngoingCommitFailure(error, at, this.#scope.random, elsewhere);
    this.#faults.set(cause, fault);
    this.#tell(fault, 'the database refuses a write: its machine waits, the others go on', {});
    return fault;
  }

  #hold({ cached, mails }: CommitBatchItem, fault: OngoingCommitFailure, wasAlone: boolean): void {
    cached!.mailbox.unshift(...mails);
    cached!.phase = 'held';
    fault.held.set(cached!, wasAlone);
  }

  /** That its event is set aside is refused as well, and holds nothing of what it said: the event waits again. */
  #holdMarked(item: CommitBatchItem, fault: OngoingCommitFailure, at: number): void {
    fault.refusedWithoutData();
    if (fault.setAside?.id === item.tx.id) fault.setAside = null;
    fault.putOff(at);
    this.#hold({ ...item, mails: item.mails.flatMap(unmarked) }, fault, true);
  }

  /** Refuses a start: its caller was promised nothing yet. */
  #refuseStart(item: CommitBatchItem, fault: OngoingCommitFailure, at: number): void {
    const isData = fault.error.certain || fault.blame(item, at) !== 'database';
    item.start!.caller.reject(isData ? fault.error : notNow(fault));
    fault.putOff(at);
  }

  /** Once a pause a start is let through where others like it were refused: else nothing would tell of the repair. */
  #mayTry(fault: OngoingCommitFailure): boolean {
    const at = this.#scope.clock.monotonic();
    if (fault.held.size > 0 || fault.dueAt > at) return false;
    fault.dueAt = at + 1_000;
    return true;
  }

  #setAside(item: CommitBatchItem, fault: OngoingCommitFailure): void {
    const cached = item.cached!;
    const { account, id } = cached;
    fault.setAside = fault.isOfData ? null : { account, id, mails: item.mails };
    const event = item.mails.map(mailHistoryName).join(' ');
    this.#tell(fault, 'the database refuses an event for its data: it is set aside', { machine: id, event });
    this.#scope.told.poisoned(cached, item.mails, fault.error);
  }

  /** Another machine is refused as well, and nothing is written: what was set aside first was not at fault. */
  #giveBack(fault: OngoingCommitFailure, item: CommitBatchItem): void {
    const { setAside } = fault;
    if (!setAside || setAside.id === item.tx.id || fault.isOfData) return;
    fault.setAside = null;
    this.#scope.told.restored(setAside.account, setAside.id, setAside.mails);
  }

  /** One that was refused before is written: the cause has passed. One that was not tells of those that were not, only. */
  #passed({ fault, wasAlone }: { fault: OngoingCommitFailure; wasAlone: boolean }): void {
    if (wasAlone) this.#lift(fault);
    else this.#releaseFrom(fault, ([, refused]) => !refused);
  }

  /** All who waited for it take their turns again. */
  #lift(fault: OngoingCommitFailure): void {
    this.#faults.delete(commitFailureKey(fault.error));
    this.#releaseFrom(fault, () => true);
  }

  #releaseFrom(fault: OngoingCommitFailure, which: (held: [CachedMachine, boolean]) => boolean): void {
    const held = [...fault.held].filter(which).map(([cached]) => cached);
    for (const cached of held) fault.held.delete(cached);
    for (const cached of held) this.#lane.release(cached);
    const { log, shard } = this.#scope;
    if (held.length > 0)
      log.info({ shard, machines: held.length }, 'writes that were refused are tried again');
  }

  /** The first of a kind is said whole, later ones are counted. */
  #tell({ error }: OngoingCommitFailure, message: string, fields: object): void {
    const { clock, log, shard } = this.#scope;
    const at = clock.monotonic();
    const key = `${commitFailureKey(error)} ${message}`;
    const told = this.#told.get(key);
    if (told && at - told.at < TELL_MS) {
      told.unsaid += 1;
      return;
    }
    log.error({ err: error, shard, ...fields, ...(told && { others: told.unsaid }) }, message);
    this.#told.delete(key);
    this.#told.set(key, { at, unsaid: 0 });
    if (this.#told.size > 2 * MOST_CAUSES) this.#told.delete(this.#told.keys().next().value!);
  }

  #forget(at: number): void {
    for (const [cause, { held, lastAt }] of this.#faults)
      if (held.size === 0 && at - lastAt > FORGET_MS) this.#faults.delete(cause);
  }
}

/** One that was never tried before the others, the last that came first; else the one that waits longest. */
const nextOf = ({ held }: OngoingCommitFailure): CachedMachine => {
  const untried = [...held].findLast(([, wasAlone]) => !wasAlone);
  return untried?.[0] ?? held.keys().next().value!;
};

/** News of the world as it came; its caller was told already that it was set aside. What the machine owes itself is put off. */
const unmarked = (mail: Mail): readonly Mail[] => {
  if (mail.what !== 'broken' || !mail.mails.every(isNews)) return [mail];
  return mail.mails.map(withoutCaller);
};

const withoutCaller = (mail: Mail): Mail => {
  if (mail.what !== 'event') return mail;
  const { done: _, ...event } = mail;
  return { ...event, copyOf: mail.copyOf ?? mail };
};

const NEWS: ReadonlySet<Mail['what']> = new Set(['event', 'accepted', 'failed', 'unknown', 'lost']);
const isNews = ({ what }: Mail): boolean => NEWS.has(what);

const notNow = ({ error }: OngoingCommitFailure): Unavailable =>
  new Unavailable('the database refuses such starts now', 5, { cause: error });
