/**
 * The store of one shard, as the engine sees it. `src/store/postgresShardStore.ts` and `src/store/memory.ts` are equals;
 * one suite runs against both.
 *
 * Times are the shard's in epoch milliseconds and always passed in. Every key begins with the account.
 */
import type { JournalEntry, JournalOwner, JournalLineChunks, JournalWritePosition } from './journal.ts';
import type {
  Key,
  MachineRow,
  HistoryRow,
  MachineInboxRow,
  NonMachineRecordsToWrite,
  Kept,
  BalanceKey,
  MachineWrite,
} from './rows.ts';

/** A store gives a statement up that runs longer, milliseconds: after that it has been done, or never will be. */
export const STATEMENT_TIMEOUT_MS = 30_000;

export interface NodeRow {
  incarnation: number;
  slot: number;
  name: string;
  process: string;
  /** Counts its heartbeats. */
  beats: number;
  /** The shard's time at its last one, by its own clock. */
  beatAt: number;
  stoppedAt: number | null;
  /**
   * When the server was started that heard it last (`ShardStatus.serverSince`); null: the shard was opened since with all that
   * it wrote, or an older release did not note it.
   */
  serverSince: number | null;
}

/** A heartbeat. */
export interface Beat {
  incarnation: number;
  /** The shard's time. */
  at: number;
  /** Ids of its slot were minted up to here. */
  mintedMs: number;
  /** How far the shard's time is ahead of the database's clock. */
  aheadMs: number;
}

/** What a node's last heartbeat said of the time. */
export interface LastNodeHeartbeat {
  incarnation: number;
  beats: number;
  beatAt: number;
  aheadMs: number;
}

/** The database's clock, and what is known of the shard's time beside it. */
export interface DatabaseClockReading {
  now: number;
  /** Of all nodes that have not stopped, in no order. */
  living: readonly LastNodeHeartbeat[];
  /**
   * The last heartbeat of the nodes that have not stopped. `left`: there is none of them, and it is that of the node that
   * joined last.
   */
  last: { process: string; beats: number; beatAt: number; aheadMs: number; left: boolean } | null;
}

/** What is told of a row that was taken up: thousands are taken up at a time, and most need no step for it. */
export interface TakenOverMachine extends Pick<
  MachineRow,
  'account' | 'id' | 'kind' | 'version' | 'revision' | 'state' | 'agenda' | 'wakeAt' | 'heldBy' | 'stepId'
> {
  /** The incarnation that held it. */
  from: number;
}

/** What is known of a refusal. */
export interface BadBatchErrorOptions extends ErrorOptions {
  /** The server's SQLSTATE. Default `22000`: something in the data. */
  code?: string;
  /** What in the database refused it: a constraint, a table, a function. Default: not known. */
  where?: string;
  /** Only the data can be at fault: it was refused before it was sent. Default false. */
  certain?: boolean;
}

/** The store refuses a batch, and nothing of it was written. Halving it finds out which machines it is about. */
export class BadBatch extends Error {
  override name = 'BadBatch';
  readonly code: string;
  readonly where: string;
  readonly certain: boolean;

  constructor(
    message: string,
    { code = '22000', where = '', certain = false, cause }: BadBatchErrorOptions = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.where = where;
    this.certain = certain;
  }
}

/** The store gave a batch up for taking too long, and nothing of it was written: a smaller one may be written. */
export class BatchTookTooLong extends Error {
  override name = 'BatchTookTooLong';
}

/** The store cannot write now, whatever the batch, and nothing of it was written: it is worth trying later. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/** A writer of a shard: a lane of an incarnation. */
export interface ShardWriterId {
  incarnation: number;
  lane: number;
}

/** Shown with a commit: the writer, and the number of its last commit. The commit is written as the next one, or not at all. */
export interface CommitFencingToken extends ShardWriterId {
  /** Random, made with the writer: a writer of another history with the same name is not this one. */
  token: string;
  number: number;
  /** Counts what the writer sends: of several that were sent under one number, and have no answer, the store keeps which one stands. */
  sent: number;
  /**
   * When the server was started that was compared with the journals (`ShardStatus`); nothing is written on one that was started
   * since, whose files may be others. Absent: on any.
   */
  serverSince?: number;
  /** Set by the store as it is given a batch, where packing it made a line for the journal as well. */
  line?: JournalLineChunks;
  /** Set by the store where a batch was written in part: the machines that were. */
  landed?: readonly number[];
  /** Set by the store once it is written: of two that touch the same row, the later has the higher one. */
  position?: number;
}

/** A line of a journal that the database lacks, on its way back (`journal.ts`). */
export interface JournalRedoLine extends JournalWritePosition {
  incarnation: number;
  text: string;
}

/** Whether machines of the shard may step. `checking`: nodes compare what they know with what stands. */
export type ShardOpenState = 'open' | 'checking' | 'closed';

/**
 * The reason of a shard whose machine was restored as a whole, its journals with it (`start --restored`). Only a closed shard
 * that is `restored` has it.
 */
const RESTORED_WITH_MACHINE_REASON = 'restored with its machine (start --restored)';

