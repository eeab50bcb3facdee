/**
 * Every operation, asked for all that its own `/openapi.json` admits and for what it does not. `npm run fuzz` asks
 * longer; what it asked is the same for the same seed, and a failing request is made smaller before it is shown.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount } from '../helpers/service.ts';
import { type Judge, judgeBy } from './judge.ts';
import { type Described, type Plan, planFor } from './plan.ts';
import { requestOf } from './request.ts';
import { hear, nothingTold, unexplained } from './rows.ts';
import { closeConnections, send } from './send.ts';
import { type FuzzWorld, openWorld } from './world.ts';

const { FUZZ_REQUESTS = '300', FUZZ_SEED } = process.env;
const lanes = 4;
/** No answer takes so long; a busy machine included, milliseconds. */
const answersWithinMs = 60_000;

interface Document {
  paths: Record<string, { post: Described }>;
  components: { schemas: object };
}

let world: FuzzWorld;
let document: Document;
let judge: Judge;
const told = nothingTold();
const heard = new Map<string, number>();

beforeAll(async () => {
  world = await openWorld();
  document = (await (await fetch(`${world.on.url}/openapi.json`)).json()) as Document;
  judge = judgeBy(document);
  for (const [key, words] of Object.entries(told.ids)) for (const id of await standing(key)) words.add(id);
});
afterAll(async () => {
  closeConnections();
  await world.stop();
});

/** What was there before. */
const standing = async (key: string): Promise<string[]> => {
  const tables: Record<string, string> = {
    cd_id: "SELECT id FROM machines WHERE kind = 'call'",
    cp_id: 'SELECT id FROM campaigns',
    cdlc_id: 'SELECT id FROM lists',
    cdw_file: 'SELECT id FROM audios',
    cdls_id: 'SELECT id FROM messages',
  };
  const { rows } = await world.on.database.pool.query<{ id: string }>(tables[key]!);
  return rows.map(({ id }) => id);
};

let asked = 0;
const ask = async (plan: Plan): Promise<void> => {
  asked += 1;
  const from = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
  const answer = await send(world.on.url, requestOf(plan, world.sound, from), answersWithinMs);
  judge(plan.operation, answer);
  const body = JSON.parse(answer.text) as { return: Record<string, unknown> };
  hear(told, body.return);
  const code = `${plan.operation} ${answer.http} ${String(body.return['status_code'])}`;
  heard.set(code, (heard.get(code) ?? 0) + 1);
};

const lane = async (seed: number, numRuns: number): Promise<void> => {
  const plans = planFor(
    Object.values(document.paths).map(({ post }) => post),
    world.known,
  );
  await fc.assert(fc.asyncProperty(plans, ask), { seed, numRuns });
};

const requests = Number(FUZZ_REQUESTS);
const seeds = FUZZ_SEED === undefined ? [1, Math.trunc(Math.random() * 2 ** 30)] : [Number(FUZZ_SEED)];

test.each(seeds)(
  'whatever is sent is answered as declared, in time, and never as a bug (seed %i)',
  async (seed) => {
    const each = Math.ceil(requests / seeds.length / lanes);
    await Promise.all(Array.from({ length: lanes }, (_, n) => lane(seed * lanes + n, each)));
  },
  Math.max(90_000, requests * 1_000),
);

test('what was refused has left nothing, and what was taken stands there', async () => {
  expect(await unexplained(world.on.database.pool, demoAccount, told)).toEqual([]);
  const left = readdirSync(join(world.dataDir, 'tmp'), { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
});

test('a row that nobody asked for, and one that is missing, would be found', async () => {
  const { pool } = world.on.database;
  await pool.query("INSERT INTO lists (account_id, id, name, created_at) VALUES ($1, 999, 'stray', 0)", [
    demoAccount,
  ]);
  const missing = { ...told, ids: { ...told.ids, cdls_id: new Set([...told.ids.cdls_id, '17']) } };
  expect(await unexplained(pool, demoAccount, missing)).toEqual([
    'a list that nobody sent: 999',
    'a message without machine and log: 17',
  ]);
  await pool.query('DELETE FROM lists WHERE account_id = $1 AND id = 999', [demoAccount]);
});

test('every operation was asked, and most of them were served', () => {
  if (process.env['FUZZ_REQUESTS']) console.log(summary());
  const served = [...heard.keys()].filter((code) => / 20[01] /.test(code)).map((code) => code.split(' ')[0]);
  expect(asked).toBeGreaterThanOrEqual(requests);
  expect(new Set(served).size).toBeGreaterThanOrEqual(Math.min(12, requests / 20));
});

const summary = (): string =>
  [...heard]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([code, times]) => `${times}\t${code}`)
    .join('\n');
