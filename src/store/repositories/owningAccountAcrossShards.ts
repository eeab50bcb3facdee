/** Whose something is, by its id alone, over all shards. */
import type { Pool } from 'pg';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import type { ControlAndShardPools } from '../pools.ts';

/** How long it is believed whose a line is, or that there is none, milliseconds. */
const believedForMs = 5_000;

type AccountOf = (pool: Pool, id: number) => Promise<number | undefined>;

/** Whose something is, by its id alone; `accountOf` asks one shard. Undefined: there is none such. */
export const createOwningAccountLookup = (databases: ControlAndShardPools, accountOf: AccountOf) =>
  withTtlCache((id: number) => findOwner(databases, accountOf, id), {
    keyOf: (id) => id,
    now: Date.now,
    forMs: believedForMs,
  });

/** Ids of lines, and of routes, come from one counter, so one shard at most has it. Throws when that may be away. */
const findOwner = async (
  databases: ControlAndShardPools,
  accountOf: AccountOf,
  id: number,
): Promise<{ shard: string; account: number } | undefined> => {
  const asked = await Promise.allSettled(
    [...databases.shards].map(async ([shard, { pool }]) => {
      const account = await accountOf(pool, id);
      return account === undefined ? undefined : { shard, account };
    }),
  );
  for (const one of asked) if (one.status === 'fulfilled' && one.value) return one.value;
  for (const one of asked) if (one.status === 'rejected') throw one.reason;
  return undefined;
};
