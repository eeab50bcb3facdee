/** The pools of this process: to the control database, and to each shard by its name. */
import type { Pool } from 'pg';
import { UnknownShard } from '../engine/contract/api.ts';

/** What reads of one shard go through. */
export interface PoolsOfOneShard {
  pool: Pool;
  /** For statements that may last minutes. */
  bulk: Pool;
  /** One connection, for counts that read a whole table in its order. */
  counting: Pool;
}

/** Of all databases. */
export interface ControlAndShardPools<Shard extends Pick<PoolsOfOneShard, 'pool'> = PoolsOfOneShard> {
  control: { pool: Pool };
  shards: ReadonlyMap<string, Shard>;
}

/** What most reads of a shard go through. Throws `UnknownShard` for a shard this process was not given. */
export const getShardPool = (databases: Pick<ControlAndShardPools, 'shards'>, shard: string): Pool =>
  getShardByName(databases, shard).pool;

/** A shard's pools, and whatever else is kept with them. Throws `UnknownShard`. */
export const getShardByName = <Shard>(
  databases: { shards: ReadonlyMap<string, Shard> },
  shard: string,
): Shard => {
  const found = databases.shards.get(shard);
  if (!found) throw new UnknownShard(shard);
  return found;
};
