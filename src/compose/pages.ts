/** What the pages beside the operations read: health, readiness, metrics, the description, sounds. */
import type { Context } from 'koa';
import { type AdminAccess, identify } from '../access/admin/administrator.ts';
import { countedAs, tellKeptOut } from '../access/keptOut.ts';
import { isNearby } from '../access/nearby.ts';
import type { Config } from '../config.ts';
import type { RamalEngine } from '../engine/engine.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { operations } from '../operations/index.ts';
import { serveMedia } from '../providers/media/serve.ts';
import { openApi } from '../rest/openapi/document.ts';
import type { Pages } from '../rest/pages.ts';
import { glance } from '../rules/glance.ts';
import { countMachines, type MachineCount } from '../store/reads/machineCounts.ts';
import type { Databases } from './databases.ts';
import { MachineCounts } from './machineCounts.ts';
import type { Providers } from './providers.ts';
import { readiness } from './readiness.ts';

export interface PagesNeeds {
  config: Config;
  databases: Databases;
  engine: RamalEngine;
  providers: Providers;
  metrics: Metrics;
  access: AdminAccess;
  health: Pages['health'];
  /** Sentences for what is not as it should be and keeps no work away. */
  degraded(): string[];
  isFurnishing?: (() => boolean) | undefined;
  version: string;
  log: Log;
}

/** How old counts may be: for the metrics page, and for charts that this build lacks, milliseconds. */
const countedMs = { metrics: 10_000, versions: 60_000 } as const;
/** The page is made once for all who ask in this time, milliseconds. */
const pageMs = 1_000;

export const pagesOf = (needs: PagesNeeds): Pages => {
  const { config, databases, engine, providers, metrics, health, degraded } = needs;
  const now = () => performance.now();
  const counts = countsOf(needs);
  return {
    health,
    readiness: readiness({
      ping: async () => void (await databases.probe.query('SELECT 1')),
      shardStates: () => engine.shardStates(),
      counts: (shard) => counts.get(shard)!.read(countedMs.versions),
      versions: engine.versions,
      degraded: () => [...degraded(), ...splitsOf(databases)],
      isFurnishing: needs.isFurnishing,
      now,
    }),
    metricsRefused: (ctx) => metricsRefused(needs, ctx),
    metrics: glance(async () => metrics.page(await allCounts(counts)), { forMs: pageMs, now }),
    openApi: describing(config, needs.version),
    media: providers.speech.voices.samples.serving(
      serveMedia({ media: providers.media, links: providers.links, now: () => Date.now() }),
    ),
  };
};

/** The page is open to all: the log has the names of the servers. */
const splitsOf = ({ failover }: Databases): string[] =>
  [...failover.splits().keys()].map(
    (name) =>
      `split brain: the servers of ${name === 'control' ? 'the control database' : `shard ${name}`} differ`,
  );

type Counts = MachineCounts<readonly MachineCount[]>;

const countsOf = ({ databases, log }: PagesNeeds): ReadonlyMap<string, Counts> =>
  new Map(
    [...databases.shards].map(([shard, { counting }]) => [
      shard,
      new MachineCounts({
        count: () => countMachines(counting),
        failed: (error) => log.warn({ err: error, shard }, 'machines could not be counted'),
        now: () => performance.now(),
      }),
    ]),
  );

/** A shard that is away is missing from the page, not the page with it. */
const allCounts = async (counts: ReadonlyMap<string, Counts>) => {
  const counted = await Promise.all(
    [...counts].map(async ([shard, of]) => {
      const found = await of.read(countedMs.metrics);
      return typeof found === 'string' ? [] : found.map((row) => ({ shard, ...row }));
    }),
  );
  return counted.flat();
};

/** Metrics tell how much business there is: to who is near, and to administrators from anywhere. */
const metricsRefused = async (
  { config: { metricsFrom, trustedProxies }, access }: PagesNeeds,
  ctx: Context,
): Promise<401 | 429 | undefined> => {
  if (isNearby(ctx.req, { listed: metricsFrom, trusted: trustedProxies })) return undefined;
  const counted = countedAs(ctx.req, trustedProxies);
  const who = await identify(access, ctx, counted);
  if (typeof who !== 'string') return undefined;
  if (who !== 'keptOut') return 401;
  await tellKeptOut(access.limits, ctx, counted);
  return 429;
};

/** The description takes a moment to make, so it is there before anybody asks: others would wait for that request. */
const describing = ({ publicUrl }: Config, version: string) => {
  const text = Buffer.from(JSON.stringify(openApi(operations, publicUrl, version)));
  return () => text;
};
