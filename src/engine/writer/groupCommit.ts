/**
 * Sends the batches of one lane, and decides what follows when one is not written. What the database says decides
 * (`store.ts`): a refused batch is halved until the culprit stands alone (`holdAndRetryRefusedWrites.ts`); one that took too long is
 * followed by smaller ones; when nothing can be written now, or no reply came, the next batch waits, longer each time.
 */
import { Backoff } from '../contract/backoff.ts';
import { QUERY_CANCELED_SQLSTATE } from './diagnoseDataOrDatabaseFault.ts';
import { movedBalances } from './insufficientBalances.ts';
import { sortedWritesOfBatch, type CommitBatchItem } from './batchItem.ts';
import type { ShardWriterDeps } from './writerDeps.ts';
import type { RefusedWriteRetryQueue } from './holdAndRetryRefusedWrites.ts';
import { WriteOutcomeReader } from './readBackUncertainWrites.ts';
import { BadBatch, BatchTookTooLong, WriterOutOfTurnError, StoreUnavailable } from '../contract/store.ts';
import type { MachineWrite } from '../contract/rows.ts';

/** Pauses of a lane that could not write, milliseconds. */
const PAUSES_MS = { firstMs: 50, longestMs: 5_000 };
/** Machines refused alone, with nothing of their batch written, after which the rest of it is not tried. */
const REFUSED_ENOUGH = 5;

/** What became of a batch: `interrupted`: it was given back to its lane. */
type Sent = 'written' | 'interrupted' | BadBatch | BatchTookTooLong;

/** What a lane does with what became of its machines. */
export interface CommitItemListener {
  landed(item: CommitBatchItem, sentAt: number): void;
  /** Its turn comes once more. */
  again(item: CommitBatchItem): void;
}

export class GroupCommit {
  readonly #scope: ShardWriterDeps;
  readonly #listener: CommitItemListener;
  readonly #quarantine: RefusedWriteRetryQueue;
  readonly #readBack: WriteOutcomeReader;
  readonly #backoff: Backoff;
  /** Names the lane among the parts of the shard that may fail. */
  readonly #part: string;
  /** Steps of a batch at most now: fewer after one that took too long. */
  #most: number;
  /** What is being written, or looked for since no answer came. */
  #items: readonly CommitBatchItem[] = [];
  #sentAt = Infinity;
  #writtenAt = -Infinity;
  #stopped = false;

  constructor(scope: ShardWriterDeps, quarantine: RefusedWriteRetryQueue, listener: CommitItemListener) {
    this.#scope = scope;
    this.#most = scope.stepsPerCommit;
    this.#listener = listener;
    this.#quarantine = quarantine;
    this.#part = `lane ${scope.index}`;
    this.#backoff = new Backoff(scope.clock, scope.random, PAUSES_MS);
    this.#readBack = new WriteOutcomeReader(scope, this.#part, listener);
  }

  /** When the commit that is under way was sent, monotonic; `Infinity`: none is. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /** Steps of which it is not known whether they were written. */
  get underWay(): CommitBatchItem[] {
    return this.#items.filter(({ cached }) => cached?.phase === 'writing');
  }

  /** Steps that the next batch may have. */
  get most(): number {
    return this.#most;
  }

  /** When a batch was last written, monotonic. */
  get writtenAt(): number {
    return this.#writtenAt;
  }

  /** For how long nothing could be written, milliseconds; 0: it could when it was last tried. */
  get failsFor(): number {
    return this.#backoff.failures === 0 ? 0 : this.#scope.health.failsFor(this.#part);
  }

