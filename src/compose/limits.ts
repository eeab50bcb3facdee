/** What all doors count together: in Redis where there is one, else in this process. */
import type { Pool } from 'pg';
import { BodyRoom } from '../access/bodyRoom.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Limits } from '../providers/limits.ts';
import { memoryLimits } from '../providers/limits/memory.ts';
import { addressGroup } from '../rules/addresses.ts';
import { redisLimits } from '../providers/limits/redis.ts';
import { guardRedis } from '../providers/redis/guarded.ts';
import { openKeptLockouts } from './keptLockouts.ts';

/**
 * Addresses are counted by whom they belong to: an IPv6 network of a customer is one. `pool`: the control database, which
 * keeps the lock-outs that this process counts itself.
 */
export const openLimits = async (redisUrl: string | undefined, pool: Pool, log: Log): Promise<Limits> => {
  const limits = await open(redisUrl, pool, log);
  return {
    take: (key, rate) => limits.take(key, rate),
    standing: (address) => limits.standing(addressGroup(address)),
    failed: (address) => limits.failed(addressGroup(address)),
    pardon: (address) => limits.pardon(addressGroup(address)),
    problem: () => limits.problem(),
    stop: () => limits.stop(),
  };
};

/** Connects in the background and goes on trying. The client is loaded where there is a Redis only. */
const open = async (redisUrl: string | undefined, pool: Pool, log: Log): Promise<Limits> => {
  // The host's time as it was at the start, which nobody sets from then on: lock-outs are kept beyond the process, in
  // whole milliseconds.
  const now = (): number => Math.round(performance.timeOrigin + performance.now());
  const alone = memoryLimits({ now, kept: await openKeptLockouts(pool, log) });
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
  return redisLimits({ redis, guarded, alone });
};

const mebibyte = 1024 * 1024;

/**
 * For bodies that are held in memory: 128 MB for large ones of strangers, as much for known callers, 32 MB for small
 * ones; more where one body may be larger. One address, or account, has a part of each.
 */
export const openBodyRoom = ({ limits: { maxBodyBytes } }: Config): BodyRoom => {
  const ofStranger = Math.max(32 * mebibyte, maxBodyBytes);
  const ofAccount = Math.max(64 * mebibyte, maxBodyBytes);
  return new BodyRoom({
    small: { most: 32 * mebibyte, mostOfOne: 4 * mebibyte },
    large: { most: 4 * ofStranger, mostOfOne: ofStranger },
    known: { most: 2 * ofAccount, mostOfOne: ofAccount },
  });
};
