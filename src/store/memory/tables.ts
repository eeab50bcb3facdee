/** What a shard's database holds, in memory. */
import type { HistoryRow, InboxRow, MachineRow, NodeRow } from '../../engine/store.ts';

export interface Claim {
  until: number;
  owner: string;
  answer: string | null;
}

export interface Node extends NodeRow {
  mintedMs: number;
  aheadMs: number;
}

/** A line of the ledger. `payer`, `machine`: whose step moved it; null: somebody by hand. */
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
  readonly inbox = new Map<number, InboxRow>();
  readonly claims = new Map<string, Claim>();
  readonly nodes = new Map<number, Node>();
  /** What purses hold, by account and name. */
  readonly purses = new Map<string, number>();
  readonly ledger: LedgerEntry[] = [];
  /** Records by table and machine. */
  readonly records = new Map<string, Map<number, Record<string, unknown>>>();
}

/** Of a claim and of a purse. */
export const claimKey = (account: number, key: string): string => `${account} ${key}`;

export const remember = (tables: MemoryTables, id: number, entry: HistoryRow): void => {
  const entries = tables.history.get(id);
  if (entries) entries.push(entry);
  else tables.history.set(id, [entry]);
};