  /** Settles when the next batch may be sent: at once, or after a pause when the last one was not written. */
  async ready(): Promise<void> {
    if (this.#backoff.failures > 0) await this.#backoff.wait();
    await this.#backoff.waitForOpening(this.#scope.guard);
  }

  /** There is nothing to write: nothing fails any more. */
  rest(): void {
    this.#backoff.succeeded();
    this.#scope.health.recovered(this.#part);
  }

  abandon(): void {
    this.#stopped = true;
    this.#readBack.abandon();
    this.#backoff.end();
  }

  /** Writes a batch, or does with it what its failure asks for. */
  async write(items: CommitBatchItem[]): Promise<void> {
    this.#items = items;
    const sent = await this.#try(items);
    this.#sentAt = Infinity;
    if (sent instanceof BatchTookTooLong) this.#tookTooLong(items, sent);
    else if (sent instanceof BadBatch) await this.#isolate(items, sent);
    if (!this.#stopped) this.#items = [];
  }

  async #try(items: CommitBatchItem[]): Promise<Sent> {
    const { clock, metrics, health } = this.#scope;
    const sentAt = clock.monotonic();
    this.#sentAt = sentAt;
    try {
      const { count, landed } = await this.#sendInTurn(items, sentAt);
      if (this.#stopped) return 'interrupted';
      this.#writtenAt = clock.monotonic();
      metrics.committed(count, this.#writtenAt - sentAt);
      if (this.#backoff.failures > 0) this.#backoff.succeeded();
      if (this.#most < this.#scope.stepsPerCommit)
        this.#most = Math.min(this.#scope.stepsPerCommit, 2 * this.#most);
      health.recovered(this.#part);
      if (landed === count) {
        this.#tellWritten(items);
        for (const item of items) this.#listener.landed(item, sentAt);
      } else await this.#readBack.find(items, sentAt, true);
      return 'written';
    } catch (error) {
      if (this.#stopped) return 'interrupted';
      if (error instanceof BadBatch || error instanceof BatchTookTooLong) return error;
      await this.#interrupted(items, sentAt, error);
      return 'interrupted';
    }
  }

  /** When no other lane moves its balances. What was stepped before the shard was opened again is not sent. */
  async #sendInTurn(items: CommitBatchItem[], steppedAt: number): Promise<{ count: number; landed: number }> {
    const { turns, guard } = this.#scope;
    const balances = movedBalances(items);
    const turn = balances.size > 0 ? await turns.take(balances) : undefined;
    try {
      if (this.#stopped) return { count: 0, landed: 0 };
      if (turn && (!guard.mayWrite || guard.reopenedAt >= steppedAt))
        throw new WriterOutOfTurnError('the shard was doubted while a batch waited');
      const { count, written } = this.#send(items);
      return { count, landed: await written };
    } finally {
      if (turn) turns.give(turn);
    }
  }

  #tellWritten(items: readonly CommitBatchItem[]): void {
    for (const quarantine of this.#scope.quarantines) if (!quarantine.isEmpty) quarantine.written(items);
  }

  /**
   * Sends a batch: how many machines are in it, and how many were written. What is written is let go with the
   * statement: a collection of garbage while it is under way has so much less to move.
   */
  #send(items: CommitBatchItem[]): { count: number; written: Promise<number> } {
    const { store, index, guard } = this.#scope;
    const writes = goodWritesOf(items);
    const at = this.#scope.lowWatermark();
    const count = writes.length;
    const entry = { what: 'commit', at, writes } as const;
    return {
      count,
      written: guard.numbers.write(index, entry, (ticket) => store.commit(index, writes, at, ticket)),
    };
  }

  /** Nothing was written, or that is unknown: in both cases the database is in trouble, and the next batch waits. */
  async #interrupted(items: CommitBatchItem[], sentAt: number, error: unknown): Promise<void> {
    this.#failed(error);
    if (error instanceof StoreUnavailable || error instanceof WriterOutOfTurnError) this.#again(items);
    if (error instanceof WriterOutOfTurnError) await this.#scope.guard.look().catch(() => {});
    else if (!(error instanceof StoreUnavailable)) await this.#readBack.find(items, sentAt, false);
  }

  #failed(error: unknown): void {
    this.#backoff.failed();
    this.#scope.health.failed(this.#part, error);
  }

  #again(items: readonly CommitBatchItem[]): void {
    // The last first: starts are put before those that wait.
    for (const item of items.toReversed()) this.#listener.again(item);
  }

  /** Smaller batches follow. A machine that takes too long by itself waits by itself. */
  #tookTooLong(items: CommitBatchItem[], error: BatchTookTooLong): void {
    this.#failed(error);
    this.#most = Math.max(1, Math.ceil(items.length / 2));
    if (items.length > 1) this.#again(items);
    else
      this.#quarantine.refused(
        items[0]!,
        new BadBatch(error.message, { code: QUERY_CANCELED_SQLSTATE, cause: error }),
      );
  }

  // ------------------------------------------------------------ refused

  /**
   * Halves are written by themselves until the culprits stand alone. While nothing of the batch is written each is
   * looked for in the largest piece that is left: when five from far apart are refused, the rest is not worth trying.
   */
  async #isolate(items: CommitBatchItem[], refusal: BadBatch): Promise<void> {
    let pieces: CommitBatchItem[][] = halvesOf(items);
    const written: CommitBatchItem[] = [];
    let alone = items.length === 1 ? 1 : 0;
    if (alone > 0) await this.#refused(items[0]!, refusal);
    while (pieces.length > 0) {
      const piece = pieces.pop()!;
      const sent = await this.#try(piece);
      if (this.#stopped) return;
      if (sent === 'written') written.push(...piece);
      else if (sent instanceof BadBatch && piece.length > 1) pieces.push(...halvesOf(piece));
      else if (sent instanceof BadBatch) {
        alone += 1;
        await this.#refused(piece[0]!, sent);
        if (written.length > 0) continue;
        if (alone < REFUSED_ENOUGH) pieces = withLargestLast(pieces);
        else {
          this.#quarantine.takeUntried(pieces.flat(), sent);
          pieces = [];
        }
      } else {
        if (sent instanceof BatchTookTooLong) this.#tookTooLong(piece, sent);
        this.#again(pieces.flat());
        pieces = [];
      }
    }
    this.#sentAt = Infinity;
    if (written.length > 0) this.#tellWritten(written);
    else if (alone > 0) this.#backoff.failed();
  }

  /** It was refused while it stood alone; what it was told together is told by itself next, to find what is at fault. */
  async #refused(item: CommitBatchItem, error: BadBatch): Promise<void> {
    if (await this.#readBack.lostClaim(item)) return;
    if (item.mails.length > 1) {
      item.cached!.eventsPerStep = 1;
      this.#listener.again(item);
    } else this.#quarantine.refused(item, error);
  }
}

/** The second half stands last, and is tried after the first. */
const halvesOf = (items: CommitBatchItem[]): CommitBatchItem[][] => {
  if (items.length < 2) return [];
  const middle = Math.ceil(items.length / 2);
  return [items.slice(middle), items.slice(0, middle)];
};

const withLargestLast = (pieces: readonly CommitBatchItem[][]): CommitBatchItem[][] =>
  pieces.toSorted((one, other) => one.length - other.length);

/** What a record says is the chart's, and may be impossible. Throws `BadBatch`. */
const goodWritesOf = (items: readonly CommitBatchItem[]): MachineWrite[] => {
  try {
    return sortedWritesOfBatch(items);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadBatch(message, { cause: error, certain: true });
  }
};
