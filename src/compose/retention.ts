/** What a shard forgets: its history past `HISTORY_DAYS`, records past `DELIVERY_DAYS` and `RECORD_DAYS`. */
import type { Config } from '../config.ts';
import type { HeavyWork } from '../engine/cluster/scheduledUpkeep.ts';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import { keepPartitions } from '../store/partitions.ts';
import { forgetInbound, forgetRecords } from '../store/retention.ts';
import type { Databases } from './databases.ts';
import { poolOf } from '../store/pools.ts';

const DAY = 86_400_000;

export const historyUpkeep = (databases: Databases, { limits }: Config, shard: string): HeavyWork => ({
  name: 'history',
  run: async (at) =>
    void (await keepPartitions(poolOf(databases, shard), { now: at, keepDays: limits.historyDays })),
});

export const retentionUpkeep = (databases: Databases, { limits }: Config, shard: string): HeavyWork => ({
  name: 'records',
  run: async (at, mayGoOn) => {
    const pool = poolOf(databases, shard);
    await forgetRecords(pool, 'deliveries', firstIdAt(at - limits.deliveryDays * DAY), mayGoOn);
    if (limits.recordDays === undefined) return;
    const before = at - limits.recordDays * DAY;
    await forgetRecords(pool, 'calls', firstIdAt(before), mayGoOn);
    await forgetRecords(pool, 'messages', firstIdAt(before), mayGoOn);
    await forgetInbound(pool, before, mayGoOn);
  },
});
