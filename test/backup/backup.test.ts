/** Backups of real databases, and what becomes of them when they are restored. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markRestoredShardsClosed } from '../../src/backup/closeRestoredShards.ts';
import { verifyBackupArchive } from '../../src/backup/checkAndReadArchive.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openDatabasePool } from '../../src/store/pool.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aFolder, back, contentOf, type Env, fill, fillMedia, restore, tablesOf } from './bed.ts';
import { listMigrations } from '../../src/store/listMigrations.ts';

const secretKey = 'the-secret-key-of-these-tests';
const adminToken = 'the-admin-token-of-these-tests';
const passphrase = 'correct horse battery staple';

const folder = aFolder();
let source: TestDatabase;
let env: Env;
/** An archive of it with secrets. */
let archive: string;
const opened: TestDatabase[] = [];

const empty = async (): Promise<TestDatabase> => {
  const database = await freshDatabase({ migrated: false });
  opened.push(database);
  return database;
};
let folders = 0;
const aDataDir = (): string => folder.below(`data-${(folders += 1)}`);
const settings = (database: TestDatabase, more: Env = {}): Env => ({
  DATABASE_URL: database.url,
  DATA_DIR: aDataDir(),
  ...more,
});

beforeAll(async () => {
  source = await freshDatabase();
  opened.push(source);
  await fill(source.pool);
  await source.pool.query(`CREATE SEQUENCE numbers; SELECT setval('numbers', 42)`);
  env = settings(source, { SECRET_KEY: secretKey });
  fillMedia(env['DATA_DIR']!);
  writeFileSync(join(env['DATA_DIR']!, 'admin-token'), `${adminToken}\n`);
  archive = (await back(env, { to: { folder: folder.below('archives') }, passphrase })).file!;
});
afterAll(async () => {
  for (const database of opened) await database.drop();
  folder.remove();
});

test('every row of every table comes back to the last bit, with its partitions, every file, every secret', async () => {
  const [target, before] = [await empty(), await contentOf(source.pool)];
  expect(Object.keys(before).length).toBeGreaterThan(8);
  const to = settings(target);
  const report = await restore(to, archive, { passphrase: async () => passphrase });
  expect(await contentOf(target.pool)).toEqual(before);
  expect((await tablesOf(target.pool)).toSorted()).toEqual((await tablesOf(source.pool)).toSorted());
  expect(report).toMatchObject({ release: '0.1.0', media: { files: 3, bytes: 70_011 }, secretKey: 'fits' });
  expect(report.secrets).toEqual(['admin-token', 'secret-key']);
  for (const [name, value] of [
    ['secret-key', secretKey],
    ['admin-token', adminToken],
  ] as const) {
    // prettier-ignore
    expect(readFileSync(join(to['DATA_DIR']!, name), 'utf8')).toBe(`${value}\n`);
    expect(statSync(join(to['DATA_DIR']!, name)).mode & 0o777).toBe(0o600);
  }
  const media = join(to['DATA_DIR']!, 'media', '3');
  expect(readdirSync(media).toSorted()).toEqual(['empty.wav', `${'n'.repeat(128)}.mp3`, 'rec-1.wav']);
  expect(readFileSync(join(media, 'rec-1.wav'))).toEqual(Buffer.alloc(70_000, 7));
});

test('is closed to other users, holds every table, and is readable without us', async () => {
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  const { header, manifest } = await verifyBackupArchive(archive);
  const tables = header.places[0]!.tables.map(({ name }) => name);
  expect(tables.toSorted()).toEqual(
    (await tablesOf(source.pool)).filter((name) => name !== '_prisma_migrations').toSorted(),
  );
  expect(header.places).toMatchObject([{ control: true, shards: ['a'] }]);
  expect(manifest.places[0]!['accounts']!.rows).toBe(12);
  const hash = createHash('sha256');
  for (const part of partsOf(gunzipSync(readFileSync(archive)), 'rows/0/claims/')) hash.update(part);
  expect(manifest.places[0]!['claims']!.sha256).toBe(hash.digest('hex'));
});

const flipped = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes);
  other[at]! ^= 4;
  return other;
};

const unpacksTo = (content: Buffer, packed: Buffer): boolean => {
  try {
    return gunzipSync(packed).equals(content);
  } catch {
    return false;
  }
};

