import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type StartedService, startService } from '../../src/compose/service.ts';
import { openShardDespiteLostCommits, readShardStates } from '../../src/compose/shardStates.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { openPair, type Pair } from '../helpers/postgres/pair.ts';
import { adminToken, demoToken, secretKey } from '../helpers/service.ts';
import { dialsOf } from '../service/service.ts';

let pair: Pair;
let config: Config;
let service: StartedService;
let dataDir: string;
const log = pino({ level: 'silent' });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ramal-lossy-'));
  pair = await openPair();
  config = readConfig({
    ...{ DATABASE_URL: pair.url(), DATA_DIR: dataDir, SECRET_KEY: secretKey },
    ...{ DEMO_TOKEN: demoToken, ADMIN_TOKEN: adminToken, SANDBOX_SPEED: '50', GRACE_SECONDS: '2' },
  });
  service = await startService({ ...config, port: 0, host: '127.0.0.1' }, log);
});
afterEach(async () => {
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
const statusOf = async (id: string) => (await ask('GetCallStatus', { cd_id: id })).body.calls[0]?.cd_status;

/** Two calls that were made, of which the standby knows one not at all, and the other as it waited for its time. */
const callsThatTheStandbyLacks = async (): Promise<string[]> => {
  // Dialled when the standby has stopped listening: for it the call still waits for its time.
  const block = new Date(Date.now() + 6_000).toISOString();
  const id = (await place('11987650000', { block })).body.return.cd_id;
  await pair.caughtUp();
  await pair.lag();
  expect(dials(id)).toEqual([]);
  await expect.poll(() => dials(id)).toHaveLength(1);
  const lost = (await place('11987650100')).body.return.cd_id;
  await expect.poll(() => dials(lost)).toHaveLength(1);
  return [id, lost];
};

/**
 * Deletes the journal. What the disk did not have of it is written to a new one, once the next line comes; what that one has
 * is on the disk, and gone when it is deleted as well.
 */
const loseJournal = async (): Promise<void> => {
  const folder = join(config.outgoingDir, 'a');
  rmSync(folder, { recursive: true, maxRetries: 5 });
  await place('11987650150');
  const isThere = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.journal'));
  await expect.poll(isThere).toBe(true);
  rmSync(folder, { recursive: true, maxRetries: 5 });
};

it('brings back what a standby lacked that was promoted, and calls nobody a second time', async () => {
  const ids = await callsThatTheStandbyLacks();
  await pair.killPrimary();
  await pair.promote();
  const promoted = performance.now();
  let http = 0;
  await expect.poll(async () => (http = (await place('11987650200')).http), { interval: 50 }).toBe(200);
  console.log(`takes calls ${Math.round(performance.now() - promoted)} ms after the promotion`);
  expect(http).toBe(200);
  expect(await readShardStates(config, log)).toMatchObject([{ shard: 'a', state: 'open' }]);
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe('OK');
  expect(ids.map((id) => dials(id).length)).toEqual([1, 1]);
});

it('calls nobody a second time without its journal either, until an operator says so', async () => {
  const ids = await callsThatTheStandbyLacks();
  await loseJournal();
  await pair.killPrimary();
  await pair.promote();
  await expect.poll(async () => (await ready()).reasons[0]).toMatch(/^shard a is closed: /);
  const refused = await place('11987650200');
  expect([refused.http, refused.body.return.status]).toEqual([503, expect.stringContaining('is closed')]);
  expect(await readShardStates(config, log)).toMatchObject([{ shard: 'a', state: 'closed' }]);
  expect(ids.map((id) => dials(id).length)).toEqual([1, 1]);

  expect(await openShardDespiteLostCommits(config, log, 'a')).toBe('opened');
  await expect.poll(async () => (await place('11987650300')).http).toBe(200);
  expect(await openShardDespiteLostCommits(config, log, 'a')).toBe('wasOpen');
  expect(await openShardDespiteLostCommits(config, log, 'b')).toBe('unknown');
});
