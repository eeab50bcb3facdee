/** Three nodes, one of which is killed, put no more on a trunk than it bears: counted at the carrier. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestDatabase } from '../helpers/database.ts';
import { adminToken, type RunningService } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

const CALLS = 150;
const BEARS = { calls_per_second: 12, legs: 8 };

const services = servicesWith({ SANDBOX_SPEED: '5', GRACE_SECONDS: '2', ADMIN_TOKEN: adminToken });

interface Line {
  /** Epoch milliseconds. */
  at: number;
  do: string;
  channel: string;
}

/** What the carrier was asked. */
const linesIn = (dataDir: string): Line[] =>
  readFileSync(join(dataDir, 'sandbox', 'calls.log'), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

/** Legs from their dial until the carrier was asked to end them, as all of these calls are; one that was not goes on. */
const legsIn = (lines: readonly Line[]): { from: number; to: number }[] => {
  const ends = new Map<string, number>();
  for (const { do: what, channel, at } of lines)
    if (what === 'hangUp') ends.set(channel, Math.min(at, ends.get(channel) ?? Infinity));
  return lines
    .filter(({ do: what }) => what === 'originate')
    .map(({ channel, at }) => ({ from: at, to: ends.get(channel) ?? Infinity }));
};

const mostWithin = (times: readonly number[], ms: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));

/** The most legs at a time. */
const mostAtATime = (legs: readonly { from: number; to: number }[]): number =>
  Math.max(...legs.map(({ from: at }) => legs.filter(({ from, to }) => from <= at && at < to).length));

const place = (nodes: readonly RunningService[]): Promise<unknown> =>
  Promise.all(
    Array.from({ length: CALLS }, (_, nth) =>
      nodes[nth % nodes.length]!.ramal.makeTTSCall({
        ...{ dest: `1198765${String(1_000 + nth)}`.replace(/\d\d$/, '00'), text: 'Bom dia', httpdup: 0 },
        // Two that have the same number are two calls.
        ctid: `call ${nth}`,
      }),
    ),
  );

/** Legs that each node may have. */
const shares = (nodes: readonly RunningService[]): Promise<number[]> =>
  Promise.all(
    nodes.map(async (node) => {
      const { trunks } = (await node.admin('GET', '/trunks')).body as unknown as {
        trunks: { share: { legs: number } }[];
      };
      return trunks[0]!.share.legs;
    }),
  );

const ended = async ({ pool }: TestDatabase): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM calls WHERE status <> ''`);
  return rows[0]!.n;
};

it('three nodes keep to the rate and the legs of a trunk, also when one of them is killed', async () => {
  const names = ['one', 'two', 'three'];
  const nodes: RunningService[] = [];
  for (const NODE_NAME of names) nodes.push(await services.start({ NODE_NAME }));
  const changed = await nodes[0]!.admin('PATCH', '/trunks/1', BEARS);
  expect(changed.status).toBe(200);
  // Other nodes hear of it within seconds.
  await until(async () => (await shares(nodes)).reduce((sum, share) => sum + share, 0) <= BEARS.legs);
  await place(nodes);
  await until(async () => (await ended(services.database)) >= CALLS / 3);
  await nodes[2]!.kill();
  await until(async () => (await ended(services.database)) >= CALLS);
  const legs = legsIn(linesIn(services.dataDir));
  expect(legs.length).toBeGreaterThanOrEqual(CALLS);
  const dials = legs.map(({ from }) => from).toSorted((one, other) => one - other);
  expect(mostWithin(dials, 1_000)).toBeLessThanOrEqual(BEARS.calls_per_second);
  expect(mostAtATime(legs)).toBeLessThanOrEqual(BEARS.legs);
});