/** Whether the journals at hand went back with the database, so that only others can tell what was done since. */
export const isRestoredWithJournals = ({
  restored,
  reason,
}: Pick<ShardStatus, 'restored' | 'reason'>): boolean => restored && reason === RESTORED_WITH_MACHINE_REASON;

/** How a shard stands, in its database. */
export interface ShardStatus {
  state: ShardOpenState;
  /** Why it is not open, as the end of "the shard …". */
  reason: string;
  /** Counts how often it was doubted; nodes confirm their writes in one of these doubts. */
  doubt: number;
  /** Counts how often it was opened though commits were lost. */
  losses: number;
  /** Names the shard over all its copies and backups. */
  identity: string;
  /** When it came to this state, epoch milliseconds. Ascends from state to state: what is lower is of the past. */
  since: number;
  /** Journals of before this moment count no more: an operator opened the shard then, though what they wrote was lost. */
  settledAt: number;
  /**
   * A backup was restored, or the whole machine was (`isRestoredWithJournals`): the shard waits for an operator's word, whatever
   * journals are at hand.
   */
  restored: boolean;
  /** The history that the shard was opened on, and the one that the server writes now (`Lineage`). */
  opened: string | null;
  now: string;
  /** When the server was started: its files may be others since. */
  serverSince: number;
  /**
   * The last numbers of this incarnation's writers, and their tokens; what moved each on last (`CommitFencingToken`), and where that
   * stands, at least.
   */
  writers: { lane: number; token: string; number: number; sent: number; position: number }[];
}

/** Nothing was written: the writer's last number is another, or the shard is not open. */
export class WriterOutOfTurnError extends Error {
  override name = 'WriterOutOfTurnError';
}

/** How much longer than a node its writers' numbers are kept, milliseconds. */
export const WRITER_NUMBERS_RETENTION_MS = 30 * 86_400_000;

export interface ShardMachineStore {
  /**
   * Writes a batch in one transaction; the number of machines written comes back. Fewer than given: some guard or
   * claim did not hold, or some balance held too little, and nothing of those was written. A birth that takes is
   * written only when its balances bear it after all that the batch's earlier births may take: one that was left out
   * for that may be borne when it is tried again. Throws `BadBatch`, `BatchTookTooLong` or `StoreUnavailable` when nothing was
   * written; after any other error the outcome is unknown.
   * A machine, and a claimed key, occurs at most once in a batch. `at`: claims that ran out by then are free.
   * With a ticket the writer's number moves on by one in the same transaction; where it cannot, throws `WriterOutOfTurnError`.
   */
  commit(lane: number, batch: MachineWrite[], at: number, ticket?: CommitFencingToken): Promise<number>;
  /** Rows as they stand; missing ones are absent. */
  read(keys: Key[]): Promise<MachineRow[]>;
  /** Living claims among these. */
  claims(
    keys: { account: number; key: string }[],
    at: number,
  ): Promise<{ account: number; key: string; owner: string; answer: string | null }[]>;
  /** What these balances hold; missing ones are absent. */
  balances(keys: BalanceKey[]): Promise<(BalanceKey & { amount: number })[]>;
  /** Leaves events for machines that other nodes hold. Repeats of an id are ignored. With a ticket: as `commit`. */
  leave(rows: MachineInboxRow[], ticket?: CommitFencingToken): Promise<void>;
  /**
   * Writes what no machine writes, in one statement: all of it, or nothing. A credit opens the balance of an account that has
   * none. The writer's number moves on as with `commit`, unless it is `insufficientBalance`. Throws as `commit` does.
   */
  keep(records: NonMachineRecordsToWrite, ticket: CommitFencingToken): Promise<Kept>;
  /**
   * Events left for machines that this incarnation holds, oldest first, those of low-priority kinds after all others.
   * `except`: rows that are known. `lowPriority`: whether those of low-priority kinds are asked for at all.
   */
  inbox(
    heldBy: number,
    limit: number,
    options?: { except?: readonly number[]; lowPriority?: boolean },
  ): Promise<MachineInboxRow[]>;

  /** The database's clock, epoch milliseconds. */
  now(): Promise<number>;
  /** The same, and how the shard's time stands to it, for a node that joins. */
  clockReference(): Promise<DatabaseClockReading>;
  /**
   * Registers an incarnation and gives it a slot of its own (0–63): of those whose users all stopped, the one longest
   * unused. Where there is none, one whose user has long been silent, who is fenced off for it.
   */
  register(node: {
    name: string;
    process: string;
    at: number;
    /** How far that is ahead of the database's clock. */
    aheadMs: number;
    graceMs: number;
    /** How many writers it has; their numbers begin at 0. Default none. */
    writers?: number;
  }): Promise<{
    incarnation: number;
    slot: number;
    mintedMs: number;
    /** Of its writers, by lane. */
    tokens: string[];
  }>;
  /** Beats, and lists the nodes. `alive` is false when the incarnation was declared dead: its rows are no longer its own. */
  beat(beat: Beat): Promise<{ alive: boolean; nodes: NodeRow[] }>;
  /** Marks an orderly end: rows held are free at once. */
  leaveNode(incarnation: number, at: number): Promise<void>;
  /** Fences an incarnation off for good: it can beat no more. With `last`: only if that is still its last beat. Whether it is dead now. */
  declareDead(
    incarnation: number,
    at: number,
    last: Pick<NodeRow, 'beats' | 'beatAt'> | null,
  ): Promise<boolean>;
  /** Forgets incarnations that hold nothing any more and ended before. */
  forgetNodes(before: number): Promise<void>;

