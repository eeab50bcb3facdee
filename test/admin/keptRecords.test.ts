import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeShards } from '../../src/backup/closeShards.ts';
import { standingIn } from '../../src/store/sql/standing.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ GRACE_SECONDS: '2' });
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}`;
const number = '5511999990000';
const deeds = async (): Promise<number> => {
  const { rows } = await on.database.pool.query<{ sum: number }>(
    `SELECT sum(number)::int AS sum FROM writers WHERE lane = 5`,
  );
  return rows[0]!.sum;
};

test('block lists, credits and balances are written under numbers of a writer, and not while the shard is closed', async () => {
  const before = await deeds();
  expect((await on.admin('POST', `${path}/blocklist`, { number, reason: 'asked' })).body).toMatchObject({
    ...{ account_id: demoAccount, number, reason: 'asked' },
  });
  expect((await on.admin('PATCH', `${path}/blocklist/${number}`, { reason: 'again' })).body.reason).toBe(
    'again',
  );
  expect((await on.admin('PATCH', `${path}/blocklist/5511999990001`, { reason: 'x' })).http).toBe(404);
  expect((await on.admin('POST', `${path}/credits`, { amount: '2.5' })).http).toBe(201);
  expect((await on.admin('PATCH', path, { balance: 7 })).body.balance).toBe(7);
  expect((await on.admin('POST', `${path}/credits`, { amount: '-7.5' })).http).toBe(409);
  const made = await on.admin('POST', '/accounts', { name: 'New', balance: 12.5 });
  expect([made.http, made.body.balance]).toEqual([201, 12.5]);
  expect((await on.admin('GET', `/accounts/${made.body.cdcs_id}/credits`)).body.credits).toMatchObject([
    { id: 1, entry: 'opening', amount: 12.5 },
  ]);
  expect((await deeds()) - before).toBe(5);

  await closeShards(on.database.pool, 'public', { takenAt: 0, at: Date.now() });
  const other = { number: '5511999990002' };
  await vi.waitFor(async () => expect((await on.admin('POST', `${path}/blocklist`, other)).http).toBe(503));
  expect((await on.admin('POST', `${path}/credits`, { amount: '1' })).http).toBe(503);
  expect((await on.admin('PATCH', path, { balance: 9 })).http).toBe(503);
  expect((await on.admin('GET', `${path}/credits`)).body.balance).toBe(7);
  await standingIn(on.database.pool).openAfterLoss(Date.now());
}, 40_000);