/** Contents of a tar's files, by how their names begin. */
const partsOf = (tar: Buffer, prefix: string): Buffer[] => {
  const parts: Buffer[] = [];
  for (let at = 0; at + 512 < tar.length;) {
    const size = Number.parseInt(tar.subarray(at + 124, at + 135).toString(), 8) || 0;
    if (tar.subarray(at, at + prefix.length).toString() === prefix)
      parts.push(tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return parts;
};

test('what is written while it is read is not in it', async () => {
  const [live, target] = [await freshDatabase(), await empty()];
  opened.push(live);
  await fill(live.pool, 5_000);
  const before = await contentOf(live.pool);
  const pipe = new PassThrough({ highWaterMark: 1 });
  const making = back(settings(live), { to: { pipe } });
  const first = await new Promise<Buffer>((resolve) => void pipe.once('data', (bytes) => resolve(bytes)));
  pipe.pause();
  // It stands in the middle of the archive now, and waits for its reader.
  await live.pool.query(`DELETE FROM machines WHERE id % 2 = 0`);
  await live.pool.query(`UPDATE claims SET answer = 'later'`);
  await live.pool.query(`INSERT INTO accounts (id, name, shard, created_at) VALUES (99, 'later', 'a', 1)`);
  const rest = buffer(pipe);
  await making;
  pipe.end();
  const path = join(folder.below('piped'), 'archive');
  writeFileSync(path, Buffer.concat([first, await rest]));
  await restore(settings(target), path);
  expect(await contentOf(target.pool)).toEqual(before);
});

test('shards in other databases and schemas come along, and go where the settings say', async () => {
  const [control, other] = [await freshDatabase(), await freshDatabase()];
  opened.push(control, other);
  const within = openDatabasePool({ name: 'c', url: control.url, schema: 'third' }, { maxConnections: 2 });
  await migrate(within, 'third');
  await Promise.all([fill(control.pool, 10), fill(other.pool, 20), fill(within, 30)]);
  const shards = (two: TestDatabase) =>
    JSON.stringify([{ name: 'a' }, { name: 'b', url: two.url }, { name: 'c', schema: 'third' }]);
  const report = await back(settings(control, { SHARDS: shards(other) }), {
    to: { folder: folder.below('shards') },
  });
  expect(report.places.map(({ name }) => name)).toEqual(['shard b', 'shard c', 'control and shard a']);

  const [to, two] = [await empty(), await empty()];
  await expect(restore(settings(to), report.file!)).rejects.toThrow(
    'the backup holds [shard b] and [shard c] and [control and shard a], and the settings name [control and shard a]: set DATABASE_URL and SHARDS so that the same lie together',
  );
  expect(await tablesOf(to.pool)).toEqual([]);
  await restore(settings(to, { SHARDS: shards(two) }), report.file!);
  const third = openDatabasePool({ name: 'c', url: to.url, schema: 'third' }, { maxConnections: 1 });
  for (const [from, into] of [
    [control.pool, to.pool],
    [other.pool, two.pool],
    [within, third],
  ] as const)
    // prettier-ignore
    expect(await contentOf(into)).toEqual(await contentOf(from));
  await Promise.all([within.end(), third.end()]);
});

test('two addresses of one database are one place', async () => {
  const url = `${source.url}?application_name=another`;
  const report = await back(settings(source, { SHARDS: JSON.stringify([{ name: 'a', url }]) }), {
    to: { folder: folder.below('twice') },
  });
  expect(report.places.map(({ name }) => name)).toEqual(['control and shard a']);
});

test('a backup of an earlier release is brought to this one', async () => {
  const [older, target] = [await freshDatabase({ migrated: false }), await empty()];
  opened.push(older);
  const then = listMigrations().slice(0, 5);
  await migrate(older.pool, 'public', then);
  await older.pool.query(`INSERT INTO accounts (id, name, shard, created_at) VALUES (7, 'old', 'a', 1)`);
  const { file } = await back(settings(older), { to: { folder: folder.below('older') } });
  await restore(settings(target), file!);
  expect((await target.pool.query('SELECT name FROM accounts')).rows).toEqual([{ name: 'old' }]);
  expect(await migrate(target.pool)).toEqual([]);
});

describe('refuses, before anything is changed,', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await empty();
  });
  const refused = async (path: string, sentence: string | RegExp): Promise<void> => {
    const to = settings(target);
    await expect(restore(to, path, { passphrase: async () => passphrase })).rejects.toThrow(sentence);
    expect(await tablesOf(target.pool)).toEqual([]);
    expect(readdirSync(to['DATA_DIR']!)).toEqual([]);
  };
  const written = (content: Buffer | string): string => {
    const path = join(folder.below('altered'), `${(folders += 1)}.tar.gz`);
    writeFileSync(path, content);
    return path;
  };
  /** An archive whose tar was altered and compressed again. */
  const altered = (alter: (tar: Buffer) => void): string => {
    const tar = gunzipSync(readFileSync(archive));
    alter(tar);
    return written(gzipSync(tar));
  };

  test.each([0.1, 0.5, 0.9, 0.999])('an archive of which %d is there', async (share) => {
    const whole = readFileSync(archive);
    await refused(
      written(whole.subarray(0, Math.floor(whole.length * share))),
      / is not whole: it ends too soon| only its beginning$/,
    );
  });

  test('an archive with a bit turned around, wherever it stands', async () => {
    const whole = readFileSync(archive);
    const content = gunzipSync(whole);
    // Behind the head of gzip, which has bits that say nothing.
    for (let share = 0; share < 1; share += 0.03) {
      let at = 10 + Math.floor((whole.length - 10) * share);
      // A bit that changes nothing of what is unpacked (a distance, among bytes that repeat) is no damage.
      while (unpacksTo(content, flipped(whole, at))) at += 1;
      await refused(written(flipped(whole, at)), /is damaged|is not whole| or only its beginning$/);
    }
  });

  test('an archive that was unpacked, altered and packed again', async () => {
    await refused(
      altered((tar) => void tar.write('9', tar.indexOf('5511910\t') + 5)),
      'is damaged: the table list_records is not what its manifest says',
    );
    await refused(
      altered((tar) => void tar.write('evil', tar.indexOf('a long name'))),
      'is damaged: its content is not what its manifest says',
    );
  });

  test('an archive without its end, packed in order', async () => {
    const tar = gunzipSync(readFileSync(archive));
    const end = tar.lastIndexOf('manifest.json\0');
    await refused(
      written(gzipSync(Buffer.concat([tar.subarray(0, end), Buffer.alloc(1024)]))),
      'is not whole',
    );
  });

  test('what is no archive of ours', async () => {
    for (const foreign of ['', 'SELECT 1;', gzipSync('SELECT 1;'), Buffer.alloc(100_000, 3)])
      await refused(written(foreign), 'is no backup of Ramal');
    await refused(join(folder.path, 'nowhere.tar.gz'), 'there is no file');
    await refused(folder.path, 'is a folder: name the archive in it');
  });

  test('a passphrase that does not open it, and secrets without one', async () => {
    const trying = (given: string | undefined) =>
      restore(settings(target), archive, { passphrase: async () => given });
    await expect(trying('another passphrase')).rejects.toThrow('the passphrase does not open the secrets of');
    await expect(trying(undefined)).rejects.toThrow('holds secrets: give the passphrase');
    expect(await tablesOf(target.pool)).toEqual([]);
  });

  test('a folder with other secrets', async () => {
    const to = settings(await empty());
    writeFileSync(join(to['DATA_DIR']!, 'secret-key'), 'another-secret-key-altogether');
    await expect(restore(to, archive, { passphrase: async () => passphrase })).rejects.toThrow(
      'holds another secret-key than the backup: move it away',
    );
  });

  test('a database that holds rows, or has tables of a newer release', async () => {
    const [filled, newer] = [await freshDatabase(), await freshDatabase()];
    opened.push(filled, newer);
    await filled.pool
      .query(`INSERT INTO nodes VALUES (1, 0, 'n', 'p', 0, 1, 0, 1)`)
      .catch(async () => fill(filled.pool, 2));
    await expect(restore(settings(filled), archive, { withoutSecrets: true })).rejects.toThrow(
      /^the database of control and shard a holds rows already \(.+\): a backup is restored into an empty one only$/,
    );
    const older = await freshDatabase({ migrated: false });
    opened.push(older);
    await migrate(older.pool, 'public', listMigrations().slice(0, 3));
    const { file } = await back(settings(older), { to: { folder: folder.below('older2') } });
    await expect(restore(settings(newer), file!)).rejects.toThrow(
      /has tables of a newer release than the backup/,
    );
  });
});

