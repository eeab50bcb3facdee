/** Rows as a store is handed them, and what a commit writes. */

/** Names a machine within its shard. */
export interface Key {
  account: number;
  id: number;
}

/** What a step leaves of a machine. JSON columns are text already. */
export interface MachineRowState {
  revision: number;
  state: string;
  milestones: string;
  snapshot: string;
  agenda: string;
  wakeAt: number | null;
  heldBy: number;
  /** Names the write; a lost reply is read back by it. */
  stepId: number;
  attention: string | null;
  endedAt: number | null;
}

export interface MachineRow extends Key, MachineRowState {
  kind: string;
  version: number;
  createdAt: number;
}

export interface HistoryRow {
  revision: number;
  at: number;
  event: string;
  payload: string | null;
  state: string;
  asked: string;
  /** Short ids of the transitions taken, parted by spaces; '' where none were, or none were written down. */
  taken: string;
}

export interface MachineInboxRow {
  account: number;
  machine: number;
  id: number;
  event: string;
  at: number;
}

export interface KeyClaimWrite {
  key: string;
  until: number;
  answer: string | null;
}

/** An amount into a balance, or out of it. */
export interface BalanceBookingWrite {
  /** Names it in the ledger. */
  id: number;
  /** Whose balance; not always the machine's account. */
  account: number;
  balance: string;
  /** Negative takes; only births take. */
  amount: number;
  /** The ledger's word for it; null: not entered there. */
  entry: string | null;
  at: number;
}

/** A number on an account's block list. */
export interface BlockedNumberRow {
  account: number;
  /** As it is dialled. */
  number: string;
  reason: string;
  /** Since when, epoch milliseconds. */
  at: number;
  /** Its reason takes the place of the one that stands; false: what stands stays as it is. */
  replaces: boolean;
}

/** A number that is taken off an account's block list. */
export type UnblockedNumberRow = Pick<BlockedNumberRow, 'account' | 'number'>;

/** A movement of an account's balance that no machine makes. */
export interface ManualBalanceChangeRow {
  /** Names it in the ledger; done where the ledger does not know it. */
  id: number;
  account: number;
  /** Ten-thousandths; negative takes. */
  amount: number;
  /** The balance is brought to the amount, and the ledger hears of the difference; false: it moves by the amount. */
  sets: boolean;
  /** The ledger's word for it; null: `credit` or `debit`, by its sign. */
  entry: string | null;
  note: string;
  /** Epoch milliseconds. */
  at: number;
  /** The machine that it pays for, and whose that is. Default: none. */
  of?: { payer: number; machine: number };
}

/**
 * What is written outside of machines' commits. An account is at most once in `booked`; a number that replaces stands alone,
 * and no number is both blocked and taken off.
 */
export interface NonMachineRecordsToWrite {
  blocked: readonly BlockedNumberRow[];
  unblocked: readonly UnblockedNumberRow[];
  booked: readonly ManualBalanceChangeRow[];
}

/** `insufficientBalance`: a balance holds less than is taken from it; nothing was written. */
export type Kept =
  | {
      outcome: 'kept';
      /** What the balances hold that were moved, in ten-thousandths, by account; one that was moved before is absent. */
      balances: ReadonlyMap<number, bigint>;
    }
  | { outcome: 'insufficientBalance' };

export interface BalanceKey {
  account: number;
  balance: string;
}

/** Values of a kind's record, in the order of its declared columns. */
export interface RecordTableWrite {
  kind: string;
  inserted: unknown[] | null;
  updated: unknown[];
}

/** One machine's part of a commit. All of it happens or none of it. */
export interface MachineWrite extends Key {
  /** Set for a birth. */
  insert: { kind: string; version: number; createdAt: number } | null;
  /** For a birth by another machine's step: that machine, written in the same batch. */
  parent: number | null;
  /** The revision that must still stand; ignored for a birth. */
  guard: number;
  row: MachineRowState;
  history: readonly HistoryRow[];
  record: RecordTableWrite | null;
  /** Inbox rows for other machines. */
  tells: readonly MachineInboxRow[];
  /** Own inbox rows that this step took. */
  heard: readonly number[];
  claims: readonly KeyClaimWrite[];
  releases: readonly string[];
  bookings: readonly BalanceBookingWrite[];
}
