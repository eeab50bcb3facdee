/** What is known of the caller ids of an account, and the count of their calls. */
import type { Pool } from 'pg';
import type { CallerIdRepository } from '../../providers/clearance/callerIdChoice.ts';
import { callerIdAnswers, callerIdUses, takeCallerId } from '../callerIdUses.ts';
import { getShard } from '../pools.ts';

export const callerIdRepository = (databases: {
  shards: ReadonlyMap<string, { pool: Pool }>;
}): CallerIdRepository => ({
  uses: ({ shard, account }, at) => callerIdUses(getShard(databases, shard).pool, { account, at }),
  take: ({ shard, account }, at, choose) =>
    takeCallerId(getShard(databases, shard).pool, { account, at }, choose),
  answers: ({ shard, account }, at) => callerIdAnswers(getShard(databases, shard).pool, { account, at }),
});
