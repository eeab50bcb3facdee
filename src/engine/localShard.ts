/** The usual surroundings of a shard: this host's clock, one node, nothing measured. What differs is given. */
import { randomUUID } from 'node:crypto';
import { hostClock, noopWakeUpHints, noopEngineLog, noopEngineMetrics } from './contract/ports.ts';
import type { ShardMachineStore } from './contract/store.ts';
import type { EngineOptions } from './engine.ts';

type Options = EngineOptions['shards'][number];

/** A node that does not answer for so long is dead, milliseconds. */
const GRACE_MS = 10_000;
const CACHED_MACHINES = 10_000;

/**
 * Options of a shard that this process serves alone, for `RamalEngine`. `performers` and what else is given replaces the
 * default: no performers, no metrics, no log, no journal, 10,000 machines in memory.
 */
export const singleNodeShardOptions = (
  name: string,
  store: ShardMachineStore,
  given: Partial<Options> = {},
): Options => ({
  ...{ name, store, performers: {}, clock: hostClock, random: Math.random },
  ...{
    hints: noopWakeUpHints,
    metrics: noopEngineMetrics,
    log: noopEngineLog,
    cachedMachines: CACHED_MACHINES,
  },
  membership: { name: 'local', process: randomUUID(), isProcessDead: () => false, graceMs: GRACE_MS },
  ...given,
});
