/** Trunks, routes and caller-id pools as an operator might have them, drawn at random, and how a service is given them. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { demoAccount, type TestService } from '../helpers/service.ts';

const pools = `/accounts/${demoAccount}/caller-id-pools`;
const callerIds = ['551130001000', '552130001000'];
const prefixes = ['', '55', '5511', '551198', '5521'];

/** The three trunks of a world; the first is made from the settings. */
export const trunkNames = ['sandbox', 'sandbox-b', 'sandbox-c'] as const;

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
  trunks: fc.shuffledSubarray([...trunkNames], { minLength: 1 }),
});
const drawn = fc.record({
  trunks: fc.tuple(trunk, trunk, trunk),
  routes: fc.array(route, { maxLength: 3 }),
  pool: fc.option(fc.subarray(callerIds, { minLength: 1 })),
});

export type TrunkWorld = typeof drawn extends fc.Arbitrary<infer Of> ? Of : never;

export const trunkWorlds = (seed: number, count: number): TrunkWorld[] =>
  fc.sample(drawn, { seed, numRuns: count });

/** What each trunk has besides, by its place. */
export type More = readonly [object, object, object];

/** Makes a world as an operator does; what the service refuses of it is left out. */
export const build = async (on: TestService, world: TrunkWorld, more: More = [{}, {}, {}]): Promise<void> => {
  await on.admin('PATCH', '/trunks/1', { ...world.trunks[0], ...more[0] });
  for (const nth of [1, 2] as const) {
    const bounds = { name: trunkNames[nth], server: 'sandbox', calls_per_second: 500, legs: 1_000 };
    const body = { ...world.trunks[nth], ...bounds, ...more[nth] };
    expect((await on.admin('POST', '/trunks', body)).http).toBe(201);
  }
  for (const { trunks: named, ...of } of world.routes)
    await on.admin('POST', '/trunk-routes', { ...of, trunks: named.map((name) => ({ trunk: name })) });
  if (world.pool) await on.admin('POST', pools, { caller_ids: world.pool, order: 'fixed' });
};

/** Takes it away; the trunk of the settings stays. */
export const raze = async (on: TestService): Promise<void> => {
  for (const { route_id } of (await on.admin('GET', '/trunk-routes')).body.trunk_routes)
    await on.admin('DELETE', `/trunk-routes/${route_id}`);
  for (const { pool_id } of (await on.admin('GET', pools)).body.caller_id_pools)
    await on.admin('DELETE', `${pools}/${pool_id}`);
  for (const { trunk_id, from_settings } of (await on.admin('GET', '/trunks')).body.trunks)
    if (!from_settings) await on.admin('DELETE', `/trunks/${trunk_id}`);
};
