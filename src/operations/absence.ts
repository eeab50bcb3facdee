/** When it may be said that something does not exist. */
import { Unavailable } from '../engine/contract/api.ts';
import type { Services } from './services.ts';

/**
 * Throws `Unavailable` while a shard's database may lack what was acknowledged: a standby was promoted, a backup restored, and
 * journals write it again. Who heard then that it does not exist would give it up.
 */
export const assertAbsenceCertain = async (
  { engine }: Pick<Services, 'engine'>,
  shard: string,
): Promise<void> => {
  if (await engine.standsOpen(shard)) return;
  if (engine.isClosed(shard))
    throw new Unavailable(
      `shard ${shard} is closed until an operator decides: what was not found may be there again then`,
      60,
    );
  throw new Unavailable(`shard ${shard} is being checked: what was not found may be there again soon`, 5);
};
