/** Audio assets in a database that goes back: a draft that is gone is told apart from a claim that another request has. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertPendingAudioAsset, finishPendingAudioAsset } from '../../src/store/writeAudioAssets.ts';
import { isTransientDatabaseError } from '../../src/store/transientError.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

let on: TestDatabase;
beforeEach(async () => {
  on = await freshDatabase();
});
afterEach(() => on.drop());

const draft = (id: number) =>
  insertPendingAudioAsset(on.pool, {
    ...{ account: 3, id, name: 'Welcome', fileName: '', type: 'tts' },
    ...{ text: 'Welcome', voice: '', rate: 0, group: null, at: 5 },
  });
const settle = (id: number, key?: string) =>
  finishPendingAudioAsset(
    on.pool,
    {
      ...{ account: 3, id, wav: `audio-${id}`, mp3: '', sample: '', seconds: 1 },
      ...{ visible: true, expiresAt: 9_000, at: 5 },
    },
    key === undefined ? undefined : { key, forMs: 1_000, answer: String(id) },
  );
const claims = async () => (await on.pool.query('SELECT key, owner FROM claims ORDER BY key')).rows;

test('an asset is settled once with its claim, and another request hears that it is claimed', async () => {
  await draft(1);
  await draft(2);
  expect([await settle(1, 'key'), await settle(2, 'key')]).toEqual([true, false]);
  expect(await claims()).toEqual([{ key: 'key', owner: '1' }]);
});

test.each([[undefined], ['key']])(
  'a draft that the database lost is asked for again, and claims nothing (claim: %s)',
  async (key) => {
    const failed: unknown = await settle(7, key).catch((error: unknown) => error);
    expect(String(failed)).toContain('the draft of audio 7 is not in the database');
    // Answered 503, not 500.
    expect(isTransientDatabaseError(failed)).toBe(true);
    expect(await claims()).toEqual([]);
  },
);
