import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAccountBalances, adjustBalance, readLedgerPage, setBalance } from '../../src/store/balances.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
let ids = 0;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const at = Date.UTC(2026, 10, 20);
const book = (account: number, amount: bigint) =>
  adjustBalance(database.pool, { id: ++ids, account, amount, note: 'by hand', at });
const set = (account: number, amount: bigint) =>
  setBalance(database.pool, { id: ++ids, account, amount, note: 'set', at });
const balance = async (account: number) => (await readAccountBalances(database.pool, [account])).get(account);
const ledger = async (account: number) =>
  (await readLedgerPage(database.pool, { account, before: null, limit: 100 })).map(
    ({ entry, amount }) => `${entry} ${amount}`,
  );

it('opens the balance of an account that has none with its first credit', async () => {
  expect(await book(1, 50n)).toEqual({ balance: 50n });
  expect(await book(1, 25n)).toEqual({ balance: 75n });
  expect(await book(1, -75n)).toEqual({ balance: 0n });
  expect(await ledger(1)).toEqual(['debit -75', 'credit 25', 'credit 50']);
});

it('takes nothing that is not there, and enters nothing for it', async () => {
  expect(await book(2, -1n)).toBe('insufficientBalance');
  await book(2, 10n);
  expect(await book(2, -11n)).toBe('insufficientBalance');
  expect([await balance(2), await ledger(2)]).toEqual([10n, ['credit 10']]);
});

it('brings a balance to an amount by an entry of the difference', async () => {
  await set(3, 40n);
  await set(3, 15n);
  await set(3, 15n);
  expect([await balance(3), await ledger(3)]).toEqual([15n, ['debit -25', 'credit 40']]);
});

it('is set to one of many amounts at once, and the ledger says how it came there', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => set(5, BigInt(index * 10))));
  const sum = (await ledger(5)).reduce((all, entry) => all + BigInt(entry.split(' ')[1]!), 0n);
  expect(sum).toBe(await balance(5));
});

it('loses no movement of many at once', async () => {
  const moved = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? book(4, 10n) : book(4, -7n))),
  );
  const borne = moved.filter((result) => result !== 'insufficientBalance').length;
  const entries = await ledger(4);
  const sum = entries.reduce((all, entry) => all + BigInt(entry.split(' ')[1]!), 0n);
  expect([entries.length, sum]).toEqual([borne, await balance(4)]);
});
