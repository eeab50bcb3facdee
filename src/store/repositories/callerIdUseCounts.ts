/** What is known of the caller ids of an account, and the count of their calls. */
import type { Pool } from 'pg';
import type { CallerIdUseRepository } from '../../providers/dialClearance/callerIdChoice.ts';
import { countAnsweredCallsByCallerId, readRecentCallerIdUses, takeCallerId } from '../callerIdUses.ts';
import { getShardByName } from '../pools.ts';

export const callerIdUseRepository = (databases: {
  shards: ReadonlyMap<string, { pool: Pool }>;
}): CallerIdUseRepository => ({
  uses: ({ shard, account }, at) =>
    readRecentCallerIdUses(getShardByName(databases, shard).pool, { account, at }),
  take: ({ shard, account }, at, choose) =>
    takeCallerId(getShardByName(databases, shard).pool, { account, at }, choose),
  answers: ({ shard, account }, at) =>
    countAnsweredCallsByCallerId(getShardByName(databases, shard).pool, { account, at }),
});
