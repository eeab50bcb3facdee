/** What became of writes that did not answer, or of which some did not land: the rows are read until it is known. */
import { Backoff } from '../contract/backoff.ts';
import type { UncommittedMachineStep } from '../step/stepTransaction.ts';
import type { CommitBatchItem } from './batchItem.ts';
import type { ShardWriterDeps } from './writerDeps.ts';
import { type Mail, mailOrigins } from '../contract/machineMail.ts';
import type { StepWithUnknownOutcome, CachedMachine } from './cachedMachine.ts';
import {
  type CurrentBalancesByKey,
  balanceKey,
  listDebitedBalanceKeys,
  findFirstInsufficientBalance,
} from './insufficientBalances.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import { Unavailable } from '../contract/api.ts';
import type { Key, MachineRow } from '../contract/rows.ts';

/** Pauses between tries to read back, milliseconds. */
const PAUSES_MS = { firstMs: 20, longestMs: 5_000 };
/**
 * Writes without an answer that are remembered of a machine. So many come only when the database answers every read and
 * no write, with growing pauses: the oldest was sent minutes ago, and its statement has ended since, however it did.
 */
const MOST_DOUBTS = 32;

/** What the lane does with what is found. */
export interface ReadBackHandler {
  /** It did land. */
  landed(item: CommitBatchItem, sentAt: number): void;
  /** It must be tried once more. */
  again(item: CommitBatchItem): void;
}

export class WriteOutcomeReader {
  readonly #scope: ShardWriterDeps;
  readonly #part: string;
  readonly #found: ReadBackHandler;
  readonly #backoff: Backoff;
  #stopped = false;

  /** `part`: the name of its lane among the parts of the shard that may fail. */
  constructor(scope: ShardWriterDeps, part: string, found: ReadBackHandler) {
    this.#scope = scope;
    this.#part = part;
    this.#found = found;
    this.#backoff = new Backoff(scope.clock, scope.random, PAUSES_MS);
  }

  /** Ends without a word. */
  abandon(): void {
    this.#stopped = true;
    this.#backoff.end();
  }

  /** Finds out about each. `answered`: what has not landed by now never will. */
  async find(items: readonly CommitBatchItem[], sentAt: number, answered: boolean): Promise<void> {
    const standing = await this.#retryUntilAnswered(() => this.#read(items));
    if (!standing) return;
    const { byId, held } = standing;
    for (const item of items) {
      const { cached, tx, mails } = item;
      if (cached) cached.uncertain = [...cached.uncertain.slice(1 - MOST_DOUBTS), { tx, mails }];
      const row = byId.get(tx.id);
      if (row?.stepId === tx.stepId) this.#found.landed(item, sentAt);
      else if (item.start) await this.#startMissed(item, row, { held, answered });
      else await this.#stepMissed(item, row, { sentAt, answered });
    }
  }

