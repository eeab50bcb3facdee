/** A call that is refused for its audio has taken nothing: the same request may come again (docs/decisions/0002). */
import { mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ramal-again-'));
let on: TestService;
/** An audio, and where its sound stands. */
let content: string;
let sound: string;

beforeAll(async () => {
  on = await startTestService({ DATA_DIR: dataDir });
  await on.admin('PATCH', `/accounts/${demoAccount}`, { cdcs_uni_ctid: true });
  content = (await on.post('CreateAudioFile', { text: 'bom dia', ttswrt: '1' })).body.return.cdw_file;
  const { rows } = await on.database.pool.query(
    `SELECT id FROM audios WHERE account_id = ${demoAccount} ORDER BY id DESC LIMIT 1`,
  );
  sound = join(dataDir, 'media', String(demoAccount), `audio-${rows[0].id}.wav`);
});
afterAll(() => on.stop());

const ask = (given: object, headers: Record<string, string> = {}): Promise<RestAnswer> =>
  on.post(
    'MakeTTSCall',
    { dest: '11987650000', text: 'Olá', content, priority: -20, httpdup: 600, ...given },
    headers,
  );

/** What is answered while the sound is away, the same once more, and the same when it is there again. */
const refusedThenServed = async (given: object, headers?: Record<string, string>) => {
  renameSync(sound, `${sound}.away`);
  const away = [await ask(given, headers), await ask(given, headers)];
  renameSync(`${sound}.away`, sound);
  const back = await ask(given, headers);
  return [...away, back].map(({ body }) => body.return.status_code);
};

test('[7/260] it is no duplicate of itself', async () => {
  expect(await refusedThenServed({})).toEqual(['260', '260', '0']);
  expect((await ask({})).body.return.status_code).toBe('244');
});

test('[7/260] its ctid is not used', async () => {
  expect(await refusedThenServed({ ctid: 'order-1', httpdup: 0 })).toEqual(['260', '260', '0']);
  expect((await ask({ ctid: 'order-1', httpdup: 0 })).body.return.status_code).toBe('220');
});

test('[7/260] its Idempotency-Key is free', async () => {
  const key = { 'Idempotency-Key': 'again' };
  expect(await refusedThenServed({ httpdup: 0 }, key)).toEqual(['260', '260', '0']);
  const replayed = await ask({ httpdup: 0 }, key);
  expect([replayed.body.return.status_code, replayed.headers.get('idempotency-replayed')]).toEqual([
    '0',
    'true',
  ]);
});