test('a new database that was migrated counts as empty, and nobody else starts on it meanwhile', async () => {
  const target = await freshDatabase();
  opened.push(target);
  // Of its own, like that of the source.
  await target.pool.query('CREATE SEQUENCE numbers');
  // A service that is started in the middle waits until all rows are there.
  let started: Promise<number> | undefined;
  const start = async (): Promise<number> => {
    await migrate(target.pool);
    return (await target.pool.query('SELECT FROM accounts')).rowCount!;
  };
  const progress = (what: string): void => void (what === 'comparing' && (started ??= start()));
  await restore(settings(target), archive, { withoutSecrets: true, progress });
  expect(await started).toBe(12);
  expect(await contentOf(target.pool)).toEqual(await contentOf(source.pool));
  expect((await target.pool.query(`SELECT nextval('numbers') AS next`)).rows).toEqual([{ next: 43 }]);
});

test('secrets stand nowhere in the archive as they are', () => {
  const tar = gunzipSync(readFileSync(archive));
  for (const secret of [secretKey, adminToken, passphrase]) expect(tar.includes(secret)).toBe(false);
});

test('the shard is closed, as what was done since is not in its rows', async () => {
  const target = await empty();
  // As the tables of this release have it, or will.
  await target.pool.query(
    `CREATE TABLE IF NOT EXISTS shard_state ("only" boolean PRIMARY KEY, state text, reason text, since bigint,
       system_identifier text, timeline text, doubt int DEFAULT 0, restored boolean DEFAULT false)`,
  );
  const at = Date.now();
  expect(await markRestoredShardsClosed(target.pool, 'public', { takenAt: 0, at })).toBe(true);
  const state = async () =>
    (
      await target.pool.query(
        `SELECT state, reason, since, doubt, restored, system_identifier, timeline FROM shard_state`,
      )
    ).rows;
  const closed = { state: 'closed', since: at, system_identifier: null, timeline: null, restored: true };
  expect(await state()).toEqual([
    { ...closed, doubt: 1, reason: 'restored from a backup of 1970-01-01T00:00:00.000Z' },
  ]);
  await target.pool.query(`UPDATE shard_state SET state = 'open', system_identifier = '7', timeline = '1'`);
  await markRestoredShardsClosed(target.pool, 'public', { takenAt: 1, at });
  expect(await state()).toEqual([
    { ...closed, doubt: 2, reason: 'restored from a backup of 1970-01-01T00:00:00.001Z' },
  ]);
  expect(await markRestoredShardsClosed(target.pool, 'elsewhere', { takenAt: 0, at })).toBe(false);
});

