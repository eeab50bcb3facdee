import type { Draft, DraftScope } from './draft.ts';
import type { Mail } from './mail.ts';
import type { Clock, EngineLog, EngineMetrics } from './ports.ts';
import type { Resident } from './resident.ts';
import type { MachineRow, ShardStore } from './store.ts';

/** What a lane needs, and what it tells the shard; it decides nothing else itself. */
export interface LaneScope {
  index: number;
  shard: string;
  store: ShardStore;
  clock: Clock;
  metrics: EngineMetrics;
  log: EngineLog;
  drafts: DraftScope;
  /** Database time, epoch milliseconds. */
  now(): number;
  told: LaneListener;
}

export interface LaneListener {
  /** A draft is durable. `sentAt`: monotonic time its statement was sent. */
  landed(draft: Draft, resident: Resident | null, mails: readonly Mail[], sentAt: number): void;
  /** A draft did become durable, but others stepped since: its mail is dealt with, the rest is theirs. */
  overtaken(draft: Draft, mails: readonly Mail[]): void;
  /** The resident's mail is all dealt with and nothing was to be written. */
  rested(resident: Resident): void;
  /** The row stands otherwise than thought; here it is (or is not), and the mail that was not taken. */
  misplaced(resident: Resident, mails: Mail[], row: MachineRow | undefined): void;
  /** A machine whose very write is refused by the database for its data. */
  poisoned(resident: Resident, mails: Mail[], error: unknown): void;
}
