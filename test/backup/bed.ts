/** Databases with rows of every kind, backups of them, and what is in a database, to compare. */
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { type BackupReport, type BackupRequest, takeBackup } from '../../src/backup/takeBackup.ts';
import { restoreBackup, type RestoreReport, type RestoreRequest } from '../../src/backup/restore.ts';
import { readConfig } from '../../src/config.ts';
import { maintainHistoryPartitions } from '../../src/store/historyPartitions.ts';

const silent = { progress: () => {}, table: () => {} };

/** Settings of an installation. */
export type Env = Record<string, string>;

export const back = (
  env: Env,
  more: Partial<BackupRequest> & Pick<BackupRequest, 'to'>,
): Promise<BackupReport> =>
  takeBackup(readConfig(env), { passphrase: undefined, release: '0.1.0', listener: silent, ...more });

export const restore = (env: Env, path: string, more: Partial<RestoreRequest> = {}): Promise<RestoreReport> =>
  restoreBackup(readConfig(env), {
    ...{ path, withoutSecrets: false, passphrase: async () => undefined, progress: () => {} },
    ...more,
  });

/** A folder for the length of a file of tests. */
export const aFolder = (): { path: string; below(name: string): string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'ramal-backup-'));
  return {
    path,
    below: (name) => {
      mkdirSync(join(path, name), { recursive: true });
      return join(path, name);
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
  };
};

/** Whatever a text column may hold. */
const texts = [
  '',
  ' ',
  '\\N',
  '\\.',
  'a\tb',
  'a\nb\r\nc',
  'back\\slash',
  '"quoted"',
  'ação 漢字 🙂',
  '{"a":1}',
  '\u0001',
  'null',
];

/** Rows in tables of all sorts, history of days with a partition and without one. `about`: so many of each. */
export const fill = async (pool: Pool, about = 200): Promise<void> => {
  const now = Date.now();
  await maintainHistoryPartitions(pool, { now, keepDays: Infinity });
  await pool.query(
    `INSERT INTO accounts (id, name, shard, calling_windows, call_rate, created_at)
     SELECT i, t, 'a', CASE WHEN i % 2 = 0 THEN jsonb_build_object('b', i, 'a', t) END, i * 1.0001, $2::bigint
     FROM unnest($1::text[]) WITH ORDINALITY AS u(t, i)`,
    [texts, now],
  );
  await pool.query(
    `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, wake_at, held_by, step_id, created_at)
     SELECT 3, i, 'call', 1, 2, 'dialing', json_build_object('text', t, 'long', repeat(t, 20)), $2::bigint + i, 7, i, $2::bigint
     FROM generate_series(1, $3::int) AS i, LATERAL (SELECT ($1::text[])[1 + i % 12] AS t) AS u`,
    [texts, now, about],
  );
  await pool.query(
    `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
     SELECT 3, i, r, $1::bigint / 86400000 - CASE WHEN i % 3 = 0 THEN 400 ELSE -1 END * (i % 2), $1::bigint, 'answered', '{"b": 1,  "a":2}', 'talking'
     FROM generate_series(1, $2::int) AS i, generate_series(1, 2) AS r`,
    [now, about],
  );
  await pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, name) SELECT 3, 1, i, '55119' || i, repeat('x', i % 50) FROM generate_series(1, $1::int) AS i`,
    [about],
  );
  // More than a part of an archive, in one row.
  await pool.query(
    `INSERT INTO claims (account_id, key, until, owner, answer) VALUES (3, 'k', 1, 'o', repeat('abc', 1000000))`,
  );
  await pool.query(
    `INSERT INTO nodes (incarnation, slot, name, process, beats, beat_at, started_at, minted_ms) VALUES (7, 0, 'old', 'x', 9, $1, $1, $1)`,
    [now],
  );
  await pool.query(`UPDATE small_ids SET next = 4711 WHERE name = 'tariff'`);
};

/** Files of a media folder. */
export const fillMedia = (dataDir: string): void => {
  mkdirSync(join(dataDir, 'media', '3'), { recursive: true });
  writeFileSync(join(dataDir, 'media', '3', 'rec-1.wav'), Buffer.alloc(70_000, 7));
  writeFileSync(join(dataDir, 'media', '3', `${'n'.repeat(128)}.mp3`), 'a long name');
  writeFileSync(join(dataDir, 'media', '3', 'empty.wav'), '');
  writeFileSync(join(dataDir, 'media', '3', 'draft.wav.0815.part'), 'not whole yet');
};

/** Each table that holds rows, with how many and a sum of them that no order changes. */
export const contentOf = async (pool: Pool): Promise<Record<string, string>> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
     AND relname NOT IN ('_prisma_migrations', 'shard_state') ORDER BY 1`,
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ n: number; sum: string }>(
      `SELECT count(*) AS n, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS sum FROM ${name} AS t`,
    );
    if (rows[0]!.n > 0) content[name] = `${rows[0]!.n} rows, ${rows[0]!.sum}`;
  }
  return content;
};

/** Tables of a database, its own schema's. */
export const tablesOf = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => name);
};
