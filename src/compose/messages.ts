/** Wires the rules of messages to the databases, and removes night balances that are over. */
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { UpkeepTask } from '../engine/cluster/leaderUpkeep.ts';
import type { SmsOperationServices } from '../operations/sms/startSms.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { deleteExpiredNightMessageBalances } from '../store/nightMessageAllowance.ts';
import { lookUpGlobalBlocklist } from '../store/reads/lists/blocklist.ts';
import type { Databases } from './databases.ts';
import { getShardPool } from '../store/pools.ts';

/** The rules of messages, without the engine. */
export const messageRuleLookups = (
  databases: Databases,
  control: ControlDatabase,
): Omit<SmsOperationServices, 'engine'> => ({
  database: (shard) => getShardPool(databases, shard),
  payersOf: (account) => control.payersOf(account),
  firstIdAt,
  isBlockedForAll: async (number) =>
    (await lookUpGlobalBlocklist(databases.control.pool, number)) !== undefined,
});

/** Balances of nights that are over. */
export const nightMessageBalanceCleanup =
  (databases: Databases, shard: string): UpkeepTask =>
  (at) =>
    deleteExpiredNightMessageBalances(getShardPool(databases, shard), at);
