/** How the shards stand in their databases, and the word of an operator that opens one: for the command line. */
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ShardOpenState } from '../engine/contract/store.ts';
import { shardStateTransitionQueries } from '../store/sql/shardOpenAndTimeline.ts';
import { countPendingRedoLines } from '../store/sql/journalRedo.ts';
import { withDatabases } from './databases.ts';

export interface ShardStateReport {
  shard: string;
  state: ShardOpenState;
  /** Why it is not open; empty: it is. */
  reason: string;
  /** Commits that were brought from journals, and are not written again yet. */
  waiting: number;
}

/** Reads how every shard stands. Rejects when a database does not answer. */
export const readShardStates = (config: Config, log: Log): Promise<ShardStateReport[]> =>
  withDatabases(config, log, ({ shards }) =>
    Promise.all(
      [...shards].map(async ([shard, { pool }]) => {
        const { state, reason } = await shardStateTransitionQueries(pool).standing(0);
        return { shard, state, reason, waiting: await countPendingRedoLines(pool) };
      }),
    ),
  );

/** Opens a shard whose database lacks commits, as it stands. `unknown`: there is none of that name. */
export const openShardDespiteLostCommits = (
  config: Config,
  log: Log,
  name: string,
): Promise<'opened' | 'wasOpen' | 'unknown'> =>
  withDatabases(config, log, async ({ shards }) => {
    const shard = shards.get(name);
    if (!shard) return 'unknown';
    return (await shardStateTransitionQueries(shard.pool).openAfterLoss(Date.now())) ? 'opened' : 'wasOpen';
  });
