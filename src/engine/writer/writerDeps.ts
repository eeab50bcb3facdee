import type { UncommittedMachineStep } from '../step/stepTransaction.ts';
import type { DatabaseRollbackGuard } from '../recovery/databaseRollbackGuard.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { Clock, EngineLog, EngineMetrics, Random } from '../contract/ports.ts';
import type { BalanceWriterTurns } from './serializeBalanceWriters.ts';
import type { CommitBatchItem } from './batchItem.ts';
import type { OngoingCommitFailure } from './diagnoseDataOrDatabaseFault.ts';
import type { CachedMachine } from './cachedMachine.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import type { MachineRow } from '../contract/rows.ts';
import type { StepTransactionDeps } from '../step/transactionScope.ts';

/** What lanes tell each other of the machines whose writes are refused. */
export interface QuarantineFaults {
  /** Whether nothing was refused lately: then nothing here need be asked. */
  readonly isEmpty: boolean;
  /** By what the database said. */
  readonly faults: ReadonlyMap<string, OngoingCommitFailure>;
  /** These were written. */
  written(items: readonly CommitBatchItem[]): void;
}

/** What a lane needs, and what it tells the shard; it decides nothing else itself. */
export interface ShardWriterDeps {
  index: number;
  shard: string;
  /** Most steps in a statement; a fifth of them may be starts. */
  stepsPerCommit: number;
  store: ShardMachineStore;
  clock: Clock;
  random: Random;
  health: DatabaseFailureTracker;
  metrics: EngineMetrics;
  log: EngineLog;
  drafts: StepTransactionDeps;
  /** Those of all lanes of the shard: what one lane writes tells the others who is at fault. */
  quarantines: QuarantineFaults[];
  /** The same for all lanes of the shard. */
  turns: BalanceWriterTurns;
  /** Database time, epoch milliseconds. */
  now(): number;
  /** A time that every living node has passed: by it claims run out, for nodes may disagree about the time. */
  lowWatermark(): number;
  guard: DatabaseRollbackGuard;
  told: ShardWriterListener;
}

export interface ShardWriterListener {
  /** A tx is durable. `sentAt`: monotonic time its statement was sent. */
  landed(
    tx: UncommittedMachineStep,
    cached: CachedMachine | null,
    mails: readonly Mail[],
    sentAt: number,
  ): void;
  /** A transaction did become durable, but others stepped since: its mail is dealt with, the rest is theirs. */
  superseded(tx: UncommittedMachineStep, mails: readonly Mail[]): void;
  /** The machine's mail is all dealt with and nothing was to be written. */
  idle(cached: CachedMachine): void;
  /**
   * The row stands otherwise than thought; here it is (or is not), and the mail that was not taken. `steady`: it is ours now
   * as when the mail came.
   */
  staleRow(cached: CachedMachine, mails: Mail[], row: MachineRow | undefined, steady: boolean): void;
  /** The database refuses a machine's write for its data: this mail is set aside, and an operator told. */
  poisoned(cached: CachedMachine, mails: readonly Mail[], error: Error): void;
  /** What was set aside for that was not at fault: the machine hears it after all. */
  restored(account: number, id: number, mails: readonly Mail[]): void;
}
