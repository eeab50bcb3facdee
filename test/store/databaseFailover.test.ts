import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabaseHosts, checkDatabaseStandbys } from '../../src/cli/doctor/databaseHostsAndStandbys.ts';
import { isTransientDatabaseError } from '../../src/store/transientError.ts';
import { classifyDatabaseError } from '../../src/store/classifyDatabaseError.ts';
import { openSingleDatabaseConnection } from '../../src/store/singleConnection.ts';
import { openDatabase } from '../../src/store/database.ts';
import { type WritableDatabaseHostSelector, databaseHostsOf } from '../../src/store/databaseFailover.ts';
import {
  findSplitBrain,
  watchForDatabaseSplitBrain,
} from '../../src/store/databaseFailover/splitBrainWatch.ts';
import { openDatabasePool } from '../../src/store/pool.ts';
import {
  readDatabaseStandbys,
  describeAsynchronousStandbyRisk,
} from '../../src/store/checkSynchronousStandbys.ts';
import { openPair, type Pair } from '../helpers/postgres/pair.ts';
import { openProxy } from '../helpers/postgres/proxy.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await openPair();
  await pair.primary.ask('CREATE TABLE notes (n int)');
  await pair.caughtUp();
});
afterAll(() => pair.close());

/** Both servers, in this order. */
const urlOf = (...ports: number[]): string => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const login = new URL(pair.primary.url);
  return `postgresql://${login.username}:${login.password}@${hosts}/postgres?target_session_attrs=read-write`;
};
const both = () => urlOf(pair.primary.port, pair.standby.port);
const standbyFirst = () => urlOf(pair.standby.port, pair.primary.port);

const poolOn = (url: string, options: { hosts?: WritableDatabaseHostSelector } = {}): Pool => {
  const pool = openDatabasePool({ name: 'a', url, schema: 'public' }, { queryTimeoutMs: 5_000, ...options });
  onTestFinished(() => pool.end());
  return pool;
};
const portOf = async (pool: Pool): Promise<number> =>
  (await pool.query<{ port: number }>('SELECT inet_server_port() AS port')).rows[0]!.port;
const note = (pool: Pool, n: number) => pool.query('INSERT INTO notes VALUES ($1)', [n]);
/** Tries until it is written; how long that took, milliseconds. */
const noteAgain = async (pool: Pool, n: number): Promise<number> => {
  const since = performance.now();
  await expect
    .poll(
      () =>
        note(pool, n).then(
          () => 'written',
          (error: Error) => error.message,
        ),
      { interval: 20 },
    )
    .toBe('written');
  return Math.round(performance.now() - since);
};