  /** This incarnation's due times up to `until`, earliest first. */
  lookAhead(
    heldBy: number,
    until: number,
    limit: number,
  ): Promise<{ account: number; id: number; wakeAt: number }[]>;
  /**
   * Takes up rows of a dead incarnation (all unfinished ones, in key order above `after`), or those of anyone else
   * that are overdue since before `overdue` and took no step since then.
   * Each gets the new holder, the next revision and a `takenOver` history entry, in one transaction, and `stepId`, or one
   * made of it that is above what its last step minted (`successorId`).
   * Only rows of known chart versions (`kind:version`).
   */
  takeUp(request: {
    dead: number | null;
    after: Key | null;
    overdue: number | null;
    heldBy: number;
    stepId: number;
    at: number;
    known: string[];
    limit: number;
    /** The writer's number moves on with the rows; where there are none it stays. */
    ticket?: CommitFencingToken;
  }): Promise<TakenOverMachine[]>;

  /**
   * Rows that this incarnation took up by these statements and holds, unfinished, whatever stepped them since; `revision`
   * and `from` are those of the takeover, all else as it stands.
   */
  findTakenOver(request: {
    heldBy: number;
    /** Each by the `at` and the `stepId` that `takeUp` had. */
    statements: readonly { at: number; stepId: number }[];
    limit: number;
  }): Promise<(TakenOverMachine & { takenAt: number })[]>;

  /** History of a machine above a revision, in order; `event`: only such entries. */
  history(key: Key, afterRevision: number, limit: number, event?: string): Promise<HistoryRow[]>;
  /** Moves finished machines' last snapshots to history and their rows away. How many. */
  rest(endedBefore: number, at: number, limit: number): Promise<number>;
  /** Deletes claims that ran out and inbox rows whose machine is gone. */
  sweep(at: number, graceMs: number): Promise<void>;
  /** How the shard stands for this incarnation. */
  standing(incarnation: number): Promise<ShardStatus>;
  /** From open to checking. The reason of the first caller is kept. */
  doubt(reason: string, at: number): Promise<void>;
  /**
   * A shard that is not open is doubted once more, where it still stands as it was seen: nodes that confirmed did so
   * before the database went back to the middle of it.
   */
  doubtAnew(seen: Pick<ShardStatus, 'doubt' | 'since'>, at: number): Promise<void>;
  /** From checking to closed. */
  close(reason: string, at: number): Promise<void>;
  /** An incarnation confirms, in the doubt of this number, that the database has every write that it was told of. */
  confirm(incarnation: number, doubt: number): Promise<void>;
  /**
   * From checking to open, where every incarnation that holds a machine, or had not stopped when the shard was open last,
   * has confirmed in the doubt of this number, and nothing is on its way back. `missing`: some that have not; `pending`: something is.
   */
  openWhenAllConfirmed(
    doubt: number,
    at: number,
  ): Promise<{ opened: boolean; missing: NodeRow[]; pending: boolean }>;
  /**
   * From closed back to checking: what was missing may be at hand now. `isLastWord`: an operator says so, for a backup that
   * was restored as well. Default false.
   */
  reconsider(at: number, isLastWord?: boolean): Promise<void>;
  /** From closed to open, though commits were lost: an operator decided. Whether it was closed. */
  openAfterLoss(at: number): Promise<boolean>;

  /** What the database knows of these incarnations; one that is absent it does not: it went back to before that joined. */
  fates(incarnations: readonly number[]): Promise<ReadonlyMap<number, 'living' | 'ended'>>;
  /**
   * An incarnation that the database does not know is known again. `stoppedAt`: null for one that lives; the slot that it
   * has from now on, another one where its own was taken meanwhile.
   */
  enlist(
    owner: JournalOwner,
    at: number,
    stoppedAt: number | null,
  ): Promise<{ slot: number; mintedMs: number }>;
  /** Lines to be written again, of what stands above the numbers of their writers; repeats are ignored. */
  bring(lines: readonly JournalRedoLine[]): Promise<void>;
  /** The first of those that were brought, in the order in which they were written first. */
  brought(limit: number): Promise<JournalRedoLine[]>;
  /**
   * Writes an entry once more, while the shard is checked, and its line is no longer one that was brought. False: it stood
   * already. Throws as `commit` does; `WriterOutOfTurnError` where the shard is not checked any more.
   */
  redo(line: JournalRedoLine, entry: JournalEntry): Promise<boolean>;

  /** Leads a housekeeping job until a time: true for one node. */
  lead(job: string, owner: string, at: number, until: number): Promise<boolean>;
}
