/** The engine over this process's shards. */
import { machineKinds } from '../../machines/index.ts';
import type { Config } from '../config.ts';
import { RamalEngine } from '../engine/engine.ts';
import type { UpkeepTask } from '../engine/cluster/leaderUpkeep.ts';
import type { InterruptibleUpkeepWork } from '../engine/cluster/scheduledUpkeep.ts';
import {
  hostClock,
  type EngineMetrics,
  type WakeUpHints,
  type EffectPerformers,
} from '../engine/contract/ports.ts';
import type { Log } from '../log.ts';
import { maintainHistoryPartitions } from '../store/historyPartitions.ts';
import { postgresStore } from '../store/postgresShardStore.ts';
import type { Databases } from './databases.ts';
import type { Journals } from '../recovery/journals.ts';
import { isProcessDead, ownProcessName } from '../lib/processIdentity.ts';
import { cronTrigger } from './schedule.ts';
import { sinceBoot } from '../lib/sinceBoot.ts';

export interface EngineDeps {
  config: Config;
  databases: Databases;
  journals: Journals;
  performers: EffectPerformers;
  hints: WakeUpHints;
  /** Work that providers owe a shard each minute, done by the node that leads it. */
  upkeep(shard: string): UpkeepTask[];
  /** Work that takes long, done when `UPKEEP_CRON` says so. */
  heavy(shard: string): InterruptibleUpkeepWork[];
  metrics: EngineMetrics;
  log: Log;
}

/** Machines kept in memory, a shard. */
const cachedMachines = 20_000;

export const makeEngine = ({
  config,
  databases,
  journals,
  performers,
  hints,
  upkeep,
  heavy,
  metrics,
  log,
}: EngineDeps): RamalEngine => {
  const membership = {
    name: config.nodeName,
    process: ownProcessName(),
    isProcessDead,
    graceMs: config.limits.graceSeconds * 1000,
  };
  const clock = { ...hostClock, sinceBoot: sinceBoot() };
  return new RamalEngine({
    kinds: machineKinds,
    shards: [...databases.shards].map(([name, { pool, writers }]) => ({
      name,
      store: postgresStore(writers, pool, machineKinds),
      performers,
      clock,
      random: Math.random,
      hints,
      metrics,
      log,
      membership,
      journal: journals.of(name),
      cachedMachines,
      restMs: config.limits.archiveAfterMinutes * 60_000,
      upkeep: [
        async (now) => void (await maintainHistoryPartitions(pool, { now, keepDays: Infinity })),
        ...upkeep(name),
      ],
      heavy: { schedule: cronTrigger(config.upkeep, log), works: heavy(name) },
    })),
  });
};
