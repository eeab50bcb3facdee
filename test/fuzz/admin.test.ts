/**
 * Every route of the admin API, asked with roles none, operator and admin for what its declaration admits and for what it does
 * not: each answer is one that it declares, and no role comes further than it may. `npm run fuzz` asks longer.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminOpenApiDocument } from '../../src/admin/openapi.ts';
import { holdToRoute } from '../helpers/adminAnswers.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { adminToken, demoAccount } from '../helpers/service.ts';
import { type AdminPlan, adminPlanFor, type DescribedRoute, type KnownIds } from './adminPlan.ts';
import { closeConnections, send } from './send.ts';
import { jsonText } from './values.ts';
import { type FuzzWorld, openWorld } from './world.ts';

const { FUZZ_REQUESTS = '600', FUZZ_SEED } = process.env;
const lanes = 4;
/** No answer takes so long, a busy machine included, milliseconds. */
const answersWithinMs = 60_000;

/** They ask servers of others. */
const left = new Set([
  'POST /accounts/:account/callback-test',
  'POST /accounts/:account/delivery-profiles/:id/test',
]);

let world: FuzzWorld;
let routes: DescribedRoute[];
let operatorKey: string;
let operatorId: number;
const heard = new Map<string, Set<number>>();

beforeAll(async () => {
  world = await openWorld();
  const document = (await (await fetch(`${world.on.url}/admin/openapi.json`)).json()) as AdminOpenApiDocument;
  routes = adminRoutes()
    .filter(({ key }) => !left.has(key))
    .map((route) => {
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      return { ...route, operation: document.paths[path]![route.method.toLowerCase()]! };
    });
  const made = await world.on.admin('POST', '/operators', { name: 'Fuzz', role: 'operator' });
  operatorKey = made.body.key;
  operatorId = made.body.operator_id;
});
afterAll(async () => {
  closeConnections();
  await world.stop();
});

/** What there is, by the names of parameters. */
const idsOf = ({ known }: FuzzWorld): KnownIds => {
  const of = (name: string) => (known[name] ?? []).map(String);
  return {
    account: [String(demoAccount), String(demoAccount), '100', '101'],
    campaign: of('cp_id'),
    list: of('cdlc_id'),
    audio: of('content'),
    template: of('template_id'),
    line: of('v8l_id'),
    id: [...of('cd_id'), ...of('queue_id'), ...of('cdg_id'), '1', '2', '3'],
    number: ['11987650000', '5511987650001', 'x'],
    operator: ['1', '2'],
    session: ['0f1e2d3c4b5a6978', 'x'],
    address: ['192.0.2.7', 'loopback', '2001:db8::/56'],
    token: ['2', '3'],
    media: ['1', '2'],
    host: ['127.0.0.1'],
    port: ['9099'],
    effect: ['1', 'x'],
  };
};

let asked = 0;
const ask = async (plan: AdminPlan): Promise<void> => {
  asked += 1;
  const route = routes.find(({ key }) => key === plan.route)!;
  const path = pathOf(route.path, plan.path);
  // The one that asks is needed further on.
  if (route.method !== 'GET' && path === `/operators/${operatorId}`) return;
  const query = plan.query.map(([name, value]) => `${name}=${escaped(value)}`).join('&');
  const body = Buffer.from(plan.body === undefined || route.method === 'GET' ? '' : jsonText(plan.body));
  const answer = await send(
    world.on.url,
    {
      method: route.method,
      path: `/admin/api${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...{ 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
        ...{ ...keyOf(plan.role), ...addressOf(plan.role) },
      },
      body,
    },
    answersWithinMs,
  );
  judge(plan, route, path, answer);
};

const keyOf = (role: AdminPlan['role']): Record<string, string> => {
  const key = { none: undefined, wrong: 'wrong-key', operator: operatorKey, admin: adminToken }[role];
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
};

/** Wrong keys would have an address kept out. */
const addressOf = (role: AdminPlan['role']): Record<string, string> =>
  role === 'admin'
    ? {}
    : { 'X-Forwarded-For': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}` };

const pathOf = (pattern: string, path: AdminPlan['path']): string =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => escaped(path[name]) || '0');

/** As an address carries it; a path does not go up, nor is it empty. */
const escaped = (value: unknown): string => {
  const text = typeof value === 'string' ? value : jsonText(value);
  return encodeURIComponent(text.toWellFormed().slice(0, 300)).replaceAll('.', '%2E');
};

interface Heard {
  http: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

const judge = (
  plan: AdminPlan,
  route: DescribedRoute,
  path: string,
  { http, headers, text }: Heard,
): void => {
  const { role } = route.declared;
  const isBusy = http === 503 && headers['retry-after'] !== undefined;
  if (http >= 500 && !isBusy && route.key !== 'GET /health')
    throw new Error(`${route.key} answered ${http}: ${text.slice(0, 300)}`);
  const isFile = http < 300 && route.declared.media !== undefined;
  holdToRoute(route.method, path, http, isFile ? text : text === '' ? undefined : JSON.parse(text));
  if (/\n\s+at |node_modules|PrismaClient|SELECT |\/src\//.test(text))
    throw new Error(`${route.key} tells of its inside: ${text.slice(0, 300)}`);
  const isStranger = plan.role === 'none' || plan.role === 'wrong';
  if (role !== 'anybody' && isStranger && ![401, 429].includes(http))
    throw new Error(`${route.key} answered ${http} to who may not ask`);
  if (plan.role === 'operator' && role === 'admin' && ![400, 403, 413].includes(http))
    throw new Error(`${route.key} answered ${http} to an operator`);
  if (plan.role === 'admin' && role !== 'anybody' && [401, 403].includes(http))
    throw new Error(`${route.key} answered ${http} to an admin: ${text}`);
  if (plan.role === 'operator' && /whsec_/.test(text))
    throw new Error(`${route.key} shows an operator a secret`);
  const known = heard.get(route.key) ?? new Set();
  heard.set(route.key, known.add(http));
};

const requests = Number(FUZZ_REQUESTS);
const seeds = FUZZ_SEED === undefined ? [1, Math.trunc(Math.random() * 2 ** 30)] : [Number(FUZZ_SEED)];

test.each(seeds)(
  'whatever is sent is answered as declared, to each role what it may, and never as a bug (seed %i)',
  async (seed) => {
    const plans = adminPlanFor(routes, idsOf(world));
    const each = Math.ceil(requests / seeds.length / lanes);
    const lane = (n: number) =>
      fc.assert(fc.asyncProperty(plans, ask), { seed: seed * lanes + n, numRuns: each });
    await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  },
  Math.max(90_000, requests * 1_000),
);

test('nearly every route was asked, and most of them were served', () => {
  expect(asked).toBeGreaterThanOrEqual(requests);
  const served = [...heard].filter(([, codes]) => [...codes].some((http) => http < 300));
  expect(heard.size).toBeGreaterThanOrEqual(Math.min(routes.length - 10, requests / 10));
  expect(served.length).toBeGreaterThanOrEqual(Math.min(60, requests / 15));
});
