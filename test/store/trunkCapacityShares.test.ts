/** Shares of trunks as rows: each process sees what the others have written, and none writes between another's look and its writing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  ProcessTrunkShareWrites,
  ProcessTrunkShareRow,
} from '../../src/rules/trunks/trunkShareOfProcess.ts';
import { exchangeTrunkShares } from '../../src/store/trunkCapacityShares.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeEach(async () => {
  on = await freshDatabase();
});
afterEach(() => on.drop());

const row = (process: string, more: Partial<ProcessTrunkShareRow> = {}): ProcessTrunkShareRow => ({
  ...{ trunk: 1, process, callsPerSecond: 10, legs: 20, held: 3, waits: false, beat: 1 },
  ...more,
});
const only =
  (...own: ProcessTrunkShareRow[]): (() => ProcessTrunkShareWrites) =>
  (): ProcessTrunkShareWrites => ({ own, ended: [] });
const rows = async (): Promise<ProcessTrunkShareRow[]> => {
  let seen: readonly ProcessTrunkShareRow[] = [];
  await exchangeTrunkShares(on.pool, 'reader', (all) => {
    seen = all;
    return { own: [], ended: [] };
  });
  return [...seen].toSorted((one, other) => one.process.localeCompare(other.process));
};

test('a process writes its rows anew, and leaves those of others alone', async () => {
  await exchangeTrunkShares(on.pool, 'a', only(row('a'), row('a', { trunk: 2 })));
  await exchangeTrunkShares(on.pool, 'b', only(row('b')));
  await exchangeTrunkShares(on.pool, 'a', only(row('a', { callsPerSecond: 4, waits: true, beat: 2 })));
  expect(await rows()).toEqual([row('a', { callsPerSecond: 4, waits: true, beat: 2 }), row('b')]);
});

test('rows of a process that ended are removed', async () => {
  await exchangeTrunkShares(on.pool, 'a', only(row('a')));
  await exchangeTrunkShares(on.pool, 'b', () => ({ own: [row('b')], ended: ['a'] }));
  expect(await rows()).toEqual([row('b')]);
});

test('a decision that throws leaves all as it was', async () => {
  await exchangeTrunkShares(on.pool, 'a', only(row('a')));
  const broken = exchangeTrunkShares(on.pool, 'a', () => {
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect(await rows()).toEqual([row('a')]);
});

test('many that exchange at once each see what those before wrote', async () => {
  const names = Array.from({ length: 12 }, (_, nth) => `process ${nth}`);
  const limit = 10;
  await Promise.all(
    names.map((name) =>
      exchangeTrunkShares(on.pool, name, (all) => {
        const used = all.reduce((sum, one) => sum + one.callsPerSecond, 0);
        return { own: [row(name, { callsPerSecond: Math.min(3, limit - used) })], ended: [] };
      }),
    ),
  );
  expect((await rows()).reduce((sum, one) => sum + one.callsPerSecond, 0)).toBe(limit);
});

test('what trunks bear is read under the lock, so that a limit that was lowered holds for the next share', async () => {
  await on.pool.query(`INSERT INTO trunks (id, name, server_id, calls_per_second, legs, created_at)
    VALUES (1, 'carrier', 1, 20000, 500, 0)`);
  const borne = async (): Promise<object> => {
    let seen = {};
    await exchangeTrunkShares(on.pool, 'a', (_, sizes) => {
      seen = Object.fromEntries(sizes);
      return { own: [], ended: [] };
    });
    return seen;
  };
  expect(await borne()).toEqual({ 1: { callsPerSecond: 20_000, legs: 500 } });
  await on.pool.query('UPDATE trunks SET calls_per_second = 12, legs = 8');
  expect(await borne()).toEqual({ 1: { callsPerSecond: 12, legs: 8 } });
});
