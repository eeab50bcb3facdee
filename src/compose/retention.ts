/** What a shard forgets once an hour: records past `DELIVERY_DAYS` and `RECORD_DAYS`. */
import type { Config } from '../config.ts';
import type { Upkeep } from '../engine/cluster/archive.ts';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import { forgetInbound, forgetRecords } from '../store/retention.ts';
import type { Databases } from './databases.ts';
import { poolOf } from '../store/pools.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const retentionUpkeep = (databases: Databases, { limits }: Config, shard: string): Upkeep => {
  let next = 0;
  return async (at) => {
    if (at < next) return;
    const pool = poolOf(databases, shard);
    await forgetRecords(pool, 'deliveries', firstIdAt(at - limits.deliveryDays * DAY));
    if (limits.recordDays !== undefined) {
      const before = at - limits.recordDays * DAY;
      await forgetRecords(pool, 'calls', firstIdAt(before));
      await forgetRecords(pool, 'messages', firstIdAt(before));
      await forgetInbound(pool, before);
    }
    next = at + HOUR;
  };
};
