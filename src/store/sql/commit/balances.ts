/** Balances: who takes more than is there, what moves, and what the ledger hears of it. */
import {
  bigintParameterColumn,
  type RowOfMachineWrite,
  collectMachineChildRows,
  integerParameterColumn,
  machineKeyColumns,
  sqlParameterColumnOfType,
  OK,
  type Part,
  part,
} from './commitStatementPart.ts';
import type { BalanceBookingWrite, MachineWrite } from '../../../engine/contract/rows.ts';

type Booking = RowOfMachineWrite<BalanceBookingWrite>;

const moved = [
  ...machineKeyColumns<Booking>(({ of }) => of),
  bigintParameterColumn<Booking>('booking', ({ row }) => row.id),
  integerParameterColumn<Booking>('owner', ({ row }) => row.account),
  sqlParameterColumnOfType<Booking>('balance', 'text', ({ row }) => row.balance),
  bigintParameterColumn<Booking>('amount', ({ row }) => row.amount),
];
const entered = [
  ...moved,
  sqlParameterColumnOfType<Booking>('entry', 'text', ({ row }) => row.entry),
  bigintParameterColumn<Booking>('at', ({ row }) => row.at),
];

const bookingsOf = (batch: readonly MachineWrite[]): Booking[] =>
  collectMachineChildRows(batch, (write) => write.bookings);

/**
 * Locks the balances in the order of their keys, before anything else that two batches may want; then finds the births
 * that take more than is left by those before them. Whether those before them are written is not known yet, so one
 * may be left out that could have been borne: it is tried again.
 *
 * Amounts that are given stand among those that are looked at, though they decide nothing: without them a batch that
 * only gives would not look at its balances here, and lock them later in any order.
 */
export const lockBalancesAndFindShortSql = (batch: readonly MachineWrite[]): Part =>
  part(
    'P',
    bookingsOf(batch),
    moved,
    (rows) => `p AS MATERIALIZED (SELECT account_id AS owner, name AS balance, amount FROM balances
  WHERE (account_id, name) IN (SELECT t.owner, t.balance FROM ${rows}) ORDER BY account_id, name FOR UPDATE),
short AS MATERIALIZED (SELECT d.account_id, d.id FROM (SELECT account_id, id, owner, balance, CASE WHEN amount < 0
  THEN sum(least(amount, 0)) OVER (PARTITION BY owner, balance ORDER BY booking) ELSE 0 END AS taken FROM ${rows}) d
  LEFT JOIN p USING (owner, balance) WHERE coalesce(p.amount, 0) + d.taken < 0)`,
  );

/**
 * What is written, together. The ledger hears of what moved: what goes into a balance that is not there moves nothing.
 *
 * An amount is counted from what was locked, not from the row that the update finds: that one is as old as the
 * statement, and PostgreSQL holds what comes of it to the table's constraint before it looks for a newer one. A balance
 * that a refund filled in between would refuse what it can bear.
 */
export const book = (batch: readonly MachineWrite[]): Part[] => {
  const all = bookingsOf(batch);
  if (all.length === 0) return [];
  const ledger = all.filter(({ row }) => row.entry !== null);
  const balances = part(
    'q',
    all,
    moved,
    (rows) => `q AS (UPDATE balances SET amount = p.amount + s.amount
  FROM (SELECT owner, balance, sum(amount)::bigint AS amount FROM ${rows} ${OK} GROUP BY owner, balance) s
  JOIN p USING (owner, balance) WHERE balances.account_id = s.owner AND balances.name = s.balance)`,
    { name: 'moved' },
  );
  return ledger.length === 0 ? [balances] : [balances, entries(ledger)];
};

const entries = (ledger: readonly Booking[]): Part =>
  part(
    'g',
    ledger,
    entered,
    (rows) => `g AS (INSERT INTO ledger (account_id, id, at, entry, amount, payer_id, machine_id)
  SELECT owner, booking, at, entry, t.amount, account_id, id FROM ${rows} ${OK} JOIN p USING (owner, balance))`,
    { name: 'entered' },
  );