  /**
   * What stands of them, in a database that has not gone back. What it shows of a write without an answer is in the journal
   * before anything follows from that.
   */
  async #read(
    items: readonly CommitBatchItem[],
  ): Promise<{ byId: Map<number, MachineRow>; held: CurrentBalancesByKey }> {
    const { store, guard } = this.#scope;
    const keys: Key[] = items.map(({ tx }) => ({ account: tx.account, id: tx.id }));
    const byId = new Map((await store.read(keys)).map((row) => [row.id, row]));
    const held = await this.#held(items.filter(({ tx }) => !byId.has(tx.id)));
    await guard.lookAfresh();
    return { byId, held };
  }

  /** Whether another owner holds one of the item's claims; if so its caller, or its chart, is told. */
  async lostClaim(item: CommitBatchItem): Promise<boolean> {
    const { tx, start } = item;
    if (tx.claimants.size === 0) return false;
    const keys = [...tx.claimants.keys()].map((key) => ({ account: tx.account, key }));
    const held = await this.#retryUntilAnswered(() =>
      this.#scope.store.claims(keys, this.#scope.lowWatermark()),
    );
    const lost = held?.find((claim) => claim.owner !== String(tx.id));
    if (!lost) return false;
    const { key, owner, answer } = lost;
    if (start) start.caller.resolve({ outcome: 'claimed', key, owner, answer });
    else this.#refuseClaim(item, key, owner);
    return true;
  }

  /** The mail that asked for the claim is put by; its chart hears instead that another holds it. */
  #refuseClaim(item: CommitBatchItem, key: string, owner: string): void {
    const asking = item.tx.claimants.get(key);
    if (!asking) throw new Error(`no mail asked for the claim ${key}`);
    const refused: Mail = { what: 'claimRefused', key, owner, asked: asking };
    if (asking.what === 'event')
      asking.done?.resolve({ outcome: 'stepped', state: item.cached!.committed!.state });
    const mails = item.mails.map((mail) => (mail === asking ? refused : mail));
    this.#found.again({ ...item, mails });
  }

  /** What the balances of these hold, read together: when one runs dry, it does so for many. */
  async #held(missed: readonly CommitBatchItem[]): Promise<CurrentBalancesByKey> {
    const keys = listDebitedBalanceKeys(missed);
    const balances = keys.length === 0 ? [] : await this.#scope.store.balances(keys);
    return new Map(balances.map((balance) => [balanceKey(balance), balance.amount]));
  }

  async #startMissed(
    item: CommitBatchItem,
    row: MachineRow | undefined,
    { held, answered }: { held: CurrentBalancesByKey; answered: boolean },
  ): Promise<void> {
    const start = item.start!;
    const { account, id, caller } = start;
    const { shard } = this.#scope;
    start.doubtful ||= !answered;
    // The id was minted for this start: a row under it is this start's, landed by an earlier try and stepped since.
    if (row) caller.resolve({ outcome: 'started', ref: { shard, account, id } });
    else if (!(await this.lostClaim(item)) && !this.#isShort(item, held) && !caller.isSettled)
      this.#found.again(item);
  }

  /**
   * Whether a balance holds too little for the item alone; if so its caller is told. Where an earlier write may still
   * land, and be paid for by then, a refusal could be untrue.
   */
  #isShort(item: CommitBatchItem, held: CurrentBalancesByKey): boolean {
    const short = findFirstInsufficientBalance(item, held);
    if (!short) return false;
    const { caller, doubtful } = item.start!;
    if (doubtful) caller.reject(new Unavailable('it is not known whether the step was written', 2));
    else caller.resolve({ outcome: 'insufficientBalance', account: short.account, balance: short.balance });
    return true;
  }

  async #stepMissed(
    item: CommitBatchItem,
    row: MachineRow | undefined,
    { sentAt, answered }: { sentAt: number; answered: boolean },
  ): Promise<void> {
    const cached = item.cached!;
    const landed = row && (await this.#landedEarlier(cached, row));
    if (landed) {
      this.#landedLate(item, landed, row);
      return;
    }
    if (answered) cached.uncertain = cached.uncertain.slice(0, -1);
    const stands = row?.revision === cached.committed?.revision;
    if (stands && (await this.lostClaim(item))) return;
    // What was heard before may have been read once more from a database that had gone back.
    const steady = stands && this.#scope.guard.reopenedAt < sentAt;
    this.#scope.told.staleRow(cached, item.mails, row, steady);
  }

  /**
   * An earlier write of this machine had landed: its mail is not taken twice, neither that which was tried just now nor that
   * which waits to be tried by itself.
   */
  #landedLate(item: CommitBatchItem, landed: StepWithUnknownOutcome, row: MachineRow): void {
    const { told } = this.#scope;
    const cached = item.cached!;
    cached.uncertain = [];
    const heard = new Set(landed.mails.flatMap(mailOrigins));
    const isUnheard = (mail: Mail): boolean => !mailOrigins(mail).every((origin) => heard.has(origin));
    const rest = item.mails.filter(isUnheard);
    cached.mailbox = cached.mailbox.filter(isUnheard);
    if (landed.tx.stepId !== row.stepId) {
      told.superseded(landed.tx, landed.mails);
      told.staleRow(cached, rest, row, false);
      return;
    }
    // When it was sent is long ago, so its effects begin under a new commit.
    cached.mailbox.unshift(...rest);
    told.landed(landed.tx, cached, landed.mails, -Infinity);
  }

  /** Which of the writes without an answer did land: the row names it or, when others stepped since, the history. */
  async #landedEarlier(cached: CachedMachine, row: MachineRow): Promise<StepWithUnknownOutcome | undefined> {
    for (const doubt of cached.uncertain)
      if (await this.#retryUntilAnswered(() => wasStepWritten(this.#scope.store, doubt.tx, row)))
        return doubt;
    return undefined;
  }

  /** Asks until the database answers; undefined when the lane was stopped meanwhile. */
  async #retryUntilAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (!this.#stopped) {
      // What stands while the shard is not open may be older than what this node knows.
      await this.#backoff.waitForOpening(this.#scope.guard);
      try {
        const answer = await ask();
        this.#backoff.succeeded();
        return answer;
      } catch (error) {
        this.#backoff.failed();
        this.#scope.health.failed(this.#part, error);
        await this.#backoff.wait();
      }
    }
    return undefined;
  }
}

/** Whether a step was written: the row names it or, when others stepped since, the history. */
export const wasStepWritten = async (
  store: Pick<ShardMachineStore, 'history'>,
  { account, id, entry, stepId }: UncommittedMachineStep,
  row: MachineRow,
): Promise<boolean> => {
  if (row.stepId === stepId) return true;
  if (!entry || row.revision <= entry.revision) return false;
  const [stands] = await store.history({ account, id }, entry.revision - 1, 1);
  return (
    stands?.revision === entry.revision &&
    stands.at === entry.at &&
    stands.event === entry.event &&
    stands.payload === entry.payload
  );
};