test('secrets are left out when they are not wanted; what is said of the shards stands in their tables', async () => {
  const target = await empty();
  const to = settings(target);
  const { closed, ...report } = await restore(to, archive, { withoutSecrets: true });
  expect(report).toMatchObject({ secrets: [], secretKey: 'absent' });
  expect(existsSync(join(to['DATA_DIR']!, 'secret-key'))).toBe(false);
  const hasState = (await tablesOf(target.pool)).includes('shard_state');
  expect(closed).toBe(hasState);
  const { rows } = hasState ? await target.pool.query('SELECT state FROM shard_state') : { rows: [] };
  expect(rows).toEqual(hasState ? [{ state: 'closed' }] : []);
});

describe('what is broken off', () => {
  const inside = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);

  test('a backup that is interrupted, or whose database goes away, leaves nothing', async () => {
    const to = { folder: join(folder.path, 'broken') };
    const interrupt = new AbortController();
    const listener = { progress: () => interrupt.abort(), table: () => {} };
    await expect(back(env, { to, listener, signal: interrupt.signal })).rejects.toThrow(/abort/i);
    expect(inside(to.folder)).toEqual([]);

    let ended: Promise<unknown> | undefined;
    const cut = { progress: () => void (ended ??= end(source, 'ramal backup')), table: () => {} };
    await expect(back(env, { to, listener: cut })).rejects.toThrow(
      /^\w+ of control and shard a could not be read: /,
    );
    await ended;
    expect(inside(to.folder)).toEqual([]);
  });

  test('a reader that goes away is a failure', async () => {
    const pipe = new PassThrough({ highWaterMark: 1 });
    pipe.once('data', () => pipe.destroy(new Error('EPIPE')));
    await expect(back(env, { to: { pipe } })).rejects.toThrow('EPIPE');
  });

  test('a restore that is broken off leaves empty tables, and is made again', async () => {
    const target = await empty();
    const to = settings(target);
    const interrupt = new AbortController();
    const interrupted = restore(to, archive, {
      ...{ withoutSecrets: true, signal: interrupt.signal },
      progress: (what) => void (what === 'comparing' && interrupt.abort()),
    });
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect(Object.keys(await contentOf(target.pool))).toEqual(['small_ids']);
    let ended: Promise<unknown> | undefined;
    const cutting = restore(to, archive, {
      withoutSecrets: true,
      progress: (what) => void (what === 'loading' && (ended ??= end(target, 'ramal restore'))),
    });
    await expect(cutting).rejects.toThrow(/^\w+ of control and shard a could not be written: /);
    await ended;
    expect(Object.keys(await contentOf(target.pool))).toEqual(['small_ids']);
    await restore(to, archive, { withoutSecrets: true });
    expect(await contentOf(target.pool)).toEqual(await contentOf(source.pool));
  });

  const end = ({ pool }: TestDatabase, application: string) =>
    pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()`,
      [application],
    );
});
