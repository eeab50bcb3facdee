/**
 * Limits that all nodes share, in Redis: one script a question, on Redis' own clock. While Redis is away each node
 * counts by itself, so that neither its outage nor its return refuses a caller.
 */
import type { Redis } from 'ioredis';
import type { Rate } from '../../lib/tokenBucket.ts';
import type { GuardedRedis } from '../redis/guarded.ts';
import {
  type RateLimitStatus,
  type RateLimitsAndLockouts,
  type LockoutSeverity,
  failedLoginThresholdsFor,
  type LockoutLevel,
} from '../contracts/rateLimitsAndLockouts.ts';

export interface RedisLimitsOptions {
  redis: Redis;
  guarded: GuardedRedis;
  /** Counts while Redis is away. */
  alone: RateLimitsAndLockouts;
}

/** The scripts, as ioredis defines them on a client. */
interface Scripted {
  ramalTake(bucket: string, perSecond: number, burst: number): Promise<[number, string]>;
  ramalFailed(
    failures: string,
    block: string,
    most: number,
    withinMs: number,
    forMs: number,
    throttled: number,
    throttledWithinMs: number,
  ): Promise<LockoutSeverity | ''>;
  ramalStanding(failures: string, block: string, throttled: number, withinMs: number): Promise<LockoutLevel>;
  ramalLocked(failures: string, block: string, throttled: number, withinMs: number): Promise<number>;
}

const CLOCK = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** As `takeRateLimitToken`; answers whether it is allowed and what is left. */
const TAKE = `${CLOCK}
local perSecond, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local filled = burst
if known[1] then filled = math.min(burst, tonumber(known[1]) + math.max(0, now - tonumber(known[2])) * perSecond / 1000) end
local allowed = filled >= 1 and 1 or 0
local tokens = filled - allowed
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) * 1000 / perSecond) + 1000)
return {allowed, tostring(tokens)}`;

/** Answers how it locked the address out. */
const FAILED = `${CLOCK}
local most, within = tonumber(ARGV[1]), tonumber(ARGV[2])
local recent = redis.call('ZCOUNT', KEYS[1], now - tonumber(ARGV[5]), '+inf')
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - within)
redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. redis.call('ZCARD', KEYS[1]))
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -most - 1)
redis.call('PEXPIRE', KEYS[1], within)
if redis.call('ZCARD', KEYS[1]) >= most then
  local known = redis.call('EXISTS', KEYS[2])
  redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
  return known == 1 and '' or 'blocked'
end
return recent == tonumber(ARGV[4]) - 1 and 'throttled' or ''`;

const STANDING = `${CLOCK}
if redis.call('EXISTS', KEYS[2]) == 1 then return 'blocked' end
if redis.call('ZCOUNT', KEYS[1], now - tonumber(ARGV[2]), '+inf') >= tonumber(ARGV[1]) then return 'throttled' end
return 'free'`;

/** Milliseconds until an address is free again: of its block, or until too few of its failures are young enough. */
const LOCKED = `${CLOCK}
local blocked = redis.call('PTTL', KEYS[2])
if blocked > 0 then return blocked end
local last = redis.call('ZRANGE', KEYS[1], -tonumber(ARGV[1]), -tonumber(ARGV[1]), 'WITHSCORES')
if not last[2] then return 0 end
return math.max(0, tonumber(last[2]) + tonumber(ARGV[2]) - now)`;

const keysOf = (address: string) => [`ramal:failures:{${address}}`, `ramal:blocked:{${address}}`] as const;

const throttleOf = (address: string) => {
  const { failures, withinMs } = failedLoginThresholdsFor(address).throttle;
  return [failures, withinMs] as const;
};

export const redisRequestLimits = ({ redis, guarded, alone }: RedisLimitsOptions): RateLimitsAndLockouts => {
  redis.defineCommand('ramalTake', { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand('ramalFailed', { numberOfKeys: 2, lua: FAILED });
  redis.defineCommand('ramalStanding', { numberOfKeys: 2, lua: STANDING });
  redis.defineCommand('ramalLocked', { numberOfKeys: 2, lua: LOCKED });
  const scripts = redis as unknown as Scripted;

  const { ask: orAlone, problem } = guarded;

  return {
    take: (key, rate) =>
      orAlone(
        async () =>
          allowanceOf(await scripts.ramalTake(`ramal:rate:${key}`, rate.perSecond, rate.burst), rate),
        () => alone.take(key, rate),
      ),
    standing: (address) =>
      orAlone(
        () => scripts.ramalStanding(...keysOf(address), ...throttleOf(address)),
        () => alone.standing(address),
      ),
    lockedMs: (address) =>
      orAlone(
        () => scripts.ramalLocked(...keysOf(address), ...throttleOf(address)),
        () => alone.lockedMs(address),
      ),
    failed: (address) => {
      const { failures, withinMs, forMs } = failedLoginThresholdsFor(address).block;
      return orAlone(
        async () =>
          (await scripts.ramalFailed(
            ...keysOf(address),
            ...([failures, withinMs, forMs] as const),
            ...throttleOf(address),
          )) || undefined,
        () => alone.failed(address),
      );
    },
    reset: async (address) => {
      await orAlone<unknown>(
        () => redis.del(...keysOf(address)),
        async () => {},
      );
      await alone.reset(address);
    },
    problem,
    stop: () => redis.disconnect(),
  };
};

const allowanceOf = ([allowed, left]: [number, string], { perSecond, burst }: Rate): RateLimitStatus => {
  const tokens = Number(left);
  return {
    allowed: allowed === 1,
    remaining: Math.floor(tokens),
    retryAfterMs: allowed === 1 ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond),
    resetMs: Math.ceil(((burst - tokens) * 1000) / perSecond),
  };
};