describe('an address with a primary and a standby', () => {
  it('leads to the primary wherever it stands, for pools, Prisma and single connections', async () => {
    for (const url of [both(), standbyFirst()]) {
      expect(await portOf(poolOn(url))).toBe(pair.primary.port);
      const client = await openSingleDatabaseConnection({ url, schema: 'public' });
      onTestFinished(() => client.end());
      const { rows } = await client.query('SELECT inet_server_port() AS port');
      expect(rows).toEqual([{ port: pair.primary.port }]);
      const database = openDatabase({ name: 'a', url, schema: 'public' });
      onTestFinished(() => database.close());
      const counted = await database.prisma.$executeRaw`INSERT INTO notes VALUES (0)`;
      expect(counted).toBe(1);
    }
  });

  it('opens one round of looks for many connections that are asked for at once', async () => {
    const proxy = await openProxy(pair.standby.port);
    onTestFinished(() => proxy.close());
    const pool = poolOn(urlOf(proxy.port, pair.primary.port));
    await Promise.all(Array.from({ length: 10 }, () => portOf(pool)));
    expect(proxy.connections).toBe(1);
  });

  it('asks seldom while none is there, however many want to connect', async () => {
    const proxy = await openProxy(pair.primary.port);
    onTestFinished(() => proxy.close());
    proxy.cut();
    const pool = poolOn(urlOf(proxy.port));
    const since = performance.now();
    for (let times = 0; times < 20; times++)
      await Promise.all(Array.from({ length: 20 }, () => portOf(pool).catch(() => 0)));
    // A round every 200 ms, and the first.
    expect(proxy.connections).toBeLessThanOrEqual((performance.now() - since) / 200 + 1);
  });

  it('waits for a primary that answers late, beside a standby that answers at once', async () => {
    const proxy = await openProxy(pair.primary.port);
    onTestFinished(() => proxy.close());
    proxy.silence();
    const asked = portOf(poolOn(urlOf(pair.standby.port, proxy.port)));
    // Longer than a round of looks, shorter than any look.
    setTimeout(() => proxy.mend(), 1_000);
    expect(await asked).toBe(pair.primary.port);
  });

  it('is shown by the doctor, server by server, with what a failover would lose', async () => {
    const found = await checkDatabaseHosts({
      name: 'database',
      url: standbyFirst(),
      setting: 'DATABASE_URL',
    });
    expect(found.map(({ level, says }) => `${level}: ${says}`)).toEqual([
      `ok: 127.0.0.1:${pair.standby.port} is a standby (timeline 1)`,
      `ok: 127.0.0.1:${pair.primary.port} takes writes (timeline 1)`,
    ]);
    const pool = poolOn(both());
    expect(await checkDatabaseStandbys('database', pool)).toEqual([
      expect.objectContaining({
        level: 'warning',
        says: expect.stringContaining('none is synchronous'),
        todo: expect.stringContaining('synchronous_standby_names'),
      }),
    ]);
  });

  it('warns where its role sees no more than that there are standbys, and not where commits wait for one', async () => {
    await pair.primary.ask(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
    const url = both().replace(/\/\/[^@]+@/, '//plain:plain@');
    await pair.caughtUp();
    expect(describeAsynchronousStandbyRisk(await readDatabaseStandbys(poolOn(url)))).toContain(
      'a standby is attached',
    );
    await pair.primary.set({ synchronous_standby_names: 'standby' });
    const pool = poolOn(both());
    await expect
      .poll(async () => describeAsynchronousStandbyRisk(await readDatabaseStandbys(pool)))
      .toBeUndefined();
    expect(await readDatabaseStandbys(poolOn(url))).toMatchObject({ attached: 1, synchronous: undefined });
    await pool.query('SET synchronous_commit = local');
    await pair.primary.set({ synchronous_standby_names: null });
  });

  it('refuses with the code of a demoted server while none takes writes, and serves again by itself', async () => {
    const pool = poolOn(standbyFirst());
    await note(pool, 1);
    await pair.primary.set({ default_transaction_read_only: 'on' });
    let error: unknown;
    await expect
      .poll(async () => String((error = await note(pool, 2).catch((failure: unknown) => failure))))
      .toContain('takes no writes');
    expect(error).toMatchObject({ code: '25006' });
    expect((error as Error).message).toContain(`"127.0.0.1:${pair.standby.port}" is a standby`);
    expect([classifyDatabaseError(error), isTransientDatabaseError(error)]).toEqual(['unavailable', true]);
    await pair.primary.set({ default_transaction_read_only: null });
    await noteAgain(pool, 2);
  });

  it('finds the promoted standby though the primary hangs with connections open, and cuts those', async () => {
    const hosts = databaseHostsOf(both())!;
    const moves: string[] = [];
    const splits: (string | undefined)[] = [];
    const watch = watchForDatabaseSplitBrain(hosts, {
      moved: (from, to) => void moves.push(`${from} to ${to}`),
      split: (sentence) => void splits.push(sentence),
    });
    onTestFinished(() => watch.stop());
    const pool = poolOn(both(), { hosts });
    await Promise.all([note(pool, 3), note(pool, 3), note(pool, 3)]);
    await pair.caughtUp();
    pair.primary.suspend();
    const hanging = note(pool, 4).catch((error: Error) => error.message);
    await pair.promote();
    const tookMs = await noteAgain(pool, 5);
    console.log(`written to the promoted standby ${tookMs} ms after its promotion, the old primary hanging`);
    expect(await hanging).toContain('Connection terminated');
    expect(await portOf(pool)).toBe(pair.standby.port);
    expect(moves).toEqual([`127.0.0.1:${pair.primary.port} to 127.0.0.1:${pair.standby.port}`]);
    expect(splits).toEqual([]);

    // The old primary goes on as if nothing had been.
    pair.primary.resume();
    await expect
      .poll(() => splits)
      .toEqual([
        `two servers take writes: "127.0.0.1:${pair.standby.port}" (timeline 2) and "127.0.0.1:${pair.primary.port}" (timeline 1)`,
      ]);
    expect(await portOf(pool)).toBe(pair.standby.port);
    await pair.primary.stop();
    await expect.poll(() => splits).toHaveLength(2);
    expect(splits[1]).toBeUndefined();
  });

  it('is away as a single server is when all of them are', async () => {
    await pair.standby.kill();
    const pool = poolOn(both());
    const error: unknown = await note(pool, 6).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect((error as Error).message).toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:\d+; connect ECONNREFUSED/);
    expect([classifyDatabaseError(error), isTransientDatabaseError(error)]).toEqual(['unavailable', true]);
    expect(await findSplitBrain(databaseHostsOf(both())!)).toBeUndefined();
  });
});

