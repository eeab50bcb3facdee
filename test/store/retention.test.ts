import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oldRecordingsCleanup } from '../../src/compose/recordings.ts';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
import { folderMediaStore } from '../../src/providers/media/folder.ts';
import { deleteOldInboundMessages, deleteOldRecords } from '../../src/store/retention.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeAll(async () => {
  on = await freshDatabase();
});
afterAll(() => on.drop());

test('finished records below an id are forgotten in every account, and nothing else', async () => {
  await on.pool.query(
    `INSERT INTO deliveries (account_id, id, created_at, purpose, target, state, finished)
     SELECT account, id, 0, 'callback', '', 'x', id <> 7 FROM unnest(ARRAY[3, 9]) account, generate_series(1, 6000) id`,
  );
  expect(await deleteOldRecords(on.pool, 'deliveries', 5_999)).toBe(2 * 5_997);
  const { rows } = await on.pool.query('SELECT account_id, id::int FROM deliveries ORDER BY account_id, id');
  expect(rows).toEqual([3, 9].flatMap((account_id) => [7, 5999, 6000].map((id) => ({ account_id, id }))));
  expect(await deleteOldRecords(on.pool, 'calls', 5_999)).toBe(0);
});

describe('recordings', () => {
  const now = Date.UTC(2026, 10, 25);
  const day = 86_400_000;
  const folder = mkdtempSync(join(tmpdir(), 'ramal-recordings-'));
  const media = folderMediaStore(folder);
  const idOf = (days: number): number => firstIdAt(now - days * day);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A call so many days ago, with a file. */
  const recorded = async (account: number, days: number, isFinished = true): Promise<void> => {
    await media.put(account, `rec-${days}`, Buffer.from('sound'));
    await on.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, recording, recording_seconds, finished)
       VALUES ($1, $2, 0, 0, '', '0', $3, 9, $4)`,
      [account, idOf(days), `rec-${days}`, isFinished],
    );
  };
  /** Days of the calls that are there, with whether their recordings are, as the record says and in the store. */
  const kept = async () => {
    const { rows } = await on.pool.query<{ account_id: number; id: number; recording: string; gone: number }>(
      'SELECT account_id, id, recording, recording_gone_at AS gone FROM calls ORDER BY account_id, id DESC',
    );
    const files = new Set((await media.list('rec-')).map(({ account, id }) => `${account} ${id}`));
    return rows.map(({ account_id, recording, gone }) => {
      if (recording === '') return gone === now ? 'gone' : 'unmarked';
      return files.has(`${account_id} ${recording}`) ? recording : 'lost';
    });
  };
  const round = (
    recordDays: number | undefined,
    recordingDays: number | undefined,
    { store = media, mayGoOn = () => true }: { store?: typeof media; mayGoOn?: () => boolean } = {},
  ) =>
    oldRecordingsCleanup({ pool: on.pool, media: store, limits: { recordDays, recordingDays } }).run(
      now,
      mayGoOn,
    );

  test('go after RECORDING_DAYS, or with their records; the calls say so, and none is forgotten before its file', async () => {
    await on.pool.query('TRUNCATE calls');
    for (const days of [1, 8, 40]) await recorded(3, days);
    await recorded(9, 50);
    await recorded(9, 60, false);
    await round(undefined, undefined);
    expect(await kept()).toEqual(['rec-1', 'rec-8', 'rec-40', 'rec-50', 'rec-60']);

    const store = { ...media, delete: () => Promise.reject(new Error('the bucket is away')) };
    await expect(round(31, undefined, { store })).rejects.toThrow('the bucket is away');
    expect(await deleteOldRecords(on.pool, 'calls', idOf(31))).toBe(0);

    await round(45, undefined);
    expect(await kept()).toEqual(['rec-1', 'rec-8', 'rec-40', 'gone', 'rec-60']);
    await round(45, 7);
    expect(await kept()).toEqual(['rec-1', 'gone', 'gone', 'gone', 'rec-60']);
    expect((await media.list('rec-')).map(({ id }) => id).toSorted()).toEqual(['rec-1', 'rec-60']);
    expect(await deleteOldRecords(on.pool, 'calls', idOf(31))).toBe(2);
  });

  test('go a batch after the other, until none is left or the work may not go on', async () => {
    await on.pool.query('TRUNCATE calls');
    await on.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, recording, finished)
       SELECT 3, nth, 0, 0, '', '0', 'rec-' || nth, true FROM generate_series(1, 2030) nth`,
    );
    const left = async () => (await on.pool.query(`SELECT 1 FROM calls WHERE recording <> ''`)).rowCount;
    let asked = 0;
    await round(undefined, 7, { mayGoOn: () => (asked += 1) <= 2 });
    expect(await left()).toBe(1_990);
    await round(undefined, 7);
    expect(await left()).toBe(0);
  });
});

test('what came in is forgotten by the time it came', async () => {
  await on.pool.query(
    `INSERT INTO inbound_messages (account_id, line_id, upstream_id, received_at, sent_at, contact, content_type)
     SELECT 3, 1, 'm' || at, at, 0, 'c', 'text' FROM generate_series(1, 5100) at`,
  );
  expect(await deleteOldInboundMessages(on.pool, 5_100)).toBe(5_099);
  const { rows } = await on.pool.query('SELECT upstream_id FROM inbound_messages');
  expect(rows).toEqual([{ upstream_id: 'm5100' }]);
});
