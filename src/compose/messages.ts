/** Wires the rules of messages to the databases, and removes night balances that are over. */
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { Upkeep } from '../engine/cluster/archive.ts';
import type { SmsServices } from '../operations/sms/sms.ts';
import type { Control } from '../store/control.ts';
import { forgetNightBalances } from '../store/nightAllowance.ts';
import { globalBlock } from '../store/reads/lists/blocklist.ts';
import type { Databases } from './databases.ts';
import { poolOf } from '../store/pools.ts';

/** The rules of messages, without the engine. */
export const messageRules = (databases: Databases, control: Control): Omit<SmsServices, 'engine'> => ({
  database: (shard) => poolOf(databases, shard),
  payersOf: (account) => control.payersOf(account),
  firstIdAt,
  isBlockedForAll: async (number) => (await globalBlock(databases.control.pool, number)) !== undefined,
});

/** Balances of nights that are over. */
export const nightBalanceUpkeep =
  (databases: Databases, shard: string): Upkeep =>
  (at) =>
    forgetNightBalances(poolOf(databases, shard), at);
