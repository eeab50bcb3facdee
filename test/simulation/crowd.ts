/**
 * Other nodes of the shard, which do nothing but beat: they leave few slots, so that each is given again and again. Those
 * who had these slots before had minted ahead of the time.
 */
import type { Beat } from '../../src/engine/contract/store.ts';
import type { Database } from './database.ts';
import type { Dice } from './dice.ts';
import { EPOCH, GRACE_MS } from './plan.ts';
import type { World } from './world.ts';

const OTHERS = 56;
const FORMER = 8;
const BEAT_EVERY_MS = 6_000;
const DAY_MS = 86_400_000;
/** Former users are forgotten a day after they left: some minutes into the story. */
const LEFT_AT = EPOCH - DAY_MS + 3 * 60_000;
const AHEAD_MS = [1_000, 60_000] as const;
/** Names them in the table of nodes. */
export const CROWD = 'crowd';

export interface CrowdScope {
  world: World;
  database: Database;
  dice: Dice;
}

/** They join before anybody else does, and beat as long as the story goes. */
export const gather = async ({ world, database, dice }: CrowdScope): Promise<void> => {
  const joins = async (name: string, at: number): Promise<number> => {
    const node = { name, process: `elsewhere ${name}`, at, aheadMs: 0, graceMs: GRACE_MS };
    return ((await database.do('register', [node])) as { incarnation: number }).incarnation;
  };
  for (let former = 0; former < FORMER; former += 1) {
    const incarnation = await joins('former', LEFT_AT);
    const mintedMs = EPOCH + Math.round(dice.between(...AHEAD_MS));
    const beat: Beat = { incarnation, at: LEFT_AT, mintedMs, aheadMs: 0 };
    await database.do('beat', [beat]);
    await database.do('leaveNode', [incarnation, LEFT_AT]);
  }
  for (let other = 0; other < OTHERS; other += 1) await joins(CROWD, EPOCH);
  const again = (): void => {
    database.crowdBeats();
    world.after(BEAT_EVERY_MS, again);
  };
  again();
};
