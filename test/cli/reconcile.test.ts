/** `ramal reconcile` and `ramal restore` with journals in files, as a service leaves them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProcessDead, ownProcessName } from '../../src/lib/processIdentity.ts';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  hostClock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
} from '../../src/engine/contract/ports.ts';
import { openFileJournal } from '../../src/journal/fileJournal.ts';
import { rowChangesFolder } from '../../src/recovery/openRowChangeJournal.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { aFolder } from '../backup/bed.ts';
import { errand } from '../engine/errand.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { ramal } from './terminal.ts';

const folder = aFolder();
let source: TestDatabase;
let archive: string;
/** Journals of the old service. */
const outgoing = join(folder.path, 'outgoing');
const account = 7;

/** As one that has ended would be named. */
const endedProcess = ownProcessName().replace(/:\d+$/, ':0');

const aNode = async (database: TestDatabase, process: string, directory: string): Promise<RamalEngine> => {
  const engine = new RamalEngine({
    kinds: [errand],
    shards: [
      {
        ...{ name: 'a', performers: {}, clock: hostClock, random: Math.random, hints: noopWakeUpHints },
        ...{ metrics: noopEngineMetrics, log: noopEngineLog, cachedMachines: 100 },
        store: postgresStore(database.pool, database.pool, [errand]),
        journal: openFileJournal({ directory, shard: 'a', log: noopEngineLog, keepDays: 30, isProcessDead }),
        membership: { name: 'north', process, isProcessDead, graceMs: 10_000 },
      },
    ],
  });
  await engine.open();
  return engine;
};

beforeAll(async () => {
  source = await freshDatabase();
  const engine = await aNode(source, endedProcess, outgoing);
  const begun = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (begun.outcome !== 'started') throw new Error('not started');
  const made = await ramal(['backup', folder.below('backups'), '--json'], {
    env: { DATABASE_URL: source.url, DATA_DIR: folder.below('old') },
  });
  archive = made.json.file as string;
  for (const text of ['one', 'two']) await engine.send(begun.ref, { type: 'word', text });
  engine.abandon();
});
afterAll(async () => {
  await source.drop();
  folder.remove();
});

const withTarget = async (
  use: (target: TestDatabase, env: Record<string, string>) => Promise<void>,
): Promise<void> => {
  const target = await freshDatabase({ migrated: false });
  try {
    await use(target, { DATABASE_URL: target.url, DATA_DIR: folder.below(`of ${target.url.slice(-8)}`) });
  } finally {
    await target.drop();
  }
};

const wordsIn = async ({ pool }: TestDatabase): Promise<string> =>
  (await pool.query<{ snapshot: string }>('SELECT snapshot::text AS snapshot FROM machines')).rows[0]!
    .snapshot;

describe('with the journals in OUTGOING_DIR', () => {
  test('a restore writes again what was done after the backup, opens the shard, and says so', () =>
    withTarget(async (target, env) => {
      const { exit, out } = await ramal(['restore', archive], { env: { ...env, OUTGOING_DIR: outgoing } });
      expect(exit).toBe(0);
      expect(out).toContain('shard a is open.');
      expect(out).toMatch(/ {2}2 commits of node \d+ \(north\): written again/);
      expect(out).toContain('machines in them: 1 errand');
      expect(out).toContain('What was done after the backup is written again');
      expect(await wordsIn(target)).toContain('["one","two"]');
      const shards = await ramal(['shard', 'ls'], { env });
      expect([shards.exit, shards.out]).toEqual([0, 'a  open\n']);
    }));
});

describe('without a journal', () => {
  test('a restored backup stays closed and says what to do; a folder with the journals opens it', () =>
    withTarget(async (target, env) => {
      const restored = await ramal(['restore', archive], { env });
      expect(restored.exit).toBe(0);
      expect(restored.out).toMatch(
        /shard a is closed: restored from a backup of .+, and no journal is at hand\./,
      );
      expect(restored.out).toContain('npx ramal reconcile <folder>');
      expect(restored.out).toContain('npx ramal shard open a --redial');
      const [look] = /DATA_DIR=\S.* npx ramal shard ls/.exec(restored.out.split(';').at(-1)!)!;
      const pasted = spawnSync('sh', ['-c', `npx() { printf '%s' "$DATA_DIR $*"; }; ${look}`]);
      expect(String(pasted.stdout)).toBe(`${env.DATA_DIR} ramal shard ls`);
      const shards = await ramal(['shard', 'ls'], { env });
      expect(shards.exit).toBe(1);
      expect(shards.out).toMatch(/^a {2}closed {2}restored from a backup/);
      expect(shards.out).toContain('npx ramal reconcile <folder>');

      const brought = join(folder.path, 'brought');
      cpSync(outgoing, brought, { recursive: true });
      const { exit, json } = await ramal(['reconcile', brought, '--json'], { env });
      expect(exit).toBe(0);
      expect(json.shards).toMatchObject([
        {
          ...{ shard: 'a', outcome: 'opened', reason: '', machines: { errand: 1 }, calls: 0 },
          ...{ nodes: [{ name: 'north', commits: 2 }], destinations: [], missing: [] },
        },
      ]);
      expect(await wordsIn(target)).toContain('["one","two"]');
      const again = await ramal(['reconcile', brought], { env });
      expect([again.exit, again.out]).toEqual([
        0,
        'shard a is open, and lacks no commit that is in the journals at hand.\n',
      ]);
    }));

  test('of a node that held machines, it says what the node held and what to bring', () =>
    withTarget(async (target, env) => {
      await ramal(['restore', archive], { env });
      const elsewhere = folder.below('another outgoing');
      const other = await aNode(target, endedProcess, elsewhere);
      other.abandon();
      const { exit, out, json } = await ramal(['reconcile', elsewhere, '--json'], { env });
      expect(out).not.toBe('');
      expect(exit).toBe(1);
      const [{ outcome, missing }] = json.shards;
      expect(outcome).toBe('closed');
      expect(missing).toMatchObject([
        {
          name: 'north',
          machines: [{ account, kind: 'errand', machines: 1 }],
          campaigns: [],
          calls: 0,
          lives: false,
        },
      ]);
      const said = await ramal(['reconcile', elsewhere], { env });
      expect(said.out).toMatch(/node \d+ \(north, joined .+\): its journal is missing\. It held/);
      expect(said.out).toContain('account 7: 1 errand');
      expect(said.out).toMatch(/Bring the journals \(\d+\.\*\.journal\*\) of their hosts/);
    }));
});

