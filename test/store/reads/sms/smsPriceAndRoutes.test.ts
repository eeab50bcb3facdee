import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSmsPriceAndRoutes } from '../../../../src/store/reads/sms/smsPriceAndRoutes.ts';
import { freshDatabase, type TestDatabase } from '../../../helpers/database.ts';

let on: TestDatabase;
beforeAll(async () => {
  on = await freshDatabase();
  await on.pool.query(
    `INSERT INTO sms_routes (account_id, id, name, prefix, position, kind, active, created_at) VALUES
      (2, 1, 'above', '', 0, 'sandbox', true, 0),
      (3, 2, 'wide', '', 0, 'sandbox', true, 0),
      (3, 3, 'second', '5511', 2, 'sandbox', true, 0),
      (3, 4, 'first', '5511', 1, 'sandbox', true, 0),
      (3, 5, 'twin', '5511', 2, 'sandbox', true, 0),
      (3, 6, 'off', '551199', 0, 'sandbox', false, 0),
      (4, 7, 'off', '', 0, 'sandbox', false, 0)`,
  );
  await on.pool.query(
    `INSERT INTO blocklist (account_id, number, reason, created_at) VALUES (3, '5521987650000', '', 0)`,
  );
  await on.pool.query(
    `INSERT INTO tariffs (account_id, id, prefix, price, created_at) VALUES
      (3, 1, '', 0.08, 0), (3, 2, '5511', 0.065, 0), (3, 3, '55119', 0.0001, 0), (4, 4, '1', 9, 0)`,
  );
});
afterAll(() => on.drop());

const routes = async (accounts: number[], number: string, name?: string): Promise<number[][]> =>
  (await findSmsPriceAndRoutes(on.pool, { accounts, number, name })).routes.map(({ owner, route }) => [
    owner,
    route,
  ]);

const priceOf = async (account: number, number: string): Promise<string | undefined> =>
  (await findSmsPriceAndRoutes(on.pool, { accounts: [account], number })).price;

test('the routes to a number are the active routes with the longest prefix, by position', async () => {
  const found = await routes([3, 2], '5511987650000');
  expect(found).toEqual([
    [3, 4],
    [3, 3],
    [3, 5],
  ]);
  expect(await routes([3, 2], '5511991234567')).toEqual(found);
  expect(await routes([3, 2], '5521987650000')).toEqual([[3, 2]]);
});

test('a name narrows them, before prefixes are compared', async () => {
  expect(await routes([3], '5511987650000', 'wide')).toEqual([[3, 2]]);
  expect(await routes([3], '5511987650000', 'off')).toEqual([]);
});

test('the nearest account that has a route at all is asked, and no other', async () => {
  expect(await routes([9, 2], '5511987650000')).toEqual([[2, 1]]);
  expect(await routes([4, 2], '5511987650000')).toEqual([]);
  expect(await routes([9], '5511987650000')).toEqual([]);
});

test('whoever asks at the same time gets an answer of his own', async () => {
  const asked: [number[], string, string?][] = [
    [[9], '5511987650000'],
    [[3, 2], '5511987650000'],
    [[9, 2], '5511987650000'],
    [[3], '5511987650000', 'wide'],
  ];
  expect(await Promise.all(asked.map((one) => routes(...one)))).toEqual([
    [],
    [
      [3, 4],
      [3, 3],
      [3, 5],
    ],
    [[2, 1]],
    [[3, 2]],
  ]);
  const tariffs = [4, 9, 3].map((account) => priceOf(account, '14155552671'));
  expect(await Promise.all(tariffs)).toEqual(['9.0000', undefined, '0.0800']);
});

test('what PostgreSQL cannot read is refused to who asked it alone', async () => {
  const asked = ['14155552671', '1\u0000', '5511887650000'].map((number) => priceOf(3, number));
  expect((await Promise.allSettled(asked)).map((one) => one.status === 'fulfilled' && one.value)).toEqual([
    '0.0800',
    false,
    '0.0650',
  ]);
});

test('the tariff is that of the longest prefix, of the account itself', async () => {
  expect(await priceOf(3, '5511987650000')).toBe('0.0001');
  expect(await priceOf(3, '5511887650000')).toBe('0.0650');
  expect(await priceOf(3, '14155552671')).toBe('0.0800');
  expect([await priceOf(4, '5511987650000'), await priceOf(9, '1')]).toEqual([undefined, undefined]);
});

test('the account’s own block list is asked, and none of those above it', async () => {
  const blocked = (accounts: number[], number: string) =>
    findSmsPriceAndRoutes(on.pool, { accounts, number }).then((rules) => rules.blocked);
  expect(
    await Promise.all([
      blocked([3, 2], '5521987650000'),
      blocked([2, 3], '5521987650000'),
      blocked([3, 2], '5511987650000'),
    ]),
  ).toEqual([true, false, false]);
});
