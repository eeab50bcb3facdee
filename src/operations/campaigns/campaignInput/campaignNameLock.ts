/**
 * A campaign's name and first day, held by the request that looks for campaigns of that name and writes: of all
 * creations and changes on all nodes, one at a time does so (docs/decisions/0006).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { releaseKeyClaim, takeKeyClaim } from '../../../store/idempotencyKeyClaims.ts';
import { digest } from '../../idempotency.ts';
import type { Services } from '../../services.ts';

/** A request holds a name no longer than this, whatever becomes of its process, milliseconds. */
const heldForMs = 10_000;
/** How long another waits for it: until then the name is free again, or its holder has died and been outlived. */
const patienceMs = heldForMs + 1_000;
/** Between two tries: twice as long each time. */
const firstPauseMs = 10;
const longestPauseMs = 500;

export interface CampaignNameLockRequest {
  services: Pick<Services, 'database' | 'engine'>;
  shard: string;
  account: number;
  name: string;
  /** The campaign's first day. */
  date: string;
  /** For people who read the claim, and to give it back; unlike any other. */
  owner: string;
}

/** Gives the name back. Without it the name is free after ten seconds. */
export type ReleaseCampaignName = () => Promise<void>;

/** Waits for the name; undefined: others held it for too long. */
export const holdCampaignName = async (
  wish: CampaignNameLockRequest,
): Promise<ReleaseCampaignName | undefined> => {
  const { services, shard, account, owner } = wish;
  const pool = services.database(shard);
  const key = `campaign:name:${digest({ name: wish.name, date: wish.date })}`;
  const giveUpAt = services.engine.now(shard) + patienceMs;
  for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
    const at = services.engine.now(shard);
    const isOurs = await takeKeyClaim(pool, account, { key, forMs: heldForMs }, { owner, at });
    if (isOurs) return () => releaseKeyClaim(pool, account, { key, owner });
    if (at >= giveUpAt) return undefined;
    await pause(ms);
  }
};
