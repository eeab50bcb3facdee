/** What operations that send ask of the databases, and what their purses leave behind. */
import { firstIdAt } from '../engine/ids.ts';
import type { Upkeep } from '../engine/housekeeping.ts';
import type { SmsServices } from '../operations/messages/sms.ts';
import type { Control } from '../store/control.ts';
import { forgetPurses } from '../store/nightPurse.ts';
import { accountBlocks, globalBlocks } from '../store/reads/blocklist.ts';
import { poolOf } from './books.ts';
import type { Databases } from './databases.ts';

/** The rules of messages, without the engine. */
export const messageRules = (databases: Databases, control: Control): Omit<SmsServices, 'engine'> => {
  const ofAccount = new Map([...databases.shards].map(([name, { pool }]) => [name, accountBlocks(pool)]));
  const ofAll = globalBlocks(databases.control.pool);
  return {
    database: (shard) => poolOf(databases, shard),
    payersOf: (account) => control.payersOf(account),
    firstIdAt,
    isBlocked: async ({ id, shard }, number) => {
      const found = await Promise.all([ofAccount.get(shard)!({ account: id, number }), ofAll(number)]);
      return found.some((reason) => reason !== undefined);
    },
  };
};

/** Purses of nights that are over. */
export const purseUpkeep =
  (databases: Databases, shard: string): Upkeep =>
  (at) =>
    forgetPurses(poolOf(databases, shard), at);
