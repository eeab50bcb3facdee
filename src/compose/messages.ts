/** What operations that send ask of the databases, and what their purses leave behind. */
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { Upkeep } from '../engine/cluster/archive.ts';
import type { SmsServices } from '../operations/messages/sms.ts';
import type { Control } from '../store/control.ts';
import { forgetPurses } from '../store/nightAllowance.ts';
import { globalBlock } from '../store/reads/blocklist.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';

/** The rules of messages, without the engine. */
export const messageRules = (databases: Databases, control: Control): Omit<SmsServices, 'engine'> => ({
  database: (shard) => poolOf(databases, shard),
  payersOf: (account) => control.payersOf(account),
  firstIdAt,
  isBlockedForAll: async (number) => (await globalBlock(databases.control.pool, number)) !== undefined,
});

/** Purses of nights that are over. */
export const purseUpkeep =
  (databases: Databases, shard: string): Upkeep =>
  (at) =>
    forgetPurses(poolOf(databases, shard), at);
