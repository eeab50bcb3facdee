import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMountNamespaceWrapper } from '../../src/store/embedded/exposeFoldersByMountNamespace.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';

/** A folder with a database that nobody has used yet. */
let unused: string;
let home: string;
let dataDir: string;
const servers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  unused = mkdtempSync(join(tmpdir(), 'ramal-unused-'));
  await (await startEmbeddedPostgres({ dataDir: unused })).stop();
});
afterAll(() => rmSync(unused, { recursive: true }));
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ramal-embedded-'));
  chmodSync(home, 0o755);
  dataDir = join(home, 'data');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(home, { recursive: true });
});

const start = async (options = {}) => {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  servers.push(server);
  return server;
};

/** The folder has its database already; to make one takes longer than all that most tests do with it. */
const hasDatabase = () => execFileSync('cp', ['-a', unused, dataDir]);

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const answers = (url: string) =>
  ask(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

/** Another process that starts the server of the same folder, and stops it when told. */
async function neighbour(): Promise<{
  process: ChildProcess;
  url: string;
  adopted: boolean;
  leave(): Promise<void>;
}> {
  const process = fork(join(import.meta.dirname, '../helpers/embeddedUser.js'), [dataDir]);
  const [server] = (await once(process, 'message')) as [{ url: string; adopted: boolean }];
  return {
    process,
    ...server,
    async leave() {
      process.send('leave');
      await once(process, 'exit');
    },
  };
}

const postmaster = () =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);

test('keeps what is written from one start to the next', async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(await answers(first.url)).toBe(false);
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('runs durably and in UTC, whatever the folder says', async () => {
  hasDatabase();
  const first = await startEmbeddedPostgres({ dataDir });
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await ask(first.url, `ALTER SYSTEM SET ${name} = off`);
  }
  await first.stop();
  const { url } = await start();
  const shown = await ask(
    url,
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync','synchronous_commit','full_page_writes','TimeZone') ORDER BY 1`,
  );
  expect(shown.map(({ name, setting }) => [name, setting])).toEqual([
    ['TimeZone', 'UTC'],
    ['fsync', 'on'],
    ['full_page_writes', 'on'],
    ['synchronous_commit', 'on'],
  ]);
});

test('keeps the password to its owner', async () => {
  const { url } = await start();
  expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('adopts the server that a killed process left running', async () => {
  hasDatabase();
  const killed = await neighbour();
  await ask(killed.url, 'CREATE TABLE kept AS SELECT 7 AS answer');
  killed.process.kill('SIGKILL');
  await once(killed.process, 'exit');
  const server = await startEmbeddedPostgres({ dataDir });
  expect(server).toMatchObject({ adopted: true, url: killed.url });
  expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 7 }]);
  await server.stop();
  expect(await answers(server.url)).toBe(false);
});

test('recovers what was committed when the server itself was killed', async () => {
  hasDatabase();
  const first = await start();
  await ask(first.url, 'CREATE TABLE kept AS SELECT 9 AS answer');
  process.kill(postmaster(), 'SIGKILL');
  const second = await start();
  expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 9 }]);
});

test('a server that dies while it is used comes back at its address', async () => {
  hasDatabase();
  const said: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => said.push(line) });
  await ask(server.url, 'CREATE TABLE kept AS SELECT 5 AS answer');
  process.kill(postmaster(), 'SIGKILL');
  await expect.poll(() => said).toContain('the database runs again');
  expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 5 }]);
  await server.stop();
  expect(await answers(server.url)).toBe(false);
});

test('is shared by processes, and stopped by the last one to leave', async () => {
  hasDatabase();
  const mine = await startEmbeddedPostgres({ dataDir });
  const theirs = await neighbour();
  expect(theirs).toMatchObject({ adopted: true, url: mine.url });
  await mine.stop();
  expect(await answers(theirs.url)).toBe(true);
  await theirs.leave();
  expect(await answers(theirs.url)).toBe(false);
});

test('starts once when several processes begin at the same moment on an empty folder', async () => {
  const all = await Promise.all([neighbour(), neighbour(), start()]);
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
  expect(all.filter(({ adopted }) => !adopted)).toHaveLength(1);
  await all[0].leave();
  expect(await answers(all[2].url)).toBe(true);
  await all[1].leave();
});

test('one may come while the other goes', async () => {
  hasDatabase();
  let going = await startEmbeddedPostgres({ dataDir });
  for (let round = 0; round < 5; round += 1) {
    const [, coming] = await Promise.all([going.stop(), startEmbeddedPostgres({ dataDir })]);
    expect(await answers(coming.url)).toBe(true);
    going = coming;
  }
  await going.stop();
});

test('refuses the folder of another major version in a sentence', async () => {
  hasDatabase();
  writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '16\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /made by PostgreSQL 16 and this release runs PostgreSQL 18/,
  );
});

test('says why a server does not start', async () => {
  hasDatabase();
  rmSync(join(dataDir, 'postgres/data/global'), { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/did not start: .*global/);
});

/** Why a closed folder cannot be passed by here; undefined: it can. */
const noView =
  spawnSync('unshare', ['-m', 'true']).status === 0
    ? undefined
    : 'this machine lets nobody make a mount namespace (unshare -m)';

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('the server runs as another user', async () => {
    await start();
    expect(statSync(`/proc/${postmaster()}`).uid).not.toBe(0);
  });

  test.skipIf(noView)(
    `a folder above that is closed to the server stays as it is, and the server reaches its own all the same${noView ? `: ${noView}` : ''}`,
    async () => {
      chmodSync(home, 0o700);
      const before = statSync(home);
      const said: string[] = [];
      const { url, stop } = await start({ log: (line: string) => said.push(line) });
      expect(await answers(url)).toBe(true);
      expect(statSync(`/proc/${postmaster()}`).uid).not.toBe(0);
      // The clone may lie in such a folder as well: then the sentence names both.
      expect(said).toEqual([expect.stringContaining('stays closed to it')]);
      expect(said[0]).toContain(home);
      // Another process finds the same server.
      const other = await startEmbeddedPostgres({ dataDir });
      expect(other.adopted).toBe(true);
      await other.stop();
      await stop();
      expect(await answers((await start()).url)).toBe(true);
      const { mode, uid, gid } = statSync(home);
      expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
    },
  );

  test('where it cannot be brought there the start is refused in a sentence, and nothing is opened', async () => {
    chmodSync(home, 0o700);
    const path = process.env['PATH'];
    process.env['PATH'] = join(home, 'nothing');
    try {
      const identity = { uid: 65534, gid: 65534 };
      expect(() => createMountNamespaceWrapper([join(home, 'data')], identity, () => {})).toThrow(
        `does not reach ${join(home, 'data')}: ${home} is closed, and stays so. Choose a DATA_DIR`,
      );
    } finally {
      process.env['PATH'] = path;
    }
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });
});
