/**
 * Limits that all nodes share, in Redis: one script a question, on Redis' own clock. While Redis is away each node
 * counts by itself, so that neither its outage nor its return keeps anybody out.
 */
import type { Redis } from 'ioredis';
import type { Rate } from '../../rules/tokenBucket.ts';
import type { Guarded } from '../redis/guarded.ts';
import { type Allowance, failureRules, type Limits, type Standing } from '../limits.ts';

export interface RedisLimitsOptions {
  redis: Redis;
  guarded: Guarded;
  /** Counts while Redis is away. */
  alone: Limits;
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
  ): Promise<number>;
  ramalStanding(failures: string, block: string, throttled: number, withinMs: number): Promise<Standing>;
}

const CLOCK = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** As `takeToken`; answers whether it is allowed and what is left. */
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

const FAILED = `${CLOCK}
local most, within = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - within)
redis.call('ZADD', KEYS[1], now, time[1] .. '.' .. time[2] .. '.' .. redis.call('ZCARD', KEYS[1]))
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -most - 1)
redis.call('PEXPIRE', KEYS[1], within)
if redis.call('ZCARD', KEYS[1]) >= most then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
return redis.call('ZCARD', KEYS[1])`;

const STANDING = `${CLOCK}
if redis.call('EXISTS', KEYS[2]) == 1 then return 'blocked' end
if redis.call('ZCOUNT', KEYS[1], now - tonumber(ARGV[2]), '+inf') >= tonumber(ARGV[1]) then return 'throttled' end
return 'free'`;

const keysOf = (address: string) => [`ramal:failures:{${address}}`, `ramal:blocked:{${address}}`] as const;

export const redisLimits = ({ redis, guarded, alone }: RedisLimitsOptions): Limits => {
  redis.defineCommand('ramalTake', { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand('ramalFailed', { numberOfKeys: 2, lua: FAILED });
  redis.defineCommand('ramalStanding', { numberOfKeys: 2, lua: STANDING });
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
        () =>
          scripts.ramalStanding(
            ...keysOf(address),
            failureRules.throttle.failures,
            failureRules.throttle.withinMs,
          ),
        () => alone.standing(address),
      ),
    failed: async (address) => {
      const { failures, withinMs, forMs } = failureRules.block;
      await orAlone<unknown>(
        () => scripts.ramalFailed(...keysOf(address), failures, withinMs, forMs),
        () => alone.failed(address),
      );
    },
    pardon: async (address) => {
      await orAlone<unknown>(
        () => redis.del(...keysOf(address)),
        async () => {},
      );
      await alone.pardon(address);
    },
    problem,
    stop: () => redis.disconnect(),
  };
};

const allowanceOf = ([allowed, left]: [number, string], { perSecond, burst }: Rate): Allowance => {
  const tokens = Number(left);
  return {
    allowed: allowed === 1,
    remaining: Math.floor(tokens),
    retryAfterMs: allowed === 1 ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond),
    resetMs: Math.ceil(((burst - tokens) * 1000) / perSecond),
  };
};
