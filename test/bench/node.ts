/** An engine as the service opens it, with what a bench wants to see of it. */
import type { Pool } from 'pg';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  type EngineLog,
  type EngineMetrics,
  hostClock,
  noopWakeUpHints,
  noopEngineMetrics,
  type EffectPerformers,
} from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { type FileJournal, openFileJournal } from '../../src/journal/fileJournal.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';

export interface NodeOptions {
  /** `journals`: a folder for what it keeps of what it writes, as in production; absent: it keeps nothing. */
  database: { pool: Pool; writers: Pool; journals?: string };
  kinds: readonly Kind[];
  performers?: EffectPerformers;
  metrics?: Partial<EngineMetrics>;
  log?: Partial<EngineLog>;
  /** The process's name for its neighbours. Default `bench`. */
  process?: string;
  /** Processes that surely ended. */
  ended?: readonly string[];
  /** Stands between engine and store, to watch. */
  through?: (store: ShardMachineStore) => ShardMachineStore;
}

export const SHARD = 'a';
/** The account of all machines here. */
export const ACCOUNT = 3;
/** As in production: `GRACE_SECONDS`, and machines kept in memory. */
export const GRACE_MS = 10_000;
const RESIDENTS = 50_000;

/** An error or a warning of the engine means that a figure is not what it says. */
const loud: EngineLog = {
  info: () => {},
  warn: (fields, message) => console.error('engine warns:', message, fields),
  error: (fields, message) => console.error('engine fails:', message, fields),
};

/** Makes an engine; its caller opens it. */
export const aNode = (options: NodeOptions): RamalEngine => {
  const { database, kinds, through = (store) => store } = options;
  return new RamalEngine({
    kinds,
    shards: [
      {
        name: SHARD,
        store: through(postgresStore(database.writers, database.pool, kinds)),
        performers: options.performers ?? {},
        clock: hostClock,
        random: Math.random,
        hints: noopWakeUpHints,
        metrics: { ...noopEngineMetrics, ...options.metrics },
        log: { ...loud, ...options.log },
        cachedMachines: RESIDENTS,
        ...(database.journals !== undefined && { journal: journalIn(database.journals) }),
        membership: {
          name: 'bench',
          process: options.process ?? 'bench',
          isProcessDead: (process) => options.ended?.includes(process) ?? false,
          graceMs: GRACE_MS,
        },
      },
    ],
  });
};

const journalIn = (directory: string): FileJournal =>
  openFileJournal({ directory, shard: SHARD, log: loud, keepDays: 1, isProcessDead: () => false });
