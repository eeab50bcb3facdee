/** A call that is paid out of balances while it is talked. */

/** A call by its ids. */
export interface AccountAndCallId {
  account: number;
  call: number;
}

/** Price of a minute, ten-thousandths, and the accounts that each pay it. */
export interface ChargeTerms {
  rate: bigint;
  payers: readonly number[];
}

export interface CallChargeState extends AccountAndCallId, ChargeTerms {
  /** Seconds that are paid for. */
  covered: number;
}

/** One that is talked, or over; epoch milliseconds. */
export interface UnsettledCallCharge extends CallChargeState {
  /** Null: not answered. */
  answeredAt: number | null;
  /** Null: it goes on. 0: nothing was dialled. */
  endedAt: number | null;
  /** Names what settles it in the ledger; null: it has no name yet. */
  settleId: number | null;
}

/** What is changed of a charge. */
export type CallChargeUpdate = { covered: number } | { settleId: number };

/** One that the database has forgotten: the ledger alone tells of it. */
export interface LedgerOnlyCharge extends AccountAndCallId {
  payers: readonly number[];
  /** By the account itself, ten-thousandths. */
  reserved: bigint;
  /** Epoch milliseconds. */
  openedAt: number;
}
