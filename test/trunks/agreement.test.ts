/** Whatever trunks, routes and pools there are: records, explanations and the answer of "why" agree with the rule. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Choice, TrunkTable, Wanted } from '../../src/rules/trunks/trunk.ts';
import { withPool } from '../../src/rules/trunks/chooseTrunks.ts';
import { trunkTable } from '../../src/store/reads/trunks.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const pools = `/accounts/${demoAccount}/caller-id-pools`;
const callerIds = ['551130001000', '552130001000'];
const prefixes = ['', '55', '5511', '551198', '5521'];

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '500' });
});
afterAll(() => on.stop());

const price = fc.record({
  prefix: fc.constantFrom('', '5511'),
  per_minute: fc.integer({ min: 0, max: 9 }).map((tenths) => `0.${tenths}000`),
});
const trunk = fc.record({
  caller_ids: fc.subarray(callerIds),
  closed_prefixes: fc.record({ closed: fc.subarray(['5511', '5521'], { maxLength: 1 }) }),
  state: fc.constantFrom('on', 'on', 'on', 'draining', 'off'),
  prices: fc.array(price, { maxLength: 1 }),
});
const route = fc.record({
  prefix: fc.constantFrom(...prefixes),
  line: fc.constantFrom('any', 'mobile', 'fixed'),
  region: fc.constantFrom('', 'SP'),
  order: fc.constantFrom('fixed', 'leastCost'),
  trunks: fc.shuffledSubarray(['sandbox', 'sandbox-b', 'sandbox-c'], { minLength: 1 }),
});
const world = fc.record({
  trunks: fc.tuple(trunk, trunk, trunk),
  routes: fc.array(route, { maxLength: 3 }),
  pool: fc.option(fc.subarray(callerIds, { minLength: 1 })),
});

type World = typeof world extends fc.Arbitrary<infer Of> ? Of : never;

const names = ['sandbox', 'sandbox-b', 'sandbox-c'];

/** Makes the world as an operator does; what the service refuses of it is left out. */
const build = async ({ trunks, routes, pool }: World): Promise<void> => {
  await on.admin('PATCH', '/trunks/1', { ...trunks[0] });
  for (const nth of [1, 2]) {
    const body = { ...trunks[nth], name: names[nth], server: 'sandbox', calls_per_second: 500, legs: 1_000 };
    expect((await on.admin('POST', '/trunks', body)).http).toBe(201);
  }
  for (const { trunks: named, ...of } of routes)
    await on.admin('POST', '/trunk-routes', { ...of, trunks: named.map((name) => ({ trunk: name })) });
  if (pool) await on.admin('POST', pools, { caller_ids: pool, order: 'fixed' });
};

const raze = async (): Promise<void> => {
  for (const { route_id } of (await on.admin('GET', '/trunk-routes')).body.trunk_routes)
    await on.admin('DELETE', `/trunk-routes/${route_id}`);
  for (const { pool_id } of (await on.admin('GET', pools)).body.caller_id_pools)
    await on.admin('DELETE', `${pools}/${pool_id}`);
  for (const { trunk_id, from_settings } of (await on.admin('GET', '/trunks')).body.trunks)
    if (!from_settings) await on.admin('DELETE', `/trunks/${trunk_id}`);
};

const ruled = (table: TrunkTable, number: string): Choice => {
  const wanted: Wanted = { number, account: demoAccount, callerId: '', forced: [], draw: 0, at: Date.now() };
  return withPool(wanted, table);
};

interface Machine {
  state: string;
  context: { attempts: { route: string; callerId?: string }[] };
}

let dialled = 0;
const agree = async (table: TrunkTable, area: string): Promise<void> => {
  const dest = `${area}9876${String((dialled += 1)).padStart(3, '0')}00`;
  const { candidates, pool, leftOut } = ruled(table, `55${dest}`);
  const { body } = await on.post('MakeTTSCall', { dest, text: 'Olá', httpdup: 0 });
  const id = body.return.cd_id as string;
  const machine = async (): Promise<Machine> => (await on.admin('GET', `/machines/${id}`)).body;
  const explain = async () => (await on.admin('GET', `/machines/${id}/explain`)).body;
  if (candidates.length > 0) {
    await expect.poll(async () => (await machine()).state).toBe('ended');
    const shown = pool && { callerId: pool.callerIds.find((one) => mayShow(candidates[0]!.callerIds, one))! };
    expect((await machine()).context.attempts).toMatchObject([{ route: candidates[0]!.name, ...shown }]);
    return;
  }
  const against = leftOut.filter(({ reason }) => reason !== 'notRouted');
  for (const { trunk: name, reason } of against)
    await expect.poll(async () => (await explain()).sentences.join(' ')).toContain(`${name}: ${reason}`);
  const happened = async () => (await on.admin('GET', `/why/55${dest}`)).body.happened[0];
  await expect.poll(happened).toMatchObject({ rule: 'route' });
  expect((await machine()).context.attempts).toEqual([]);
  await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' });
};

const mayShow = (shown: readonly string[], callerId: string): boolean =>
  shown.length === 0 || shown.includes(callerId);

test('in thirty worlds that were drawn', async () => {
  for (const drawn of fc.sample(world, { seed: 21, numRuns: 30 })) {
    await build(drawn);
    const table = await trunkTable(on.database.pool);
    for (const area of ['11', '21', '19']) await agree(table, area);
    await raze();
  }
});
