/** What no machine writes, in memory. */
import { BadBatch } from '../../engine/contract/store.ts';
import { MONEY_BALANCE_NAME } from '../balances.ts';
import { accountScopedKey, type MemoryTables } from './tables.ts';
import type { ManualBalanceChangeRow, Kept, NonMachineRecordsToWrite } from '../../engine/contract/rows.ts';

/** Movements that the ledger does not know. */
const fresh = (
  { ledger }: MemoryTables,
  booked: readonly ManualBalanceChangeRow[],
): ManualBalanceChangeRow[] =>
  booked.filter(({ account, id }) => !ledger.some((line) => line.account === account && line.id === id));

/** Whether a balance holds less than is taken from it. Throws `BadBatch` for what PostgreSQL would refuse. */
export const isBalanceInsufficient = (
  tables: MemoryTables,
  { booked }: NonMachineRecordsToWrite,
): boolean => {
  const odd = booked.find(({ amount }) => !Number.isSafeInteger(amount));
  if (odd) throw new BadBatch(`${odd.amount} is no integer below 2^53`);
  return fresh(tables, booked).some(
    ({ account, amount, sets }) =>
      !sets &&
      amount < 0 &&
      (tables.balances.get(accountScopedKey(account, MONEY_BALANCE_NAME)) ?? 0) + amount < 0,
  );
};

/** Writes them, also where a balance is short: that is asked before (`isBalanceInsufficient`), and not of what is written again. */
export const keep = (tables: MemoryTables, records: NonMachineRecordsToWrite): Kept => {
  for (const { account, number, reason, at, replaces } of records.blocked) {
    const key = accountScopedKey(account, number);
    const before = tables.blocked.get(key);
    if (!before) tables.blocked.set(key, { reason, at });
    else if (replaces) tables.blocked.set(key, { ...before, reason });
  }
  for (const { account, number } of records.unblocked)
    tables.blocked.delete(accountScopedKey(account, number));
  const booked = fresh(tables, records.booked);
  return { outcome: 'kept', balances: new Map(booked.map((row) => [row.account, book(tables, row)])) };
};

const book = (
  { balances, ledger }: MemoryTables,
  { id, account, amount, sets, entry, at, of }: ManualBalanceChangeRow,
): bigint => {
  const key = accountScopedKey(account, MONEY_BALANCE_NAME);
  const before = balances.get(key) ?? 0;
  const after = sets ? amount : before + amount;
  const difference = after - before;
  balances.set(key, after);
  const word = entry ?? (difference < 0 ? 'debit' : 'credit');
  if (difference !== 0)
    ledger.push({
      ...{ account, id, at, entry: word, amount: difference },
      ...{ payer: of?.payer ?? null, machine: of?.machine ?? null },
    });
  return BigInt(after);
};
