/** The disk, the database, Redis, the name server and the nodes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultName } from '../catalogue.ts';
import type { Ledger } from '../evidence.ts';
import { makeStandstill, type StandingClock, standingClock, steppedClock, together } from '../world/clock.ts';
import { openDisk } from '../world/disk.ts';
import { type Names, startNames } from '../world/names.ts';
import { aNode, type Node } from '../world/node.ts';
import { freePort } from '../world/ports.ts';
import { startPostgres } from '../world/postgres.ts';
import { startRedis } from '../world/redis.ts';
import type { World } from '../world.ts';

/** What is undone at the end, the last first. */
export type Ends = (() => Promise<void> | void)[];

export type Servers = Pick<World, 'nodes' | 'postgres' | 'redis' | 'disk' | 'names' | 'clocks'>;

export interface ServersOptions {
  /** Of the judge's own: logs, clocks, and below it the disk. */
  folder: string;
  faults: readonly FaultName[];
  /** How long the run lasts. */
  minutes: number;
  ledger: Ledger;
  /** Each secret and whose it is; more come to it later. */
  secrets: Map<string, string>;
  /** Of the upstream of chat lines. Default: there is none. */
  graphUrl?: string;
  /** The service that is judged. Default: what this repository has built. */
  main?: string | undefined;
  /** Settings of the nodes beside those of every run. */
  settings?: Record<string, string>;
  ends: Ends;
}

export const adminToken = 'OutsideAdminToken000000000admin';
const secretKey = 'OutsideSecretKey00000000000000key';
const demoToken = 'OutsideDemoToken0000000000demo';
const nodeNames = ['one', 'two', 'three'] as const;

/** Everything runs, and the nodes are ready. Throws what a node said that did not start. */
export const startServers = async (options: ServersOptions): Promise<Servers> => {
  const { folder, faults, minutes, ledger, secrets, ends } = options;
  const disk = openDisk(join(folder, 'disk'), { mounted: faults.includes('fullDisk'), minutes });
  ends.push(() => disk.remove());
  const databaseClock = steppedClock(join(folder, 'clock of the database'));
  const databaseFolder = join(disk.folder, 'postgres');
  const stepped = faults.includes('databaseClock');
  const postgres = await startPostgres({ folder: databaseFolder, env: stepped ? databaseClock.env : {} });
  ends.push(() => postgres.stop());
  const redis = await startRedis();
  if (redis) ends.push(() => redis.stop());
  const names = faults.includes('silentNames') ? await startNames(join(folder, 'resolv.conf')) : undefined;
  if (names) ends.push(() => names.stop());
  for (const [secret, whose] of [
    [adminToken, 'ADMIN_TOKEN'],
    [secretKey, 'SECRET_KEY'],
    [demoToken, 'DEMO_TOKEN'],
    [postgres.password, 'the password of the database'],
  ] as const)
    secrets.set(secret, whose);

  const of = new Map(
    nodeNames.map((name) => [name as string, steppedClock(join(folder, `clock of ${name}`))]),
  );
  const standing = standingClocks(folder, faults);
  const env = environment(disk.folder, postgres.url, redis?.url, options.graphUrl ?? 'http://127.0.0.1:9');
  const nodes: Node[] = [];
  for (const name of nodeNames) {
    const stepped = faults.includes('nodeClock') ? of.get(name)!.env : {};
    const clock = together(standing.get(name)?.env ?? {}, stepped);
    nodes.push(
      aNode({
        ...{ name, port: await freePort(), ledger, secrets },
        // A host of its own for each: what it did is in a journal that no other node reads.
        env: {
          ...env,
          ...options.settings,
          NODE_NAME: name,
          OUTGOING_DIR: join(disk.folder, `outgoing of ${name}`),
          ...clock,
        },
        logFile: join(folder, `${name}.log`),
        ...wrappedBy(names),
        ...(options.main !== undefined && { main: options.main }),
      }),
    );
  }
  ends.push(async () => void (await Promise.all(nodes.map((node) => node.leave()))));
  // The first makes the tables.
  for (const some of [nodes.slice(0, 1), nodes.slice(1)]) {
    await Promise.all(some.map((node) => node.start()));
    if (!some.every((node) => node.isUp()))
      throw new Error(`the service did not start: ${ledger.lastWords()}`);
  }
  return { nodes, postgres, redis, disk, names, clocks: { of, standing, database: databaseClock } };
};

const standingClocks = (folder: string, faults: readonly FaultName[]): Map<string, StandingClock> => {
  if (!faults.includes('suspend')) return new Map();
  const library = makeStandstill(folder);
  return new Map(nodeNames.map((name) => [name, standingClock(library, join(folder, `sleep of ${name}`))]));
};

const wrappedBy = (names: Names | undefined): { wrapper?: readonly string[] } =>
  names ? { wrapper: names.wrapper } : {};

const environment = (
  disk: string,
  databaseUrl: string,
  redisUrl: string | undefined,
  graphUrl: string,
): Record<string, string> => {
  const dataDir = join(disk, 'data');
  mkdirSync(dataDir);
  return {
    ...{ HOST: '127.0.0.1', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, GRAPH_URL: graphUrl },
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...{ ADMIN_TOKEN: adminToken, SECRET_KEY: secretKey, DEMO_TOKEN: demoToken },
    ...{ GRACE_SECONDS: '8', SANDBOX_SPEED: '5', ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  };
};
