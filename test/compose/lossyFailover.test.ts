import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../src/compose/service.ts';
import { openShardAsItStands, readShardStates } from '../../src/compose/shardStates.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { openPair, type Pair } from '../helpers/postgres/pair.ts';
import { adminToken, demoToken, secretKey } from '../helpers/service.ts';
import { dialsOf } from '../service/service.ts';

let pair: Pair;
let config: Config;
let service: Service;
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-lossy-'));
const log = pino({ level: 'silent' });

beforeAll(async () => {
  pair = await openPair();
  config = readConfig({
    ...{ DATABASE_URL: pair.url(), DATA_DIR: dataDir, SECRET_KEY: secretKey },
    ...{ DEMO_TOKEN: demoToken, ADMIN_TOKEN: adminToken, SANDBOX_SPEED: '50', GRACE_SECONDS: '2' },
  });
  service = await startService({ ...config, port: 0, host: '127.0.0.1' }, log);
});
afterAll(async () => {
  await service.stop();
  await pair.close();
  rmSync(dataDir, { recursive: true });
});

interface Answer {
  return: { cd_id: string; status: string };
  calls: { cd_status: string }[];
}
const ask = async (operation: string, body: object): Promise<{ http: number; body: Answer }> => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v2/${operation}.php`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, ...body }),
  });
  return { http: answer.status, body: (await answer.json()) as Answer };
};
const place = (dest: string, more: object = {}) =>
  ask('MakeTTSCall', { dest, text: 'Good morning', httpdup: 0, ...more });
const ready = async () =>
  (await (await fetch(`http://127.0.0.1:${service.port}/readyz`)).json()) as { reasons: string[] };
const dials = (id: string) => dialsOf(dataDir).get(id) ?? [];

it('calls nobody a second time after a standby that lacked commits was promoted, until an operator says so', async () => {
  // Dialled when the standby has stopped listening: for it the call still waits for its time.
  const block = new Date(Date.now() + 6_000).toISOString();
  const id = (await place('11987650000', { block })).body.return.cd_id;
  await pair.caughtUp();
  await pair.lag();
  expect(dials(id)).toEqual([]);
  await expect.poll(() => dials(id), { timeout: 30_000 }).toHaveLength(1);
  const lost = (await place('11987650100')).body.return.cd_id;
  await expect.poll(() => dials(lost)).toHaveLength(1);

  await pair.killPrimary();
  await pair.promote();
  await expect
    .poll(async () => (await ready()).reasons[0], { timeout: 30_000 })
    .toMatch(/^shard a is closed: \d+ acknowledged commits? of node \d+ (is|are) not in the database/);
  const refused = await place('11987650200');
  expect([refused.http, refused.body.return.status]).toEqual([503, expect.stringContaining('is closed')]);
  expect(await readShardStates(config, log)).toMatchObject([{ shard: 'a', state: 'closed' }]);
  expect([dials(id).length, dials(lost).length]).toEqual([1, 1]);

  expect(await openShardAsItStands(config, log, 'a')).toBe('opened');
  await expect.poll(async () => (await place('11987650300')).http, { timeout: 30_000 }).toBe(200);
  expect(await openShardAsItStands(config, log, 'a')).toBe('wasOpen');
  expect(await openShardAsItStands(config, log, 'b')).toBe('unknown');
});
