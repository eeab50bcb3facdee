import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deletedAudioCleanup, openAudioServices } from '../../src/compose/audioServices.ts';
import type { Databases } from '../../src/compose/databases.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { folderMediaStore } from '../../src/providers/media/folder.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aWav } from '../helpers/wav.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12);
const folder = mkdtempSync(join(tmpdir(), 'ramal-upkeep-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('removes files and rows a week after an asset expired, but not while a campaign that goes on plays it', async () => {
  const media = folderMediaStore(join(folder, 'media'));
  const sound = await openAudioServices(readConfig({ DATA_DIR: folder }), media, openLog('silent'));
  const expired = async (id: number, daysAgo: number): Promise<void> => {
    await database.pool.query(
      `INSERT INTO audios (account_id, id, type, wav, created_at, expires_at) VALUES (3, $1, 'upload', $2, 0, $3)`,
      [id, `audio-${id}`, now - daysAgo * DAY],
    );
    for (const file of ['', '.mp3', '-sample', '-sample.mp3'])
      await media.put(3, `audio-${id}${file}`, aWav(0.1));
  };
  await expired(1, 8);
  await expired(2, 6);
  await expired(3, -1);
  await expired(4, 8);
  await media.put(4, 'audio-1', aWav(0.1));
  await database.pool.query(
    `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
       date_start, date_end, time_start, time_end, audio)
     VALUES (3, 900, 0, 'play', 1, '{}', 'c', false, 'paused', '2026-11-01', '2026-11-30', '', '', 'tf4')`,
  );
  const upkeep = deletedAudioCleanup(
    { shards: new Map([['a', database]]) } as unknown as Databases,
    sound,
    'a',
  );
  await upkeep(now);
  const rows = await database.pool.query<{ id: number }>('SELECT id FROM audios ORDER BY id');
  expect(rows.rows.map(({ id }) => id)).toEqual([2, 3, 4]);
  const files = (await media.list('audio-')).map(({ account, id }) => `${account} ${id}`);
  expect(files.filter((file) => file.includes('audio-1'))).toEqual(['4 audio-1']);
  expect(files).toHaveLength(1 + 3 * 4);
  await sound.studio.stop();
});
