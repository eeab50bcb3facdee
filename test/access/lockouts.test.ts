/** Lock-outs of a process without a Redis, and the next start. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKeptLockouts } from '../../src/access/persistedLockouts.ts';
import { openRateLimits } from '../../src/compose/requestLimits.ts';
import { openLog } from '../../src/log.ts';
import { inMemoryRequestLimits } from '../../src/providers/rateLimitsAndLockouts/memory.ts';
import { mostLockouts, readLockouts, sweepLockouts, writeLockouts } from '../../src/store/lockouts.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

const quiet = openLog('silent');
const hour = 3_600_000;
let database: TestDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

/** The limits of a process that starts now. */
const start = () => openRateLimits(undefined, database.pool, quiet);
const rows = async () => (await database.pool.query('SELECT * FROM lockouts ORDER BY address')).rows;

test('an address that is throttled or blocked is so after a restart, and others are not', async () => {
  const before = await start();
  for (let guess = 0; guess < 19; guess += 1) await before.failed('192.0.2.1');
  for (let guess = 0; guess < 25; guess += 1) await before.failed('192.0.2.2');
  for (let guess = 0; guess < 100; guess += 1) await before.failed('192.0.2.3');
  expect(await before.standing('192.0.2.2')).toBe('throttled');
  await expect.poll(rows).toMatchObject([
    { address: '192.0.2.2', failures: 20, blocked_until: 0 },
    { address: '192.0.2.3', failures: 100 },
  ]);
  const after = await start();
  const standings = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => after.standing(address));
  expect(await Promise.all(standings)).toEqual(['free', 'throttled', 'blocked']);
});

test('what was counted before a restart counts on the way to the block', async () => {
  const before = await start();
  for (let guess = 0; guess < 90; guess += 1) await before.failed('192.0.2.2');
  await expect.poll(rows).toMatchObject([{ failures: 90 }]);
  const after = await start();
  for (let guess = 0; guess < 10; guess += 1) await after.failed('192.0.2.2');
  expect(await after.standing('192.0.2.2')).toBe('blocked');
});

test('a lock ends when it would have ended, and its row goes', async () => {
  const at = Date.now();
  const moved = (ms: number) => async () => {
    const kept = await openKeptLockouts(database.pool, quiet, () => at + ms);
    return inMemoryRequestLimits({ now: () => at + ms, kept }).standing('192.0.2.2');
  };
  await writeLockouts(database.pool, [
    { address: '192.0.2.2', failures: 100, failedAt: at, blockedUntil: at + 24 * hour },
  ]);
  expect(await moved(24 * hour - 1)()).toBe('blocked');
  expect(await moved(24 * hour + 1)()).toBe('free');
  expect(await rows()).toEqual([]);
});

test('an address whose lock-out was lifted stays free', async () => {
  const before = await start();
  for (let guess = 0; guess < 100; guess += 1) await before.failed('192.0.2.2');
  await expect.poll(rows).toMatchObject([{ failures: 100 }]);
  await before.reset('192.0.2.2');
  expect(await (await start()).standing('192.0.2.2')).toBe('free');
});

test('rows are bounded, and the newest stay', async () => {
  const now = Date.now();
  const lockouts = Array.from({ length: mostLockouts + 500 }, (_, n) => ({
    ...{ address: `192.0.2.${n}`, failures: 20 },
    ...{ failedAt: now - n, blockedUntil: 0 },
  }));
  await writeLockouts(database.pool, lockouts);
  const moments = { now, since: now - hour };
  await sweepLockouts(database.pool, moments);
  const kept = await readLockouts(database.pool, moments);
  expect(kept.length).toBe(mostLockouts);
  expect(kept[0]?.address).toBe('192.0.2.0');
});

test('a thousand addresses that fail are a few statements, and none is lost', async () => {
  let statements = 0;
  const counted = new Proxy(database.pool, {
    get: (pool, name) =>
      name === 'query'
        ? (...given: Parameters<typeof pool.query>) => {
            statements += 1;
            return pool.query(...given);
          }
        : Reflect.get(pool, name),
  });
  const limits = await openRateLimits(undefined, counted, quiet);
  const guesses = Array.from({ length: 20 }, () => 0);
  for (const _ of guesses)
    await Promise.all(Array.from({ length: 1000 }, (__, n) => limits.failed(`198.18.${n >> 8}.${n & 255}`)));
  await expect.poll(async () => (await rows()).length).toBe(1000);
  expect(statements).toBeLessThan(10);
});