describe('with a journal in OUTGOING_DIR that cannot be read', () => {
  test('the shard stays closed and says so; a whole copy opens it, and takes the place of what cannot be read', () =>
    withTarget(async (_target, env) => {
      const own = folder.below(`own ${env.DATABASE_URL!.slice(-8)}`);
      cpSync(outgoing, own, { recursive: true });
      const [name] = readdirSync(join(own, 'a'));
      const path = join(own, 'a', name!);
      truncateSync(path, 0);
      const restored = await ramal(['restore', archive], { env: { ...env, OUTGOING_DIR: own } });
      expect(restored.out).toContain(`the head of the journal cannot be read (${path}, at byte 0)`);
      const closed = await ramal(['reconcile', '--json'], { env: { ...env, OUTGOING_DIR: own } });
      expect([closed.exit, closed.json.shards[0].outcome]).toEqual([1, 'closed']);
      expect(JSON.parse(closed.err.split('\n')[0]!)).toMatchObject({ level: 'error', path });
      const brought = await ramal(['reconcile', outgoing], { env: { ...env, OUTGOING_DIR: own } });
      expect([brought.exit, brought.out]).toEqual([0, expect.stringContaining('2 commits of node')]);
      expect(readFileSync(path)).toEqual(readFileSync(join(outgoing, 'a', name!)));
      expect(readdirSync(join(own, 'a')).toSorted()).toEqual([name, `${name}.damaged`]);
      const again = await ramal(['reconcile'], { env: { ...env, OUTGOING_DIR: own } });
      expect([again.exit, again.out]).toEqual([0, expect.stringContaining('is open, and lacks no commit')]);
    }));

  test('where it is one of rows, a restore says what may be lacking, and scripts hear it from its exit code', () =>
    withTarget(async (_target, env) => {
      const own = folder.below(`rows ${env.DATABASE_URL!.slice(-8)}`);
      cpSync(outgoing, own, { recursive: true });
      const [name] = readdirSync(join(own, 'a'));
      const rows = join(rowChangesFolder(own), 'control');
      mkdirSync(rows, { recursive: true });
      writeFileSync(join(rows, name!), '');
      const restored = await ramal(['restore', archive], { env: { ...env, OUTGOING_DIR: own } });
      expect(restored.out).toContain('the control database may lack rows still');
      expect(restored.out).toContain('shard a is open.');
      expect(restored.exit).toBe(1);
    }));
});

test('the lines of the guide do what it says', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/after-a-failover.md'), 'utf8');
  const lines = [...guide.matchAll(/```sh[^\n]*\nnpx ramal ([^`\n]+)\n```/g)].map(([, line]) =>
    line!.split(' '),
  );
  // What the second one does is shown by `test/service/start.test.ts`.
  const [look, restored, bring, decide] = lines;
  expect([lines.length, look, restored, bring![0], decide]).toEqual([
    ...[4, ['shard', 'ls'], ['start', '--restored'], 'reconcile', ['shard', 'open', 'a', '--redial']],
  ]);
  await withTarget(async (target, env) => {
    await ramal(['restore', archive], { env });
    expect((await ramal(look!, { env })).exit).toBe(1);
    const empty = folder.below('empty');
    mkdirSync(join(empty, 'a'), { recursive: true });
    const folders = bring!.slice(1).map((_, index) => (index === 0 ? empty : outgoing));
    const brought = await ramal(['reconcile', ...folders], { env });
    expect([brought.exit, brought.out]).toEqual([0, expect.stringContaining('2 commits of node')]);
    expect(await wordsIn(target)).toContain('["one","two"]');
    expect((await ramal(look!, { env })).exit).toBe(0);
  });
  await withTarget(async (target, env) => {
    await ramal(['restore', archive], { env });
    expect((await ramal(decide!, { env })).out).toContain('shard a is open');
    expect(await wordsIn(target)).not.toContain('two');
  });
});

test('a folder without journals, and one that is not there, are refused by name', async () => {
  const env = { DATABASE_URL: source.url, DATA_DIR: folder.below('old') };
  const gone = await ramal(['reconcile', join(folder.path, 'gone')], { env });
  expect([gone.exit, gone.err]).toEqual([1, expect.stringContaining('there is no folder')]);
  mkdirSync(join(folder.path, 'bare'));
  const bare = await ramal(['reconcile', join(folder.path, 'bare')], { env });
  expect([bare.exit, bare.err]).toEqual([
    1,
    expect.stringContaining('holds no journals: name a copy of an OUTGOING_DIR'),
  ]);
});
