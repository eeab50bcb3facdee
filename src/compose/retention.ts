/** What a shard forgets: its history past `HISTORY_DAYS`, records past `DELIVERY_DAYS` and `RECORD_DAYS`. */
import type { Config } from '../config.ts';
import type { InterruptibleUpkeepWork } from '../engine/cluster/scheduledUpkeep.ts';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import { maintainHistoryPartitions } from '../store/historyPartitions.ts';
import { deleteOldInboundMessages, deleteOldRecords } from '../store/retention.ts';
import type { Databases } from './databases.ts';
import { getShardPool } from '../store/pools.ts';

const DAY = 86_400_000;

export const machineHistoryCleanup = (
  databases: Databases,
  { limits }: Config,
  shard: string,
): InterruptibleUpkeepWork => ({
  name: 'history',
  run: async (at) =>
    void (await maintainHistoryPartitions(getShardPool(databases, shard), {
      now: at,
      keepDays: limits.historyDays,
    })),
});

export const oldRecordsCleanup = (
  databases: Databases,
  { limits }: Config,
  shard: string,
): InterruptibleUpkeepWork => ({
  name: 'records',
  run: async (at, mayGoOn) => {
    const pool = getShardPool(databases, shard);
    await deleteOldRecords(pool, 'deliveries', firstIdAt(at - limits.deliveryDays * DAY), mayGoOn);
    if (limits.recordDays === undefined) return;
    const before = at - limits.recordDays * DAY;
    await deleteOldRecords(pool, 'calls', firstIdAt(before), mayGoOn);
    await deleteOldRecords(pool, 'messages', firstIdAt(before), mayGoOn);
    await deleteOldInboundMessages(pool, before, mayGoOn);
  },
});
