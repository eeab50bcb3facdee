/** What the pages beside the operations read: health, readiness, metrics, the description, sounds. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AdminAuthDeps } from '../access/admin/identifyAdministrator.ts';
import { adminOpenApi } from '../admin/openapi.ts';
import type { Config } from '../config.ts';
import type { RamalEngine } from '../engine/engine.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { operations } from '../operations/index.ts';
import { serveMedia } from '../providers/media/serve.ts';
import { openApi } from '../rest/openapi/document.ts';
import type { ServedOpenApi, HealthAndMetricsPages } from '../rest/serveHealthMetricsAndMedia.ts';
import { cachedRead } from '../lib/cachedRead.ts';
import { dataFoldersBySetting, fullDiskSentences } from '../dataFolder/diskSpace.ts';
import type { Databases } from './databases.ts';
import type { Providers } from './providers.ts';
import { readiness } from '../rest/health/readiness.ts';
import { metricsRefusalStatus } from '../access/metricsAccess.ts';
import {
  createShardMachineCounts,
  readMachineCountsOfAllShards,
  maxCountAgeMs,
} from '../store/machineCountCache.ts';

export interface HealthAndMetricsPagesDeps {
  config: Config;
  databases: Databases;
  engine: RamalEngine;
  providers: Providers;
  metrics: Metrics;
  access: AdminAuthDeps;
  health: HealthAndMetricsPages['health'];
  /** Sentences for what is not as it should be and keeps no work away. */
  degraded(): string[];
  isFurnishing?: (() => boolean) | undefined;
  version: string;
  log: Log;
}

/** The page is made once for all who ask in this time, milliseconds. */
const pageMs = 1_000;

export const healthAndMetricsPages = (needs: HealthAndMetricsPagesDeps): HealthAndMetricsPages => {
  const { config, databases, engine, providers, metrics, health, degraded } = needs;
  const now = () => performance.now();
  const counts = createShardMachineCounts(needs);
  return {
    health,
    readiness: readiness({
      ping: async () => void (await databases.probe.query('SELECT 1')),
      shardStates: () => engine.shardStates(),
      counts: (shard) => counts.get(shard)!.read(maxCountAgeMs.versions),
      versions: engine.versions,
      degraded: () => [
        ...degraded(),
        ...splitsOf(databases),
        ...(providers.telephony.problems?.() ?? []),
        ...(providers.telephony.rejected?.() ?? []),
        ...fullDiskSentences(dataFoldersBySetting(config)),
      ],
      isFurnishing: needs.isFurnishing,
      now,
    }),
    metricsRefused: (ctx) => metricsRefusalStatus({ ...config, access: needs.access }, ctx),
    metrics: cachedRead(async () => metrics.page(await readMachineCountsOfAllShards(counts)), {
      forMs: pageMs,
      now,
    }),
    openApi: describing(openApi(operations, config.publicUrl, needs.version)),
    adminOpenApi: describing(adminOpenApi(config.publicUrl, needs.version)),
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

/**
 * The description takes a moment to make, so it is made before the first request: others would wait for that one. Its bytes
 * are written for the first who asks, and compressed beside other requests.
 */
const describing = (document: object): (() => Promise<ServedOpenApi>) => {
  let written: Promise<ServedOpenApi> | undefined;
  return () => (written ??= write(document));
};

const write = async (document: object): Promise<ServedOpenApi> => {
  const plain = Buffer.from(JSON.stringify(document));
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { plain, gzipped: await compress(plain), etag };
};

const compress = promisify(gzip);
