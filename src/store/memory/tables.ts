/** What a shard's database holds, in memory. */
import { randomUUID } from 'node:crypto';
import type { NodeRow, JournalRedoLine, ShardStatus } from '../../engine/contract/store.ts';
import type { HistoryRow, MachineInboxRow, MachineRow } from '../../engine/contract/rows.ts';

export interface ClaimedKey {
  until: number;
  owner: string;
  answer: string | null;
}

export interface Node extends NodeRow {
  mintedMs: number;
  aheadMs: number;
  /** In which doubt it confirmed. */
  confirmed: number | null;
  /** It stopped while the shard was not open, so that it may have written what the database has forgotten. */
  stoppedInDoubt: boolean;
}

/** A writer's last number, and what moved it on. */
export interface WriterProgress {
  token: string;
  number: number;
  sent: number;
  position: number;
}

/** A line of the ledger. `payer`, `machine`: whose step moved it; null: an operator. */
export interface LedgerEntry {
  account: number;
  id: number;
  at: number;
  entry: string;
  amount: number;
  payer: number | null;
  machine: number | null;
}

export class MemoryTables {
  readonly machines = new Map<number, MachineRow>();
  readonly history = new Map<number, HistoryRow[]>();
  readonly inbox = new Map<number, MachineInboxRow>();
  readonly claims = new Map<string, ClaimedKey>();
  readonly nodes = new Map<number, Node>();
  /** By incarnation and lane. */
  readonly writers = new Map<string, WriterProgress>();
  readonly state: Omit<ShardStatus, 'now' | 'writers' | 'serverSince'> = {
    ...{ state: 'open', reason: '', doubt: 0, losses: 0, opened: null, since: 0, settledAt: 0 },
    ...{ identity: randomUUID(), restored: false },
  };
  /** When the server was started. */
  serverSince = 0;
  /** Counts writes (`DatabaseWithSchemas`). */
  position = 0;
  /** Brought from journals, by writer and number. */
  readonly redo = new Map<string, JournalRedoLine>();
  /** The history that the server writes: another one after a promotion. */
  lineage = 'memory/1';
  /** What balances hold, by account and name. */
  readonly balances = new Map<string, number>();
  readonly ledger: LedgerEntry[] = [];
  /** Block lists, by account and number. */
  readonly blocked = new Map<string, { reason: string; at: number }>();
  /** Records by table and machine. */
  readonly records = new Map<string, Map<number, Record<string, unknown>>>();
}

export const writerKeyOfIncarnationAndLane = (incarnation: number, lane: number): string =>
  `${incarnation} ${lane}`;

/** Of a claim and of a balance. */
export const accountScopedKey = (account: number, key: string): string => `${account} ${key}`;

export const appendHistoryInMemory = (tables: MemoryTables, id: number, entry: HistoryRow): void => {
  const entries = tables.history.get(id);
  if (entries) entries.push(entry);
  else tables.history.set(id, [entry]);
};
