/** Which legs belong to machines that live. */
import { areMachinesUnfinished } from '../reads/machines/machines.ts';
import { isShardOpen } from '../sql/shardOpenAndTimeline.ts';
import type { ControlAndShardPools } from '../pools.ts';

/**
 * Whether each leg belongs to a machine that lives.
 *
 * A leg of a shard we do not know is not ours to judge: it counts as owned. So does one of a shard that is not open: its
 * machine may be among the commits that the database lacks.
 */
export const areLegsOfLivingMachines = async (
  databases: ControlAndShardPools,
  legs: readonly { shard: string; account: number; id: number }[],
): Promise<boolean[]> => {
  const owned = legs.map(() => true);
  for (const [name, { pool }] of databases.shards) {
    const here = [...legs.entries()].filter(([, leg]) => leg.shard === name);
    if (here.length === 0 || !(await isShardOpen(pool))) continue;
    const living = await areMachinesUnfinished(
      pool,
      here.map(([, leg]) => leg),
    );
    here.forEach(([index], nth) => (owned[index] = living[nth]!));
  }
  return owned;
};
