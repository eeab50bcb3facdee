/**
 * Writes records that belong to no machine: numbers that are blocked or unblocked, balances that an operator changes.
 * There is one write at a time, under the numbers of a writer of its own, and it is in the journal before the caller is
 * answered. Numbers that wait meanwhile are written together.
 */
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import type { ClusterMembership } from '../cluster/membership.ts';
import type { CallerAwaitingCommit } from '../writer/pendingReplies.ts';
import type { Clock, Random } from '../contract/ports.ts';
import {
  BadBatch,
  BatchTookTooLong,
  WriterOutOfTurnError,
  type ShardMachineStore,
} from '../contract/store.ts';
import { Unavailable } from '../contract/api.ts';
import { isNothingWrittenError, NON_MACHINE_RECORDS_WRITER } from '../recovery/numberAndJournalWrites.ts';
import type { Kept, NonMachineRecordsToWrite } from '../contract/rows.ts';

/** Wishes that are written together. */
const TOGETHER = 200;
/** Pauses between tries to learn what became of an entry, milliseconds. */
const PAUSES_MS = { firstMs: 100, longestMs: 5_000 };
/** Its name among the parts of the shard that may fail. */
const KEEPING = 'keeping records';

export interface NonMachineRecordWriterDeps {
  shard: string;
  store: ShardMachineStore;
  clock: Clock;
  random: Random;
  health: DatabaseFailureTracker;
  membership: ClusterMembership;
}

interface Wish {
  records: NonMachineRecordsToWrite;
  caller: CallerAwaitingCommit<Kept>;
}

export class NonMachineRecordWriter {
  readonly #scope: NonMachineRecordWriterDeps;
  #waiting: Wish[] = [];
  #running = false;
  #stopped = false;

  constructor(scope: NonMachineRecordWriterDeps) {
    this.#scope = scope;
  }

  /** Whether something is being written, or waits for it. */
  get busy(): boolean {
    return this.#running;
  }

  /** Answers the caller once the records are in the database and in the journal. */
  keep(records: NonMachineRecordsToWrite, caller: CallerAwaitingCommit<Kept>): void {
    this.#waiting.push({ records, caller });
    if (!this.#running) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    for (const { caller } of this.#waiting.splice(0))
      caller.reject(new Unavailable('the service is stopping', 5));
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      for (let wishes = this.#next(); wishes.length > 0; wishes = this.#next()) await this.#write(wishes);
    } finally {
      this.#running = false;
    }
  }

  /**
   * What is written next. A caller that has given up waiting was told that nothing was done: its records are dropped.
   */
  #next(): Wish[] {
    this.#waiting = this.#waiting.filter(({ caller }) => !caller.isSettled);
    const alone = this.#waiting.findIndex(({ records }) => !isShareable(records));
    const shareable = alone < 0 ? this.#waiting.length : alone;
    return this.#waiting.splice(0, Math.max(1, Math.min(TOGETHER, shareable)));
  }

  /**
   * Where nothing was written the callers are told at once; where that is unknown it is sent again until it is known.
   */
  async #write(wishes: readonly Wish[]): Promise<void> {
    const { store, clock, random, health, membership } = this.#scope;
    const { guard } = membership;
    const records = together(wishes);
    const entry = { what: 'records', ...records } as const;
    const backoff = new Backoff(clock, random, PAUSES_MS);
    let isInDoubt = false;
    while (!this.#stopped) {
      try {
        if (isInDoubt) await backoff.waitForOpening(guard);
        if (this.#stopped) break;
        const { incarnation } = guard.numbers;
        const kept = await guard.numbers.write(
          NON_MACHINE_RECORDS_WRITER,
          entry,
          (ticket) => store.keep(records, ticket),
          ({ outcome }) => outcome === 'kept',
        );
        health.recovered(KEEPING);
        // The journal of a former incarnation has ended: it is kept once more, in that of the one that is.
        isInDoubt = incarnation !== guard.numbers.incarnation;
        if (isInDoubt) continue;
        for (const { caller } of wishes) caller.resolve(kept);
        return;
      } catch (error) {
        if (error instanceof WriterOutOfTurnError) await guard.look().catch(() => {});
        const isRefused = error instanceof BadBatch || error instanceof BatchTookTooLong;
        if (isRefused || (!isInDoubt && isNothingWrittenError(error))) {
          health.recovered(KEEPING);
          await this.#refused(wishes, error);
          return;
        }
        if (!isNothingWrittenError(error)) isInDoubt = true;
        backoff.failed();
        health.failed(KEEPING, error);
        await backoff.wait();
      }
    }
    for (const { caller } of wishes) caller.reject(new Unavailable('the service is stopping', 5));
  }

  /** Several are written one by one, so that one with bad data does not fail the others. */
  async #refused(wishes: readonly Wish[], error: unknown): Promise<void> {
    const isOfData = error instanceof BadBatch || error instanceof BatchTookTooLong;
    if (isOfData && wishes.length > 1) for (const wish of wishes) await this.#write([wish]);
    else for (const { caller } of wishes) caller.reject(isOfData ? error : this.#unavailable(error));
  }

  #unavailable(cause: unknown): Unavailable {
    const { shard, membership } = this.#scope;
    const { refusal } = membership.guard;
    const text =
      refusal === undefined
        ? `the database of shard ${shard} takes no writes now`
        : `shard ${shard} ${refusal}`;
    return new Unavailable(text, 5, { cause });
  }
}

/** A number that stays as it is where it stands is written with others; the rest by itself, and so are many at once. */
const isShareable = ({ blocked, unblocked, booked }: NonMachineRecordsToWrite): boolean =>
  booked.length === 0 && unblocked.length === 0 && blocked.length === 1 && !blocked[0]!.replaces;

const together = (wishes: readonly Wish[]): NonMachineRecordsToWrite => ({
  blocked: wishes.flatMap(({ records }) => records.blocked),
  unblocked: wishes.flatMap(({ records }) => records.unblocked),
  booked: wishes.flatMap(({ records }) => records.booked),
});
