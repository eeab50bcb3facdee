/** A machine that was restored as a whole (`--restored`): its shards are closed before anything is dialled from their rows. */
import { markRestoredShardsClosed } from '../backup/closeRestoredShards.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Databases } from './databases.ts';

export const closeShardsOnRestoredStart = async (
  { shards }: Pick<Config, 'shards'>,
  databases: Databases,
  log: Log,
): Promise<void> => {
  for (const { name, schema } of shards) {
    await markRestoredShardsClosed(databases.shards.get(name)!.pool, schema, {
      takenAt: null,
      at: Date.now(),
    });
    log.warn({ shard: name }, 'the shard is closed, for it was started with --restored');
  }
};