it('follows an address that moves, and leaves the server that it has moved away from', async () => {
  const second = await openPair();
  onTestFinished(() => second.close());
  await second.primary.ask('CREATE TABLE notes (n int)');
  await second.caughtUp();
  const proxy = await openProxy(second.primary.port);
  onTestFinished(() => proxy.close());
  const hosts = databaseHostsOf(`${proxy.before(second.primary.url)}?target_session_attrs=read-write`)!;
  let moves = 0;
  const watch = watchForDatabaseSplitBrain(hosts, { moved: () => void (moves += 1), split: () => {} });
  onTestFinished(() => watch.stop());
  const pool = poolOn(`${proxy.before(second.primary.url)}?target_session_attrs=read-write`, { hosts });
  const kept = await pool.connect();
  const broken = new Promise((resolve) => kept.once('error', resolve));

  // Connections of before stay where they are; a new one meets the standby, and is not had.
  proxy.switchTo(second.standby.port, { keep: true });
  await expect(pool.connect()).rejects.toMatchObject({ code: '25006' });
  expect((await kept.query('SELECT inet_server_port() AS port')).rows).toEqual([
    { port: second.primary.port },
  ]);

  await second.primary.set({ default_transaction_read_only: 'on' });
  await second.caughtUp();
  await second.promote();
  await noteAgain(pool, 1);
  expect(await portOf(pool)).toBe(second.standby.port);
  await broken;
  kept.release();
  expect(moves).toBe(1);
});

it('stays with the primary when a standby is promoted beside it, and tells of the split brain', async () => {
  const torn = await openPair();
  onTestFinished(() => torn.close());
  const hosts = databaseHostsOf(torn.url())!;
  const moves: string[] = [];
  const splits: (string | undefined)[] = [];
  const watch = watchForDatabaseSplitBrain(hosts, {
    moved: (from) => void moves.push(from),
    split: (sentence) => void splits.push(sentence),
  });
  onTestFinished(() => watch.stop());
  const pool = poolOn(torn.url(), { hosts });
  expect(await portOf(pool)).toBe(torn.primary.port);
  await torn.promote();
  await expect
    .poll(() => splits)
    .toEqual([
      `two servers take writes: "127.0.0.1:${torn.primary.port}" (timeline 1) and "127.0.0.1:${torn.standby.port}" (timeline 2)`,
    ]);
  expect(await portOf(pool)).toBe(torn.primary.port);
  expect(moves).toEqual([]);
});
