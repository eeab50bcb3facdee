import type { Draft, DraftScope } from './draft.ts';
import type { Guard } from './guard.ts';
import type { Health } from './health.ts';
import type { Mail } from './mail.ts';
import type { Clock, EngineLog, EngineMetrics, Random } from './ports.ts';
import type { Quarantine } from './quarantine.ts';
import type { Resident } from './resident.ts';
import type { MachineRow, ShardStore } from './store.ts';

/** What a lane needs, and what it tells the shard; it decides nothing else itself. */
export interface LaneScope {
  index: number;
  shard: string;
  store: ShardStore;
  clock: Clock;
  random: Random;
  health: Health;
  metrics: EngineMetrics;
  log: EngineLog;
  drafts: DraftScope;
  /** Those of all lanes of the shard: what one lane writes tells the others who is at fault. */
  quarantines: Quarantine[];
  /** Database time, epoch milliseconds. */
  now(): number;
  /** A time that every living node has passed: by it claims run out, for nodes may disagree about the time. */
  lowWatermark(): number;
  guard: Guard;
  told: LaneListener;
}

export interface LaneListener {
  /** A draft is durable. `sentAt`: monotonic time its statement was sent. */
  landed(draft: Draft, resident: Resident | null, mails: readonly Mail[], sentAt: number): void;
  /** A draft did become durable, but others stepped since: its mail is dealt with, the rest is theirs. */
  overtaken(draft: Draft, mails: readonly Mail[]): void;
  /** The resident's mail is all dealt with and nothing was to be written. */
  rested(resident: Resident): void;
  /**
   * The row stands otherwise than thought; here it is (or is not), and the mail that was not taken. `steady`: it is ours now
   * as when the mail came.
   */
  misplaced(resident: Resident, mails: Mail[], row: MachineRow | undefined, steady: boolean): void;
  /** The database refuses a machine's write for its data: this mail is set aside, and an operator told. */
  poisoned(resident: Resident, mails: readonly Mail[], error: Error): void;
  /** What was set aside for that was not at fault: the machine hears it after all. */
  restored(account: number, id: number, mails: readonly Mail[]): void;
}
