/** The limits that all doors share: counted in Redis where there is one, else in this process. */
import type { Pool } from 'pg';
import { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type {
  RequestLimitsOfAllEndpoints,
  RateLimitsAndLockouts,
} from '../providers/contracts/rateLimitsAndLockouts.ts';
import { inMemoryRequestLimits } from '../providers/rateLimitsAndLockouts/memory.ts';
import { redisRequestLimits } from '../providers/rateLimitsAndLockouts/redis.ts';
import { guardRedis } from '../providers/redis/guarded.ts';
import { openKeptLockouts } from '../access/persistedLockouts.ts';
import { limitsPerAddressGroup } from '../access/limitsByAddressGroup.ts';

/**
 * What all doors count: `redisUrl`: in a Redis for all nodes, else in this process. `pool`: the control database, which
 * keeps the lock-outs that this process counts itself.
 */
export const openRateLimits = async (
  redisUrl: string | undefined,
  pool: Pool,
  log: Log,
): Promise<RequestLimitsOfAllEndpoints> => limitsPerAddressGroup(await open(redisUrl, pool, log), log);

/** Connects in the background and goes on trying. The client is loaded where there is a Redis only. */
const open = async (redisUrl: string | undefined, pool: Pool, log: Log): Promise<RateLimitsAndLockouts> => {
  // The host's time at the start plus a monotonic clock, so that it never jumps: lock-outs are kept beyond the process,
  // in whole milliseconds.
  const now = (): number => Math.round(performance.timeOrigin + performance.now());
  const alone = inMemoryRequestLimits({ now, kept: await openKeptLockouts(pool, log) });
  if (redisUrl === undefined) return alone;
  const { Redis } = await import('ioredis');
  // A question that Redis does not answer soon is answered here.
  const redis = new Redis(redisUrl, { commandTimeout: 250, maxRetriesPerRequest: 0 });
  const guarded = guardRedis({
    redis,
    without: 'each node counts requests and failed logins by itself',
    log,
    now,
  });
  return redisRequestLimits({ redis, guarded, alone });
};

const mebibyte = 1024 * 1024;

/**
 * For bodies that are held in memory: 128 MB for large ones of strangers, as much for known callers, 32 MB for small
 * ones; more where one body may be larger. One address, or account, has a part of each.
 */
export const openBodyRoom = ({ limits: { maxBodyBytes } }: Config): BodyMemoryBudget => {
  const ofStranger = Math.max(32 * mebibyte, maxBodyBytes);
  const ofAccount = Math.max(64 * mebibyte, maxBodyBytes);
  return new BodyMemoryBudget({
    small: { most: 32 * mebibyte, mostOfOne: 4 * mebibyte },
    large: { most: 4 * ofStranger, mostOfOne: ofStranger },
    known: { most: 2 * ofAccount, mostOfOne: ofAccount },
  });
};
