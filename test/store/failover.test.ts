import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedService, startService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { openPair, type Pair } from '../helpers/postgres/pair.ts';
import { adminToken, demoToken, secretKey } from '../helpers/service.ts';

let pair: Pair;
let service: StartedService;
const lines: string[] = [];
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-failover-'));

beforeAll(async () => {
  pair = await openPair();
  const config = readConfig({
    ...{ DATABASE_URL: pair.url(), DATA_DIR: dataDir, SECRET_KEY: secretKey },
    ...{ DEMO_TOKEN: demoToken, ADMIN_TOKEN: adminToken, SANDBOX_SPEED: '50' },
  });
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  service = await startService({ ...config, port: 0, host: '127.0.0.1' }, log);
});
afterAll(async () => {
  await service.stop();
  await pair.close();
  rmSync(dataDir, { recursive: true });
});

const ask = async (operation: string, body: object): Promise<{ http: number; body: Answer }> => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v2/${operation}.php`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, ...body }),
  });
  return { http: answer.status, body: (await answer.json()) as Answer };
};
interface Answer {
  return: { cd_id: string };
  calls: { cd_status: string }[];
}
/** Places a call; its id, or the status of the answer. */
const place = async (dest: string): Promise<string | number> => {
  const { http, body } = await ask('MakeTTSCall', { dest, text: 'Press', type: 3, dtime: 1, httpdup: 0 });
  return http === 200 ? body.return.cd_id : http;
};
const statusOf = async (id: string) => (await ask('GetCallStatus', { cd_id: id })).body.calls[0]?.cd_status;
it('takes writes again after a failover to the other host, and ends the calls of before', async () => {
  expect(lines.join('\n')).toContain('none is synchronous');
  const before = await place('11987650111');
  expect(before).toMatch(/_/);
  await pair.caughtUp();
  await pair.killPrimary();
  const killed = performance.now();
  await pair.promote();
  const promoted = performance.now();
  let after: string | number = 0;
  await expect.poll(async () => typeof (after = await place('11987650211')), { interval: 20 }).toBe('string');
  const [sinceKill, sincePromotion] = [killed, promoted].map((at) => Math.round(performance.now() - at));
  console.log(`takes calls ${sincePromotion} ms after the promotion, ${sinceKill} ms after the primary died`);
  for (const id of [before, after]) await expect.poll(() => statusOf(String(id))).toBe('OK');
  expect(lines.join('\n')).toContain('another server takes the writes now');
});

it('dials nothing while the old primary is back and writes, says so, and goes on when it is gone', async () => {
  interface Ready {
    degraded?: string[];
    reasons: string[];
  }
  const ready = async () => (await (await fetch(`http://127.0.0.1:${service.port}/readyz`)).json()) as Ready;
  await pair.primary.start();
  await expect.poll(() => lines.join('\n')).toContain('split brain: two servers take writes');
  await expect
    .poll(async () => (await ready()).degraded)
    .toContain('split brain: the servers of shard a differ');
  await expect.poll(() => place('11987650311')).toBe(503);
  const told = [expect.stringContaining('has a split brain: two servers take writes')];
  await expect.poll(async () => (await ready()).reasons).toEqual(told);
  expect((await ready()).reasons.join()).not.toContain('127.0.0.1');
  await pair.primary.stop();
  await expect.poll(async () => (await ready()).degraded).toBeUndefined();
  await expect.poll(async () => typeof (await place('11987650411'))).toBe('string');
});

it('logs broken connections in short, and never the password of the address', () => {
  const broken = lines.filter((line) => line.includes('a connection broke'));
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.filter((line) => line.includes('connectionParameters'))).toEqual([]);
  const { password } = new URL(pair.primary.url);
  expect(lines.join('\n')).not.toContain(password);
});
