import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { openPair, type Pair } from './pair.ts';
import { openProxy, type Proxy } from './proxy.ts';
import type { TestServer } from './server.ts';

const notesOn = async (server: TestServer): Promise<number[]> =>
  (await server.ask<{ n: number }>('SELECT n FROM notes ORDER BY n')).map(({ n }) => n);
const note = (server: TestServer, n: number) => server.ask('INSERT INTO notes VALUES ($1)', [n]);
const timelineOf = async (server: TestServer): Promise<string> => {
  const [row] = await server.ask<{ at: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS at');
  return row!.at.slice(0, 8);
};

describe('a pair of servers', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair();
    await pair.primary.ask('CREATE TABLE notes (n int)');
  });
  afterAll(() => pair.close());

  it('is reached through an address that moves, is cut and goes silent', async () => {
    const { primary, standby } = pair;
    const proxy = await openProxy(primary.port);
    try {
      expect(await portBehind(proxy, primary.url)).toBe(primary.port);
      proxy.switchTo(standby.port);
      expect(await portBehind(proxy, primary.url)).toBe(standby.port);
      proxy.silence();
      await expect(portBehind(proxy, primary.url)).rejects.toThrow('timeout');
      proxy.mend();
      proxy.cut();
      await expect(portBehind(proxy, primary.url)).rejects.toThrow(/ECONNRESET|terminated/);
      proxy.mend();
      expect(await portBehind(proxy, primary.url)).toBe(standby.port);
    } finally {
      await proxy.close();
    }
  });

  it('lacks after a promotion what was committed while the standby was held back', async () => {
    const { primary, standby } = pair;
    await note(primary, 1);
    await pair.caughtUp();
    await pair.lag();
    await note(primary, 2);
    await pair.killPrimary();
    await pair.promote();
    await note(standby, 3);
    expect(await notesOn(standby)).toEqual([1, 3]);
    expect(await timelineOf(standby)).toBe('00000002');
    await primary.start();
    expect(await notesOn(primary)).toEqual([1, 2]);
  });

  it('goes back to a backup of its primary, on the same port', async () => {
    const { primary } = pair;
    const backup = await pair.backup();
    await note(primary, 4);
    await backup.restore(primary);
    expect(await notesOn(primary)).toEqual([1, 2]);
    expect(await timelineOf(primary)).toBe('00000001');
    await note(primary, 5);
    await backup.restore(primary, { newTimeline: true });
    expect(await notesOn(primary)).toEqual([1, 2]);
    expect(await timelineOf(primary)).toBe('00000002');
  });
});

it('has everything after the promotion of a synchronous standby, and a commit hangs while that is silent', async () => {
  const pair = await openPair({ synchronous: true });
  try {
    const { primary, standby } = pair;
    await primary.ask('CREATE TABLE notes (n int)');
    await note(primary, 1);
    standby.suspend();
    const pending = note(primary, 2).then(
      () => 'confirmed',
      () => 'never confirmed',
    );
    await expect
      .poll(() => primary.ask(`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`))
      .toHaveLength(1);
    await pair.killPrimary();
    expect(await pending).toBe('never confirmed');
    standby.resume();
    await pair.promote();
    expect(await notesOn(standby)).toContain(1);
  } finally {
    await pair.close();
  }
});

it('is promoted again and again: the server that was replaced follows the new primary from a fresh copy', async () => {
  const pair = await openPair();
  try {
    await pair.primary.ask('CREATE TABLE notes (n int)');
    const ports = [pair.primary.port, pair.standby.port];
    for (const n of [1, 2]) {
      await note(pair.primary, n);
      await pair.caughtUp();
      await pair.killPrimary();
      await pair.promote();
      await pair.rebuild();
      expect([pair.primary.port, pair.standby.port]).toEqual(n === 1 ? ports.toReversed() : ports);
      expect(await notesOn(pair.standby)).toEqual(n === 1 ? [1] : [1, 2]);
    }
    expect(await timelineOf(pair.primary)).toBe('00000003');
  } finally {
    await pair.close();
  }
});

const portBehind = async (proxy: Proxy, url: string): Promise<number> => {
  const client = new Client({
    ...{ connectionString: proxy.before(url), connectionTimeoutMillis: 500, query_timeout: 500 },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
    return rows[0]!.port;
  } finally {
    await client.end().catch(() => {});
  }
};
