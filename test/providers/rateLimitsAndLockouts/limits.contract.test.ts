import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RateLimitsAndLockouts } from '../../../src/providers/contracts/rateLimitsAndLockouts.ts';
import { LOOPBACK_CLIENT_NAME } from '../../../src/lib/ipAddressRanges.ts';
import { inMemoryRequestLimits } from '../../../src/providers/rateLimitsAndLockouts/memory.ts';
import { redisRequestLimits } from '../../../src/providers/rateLimitsAndLockouts/redis.ts';
import { guardRedis } from '../../../src/providers/redis/guarded.ts';
import { type Log, openLog } from '../../../src/log.ts';
import { redisLacking, type RunningRedis, startRedis } from '../../helpers/redis.ts';

const lacking = redisLacking();
const slowly = { perSecond: 0.01, burst: 3 };
const fail = async (limits: RateLimitsAndLockouts, address: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await limits.failed(address);
};

const counting = (open: () => RateLimitsAndLockouts): void => {
  let limits: RateLimitsAndLockouts;
  beforeEach(() => void (limits = open()));
  afterEach(() => limits.stop());

  it('lets a burst through and says when the next request may come', async () => {
    const told = [];
    for (let time = 0; time < 4; time += 1) told.push(await limits.take('burst', slowly));
    expect(told.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(told[3]!.retryAfterMs).toBeGreaterThan(90_000);
    expect(told[3]!.retryAfterMs).toBeLessThanOrEqual(100_000);
    expect(told[0]!.resetMs).toBe(100_000);
  });

  it('keeps buckets apart', async () => {
    await limits.take('mine', { perSecond: 0.01, burst: 1 });
    expect((await limits.take('yours', { perSecond: 0.01, burst: 1 })).allowed).toBe(true);
  });

  it('throttles an address at its twentieth failure, and blocks it at its hundredth', async () => {
    await fail(limits, '203.0.113.1', 19);
    expect(await limits.standing('203.0.113.1')).toBe('free');
    await fail(limits, '203.0.113.1', 1);
    expect(await limits.standing('203.0.113.1')).toBe('throttled');
    await fail(limits, '203.0.113.1', 79);
    expect(await limits.standing('203.0.113.1')).toBe('throttled');
    await fail(limits, '203.0.113.1', 1);
    expect(await limits.standing('203.0.113.1')).toBe('blocked');
    expect(await limits.standing('2001:db8::1')).toBe('free');
  });

  it('says when it locks an address out, once, and for how long it does', async () => {
    const told = [];
    for (let time = 0; time < 101; time += 1) told.push(await limits.failed('203.0.113.3'));
    expect(told.flatMap((lockOut, n) => (lockOut ? [[n + 1, lockOut]] : []))).toEqual([
      [20, 'throttled'],
      [100, 'blocked'],
    ]);
    expect(await limits.lockedMs('203.0.113.3')).toBeGreaterThan(23 * 3_600_000);
    await fail(limits, '203.0.113.4', 19);
    expect(await limits.lockedMs('203.0.113.4')).toBe(0);
    await fail(limits, '203.0.113.4', 1);
    const lockedMs = await limits.lockedMs('203.0.113.4');
    expect(lockedMs).toBeGreaterThan(590_000);
    expect(lockedMs).toBeLessThanOrEqual(600_000);
  });

  it('gives this machine itself ten times as many tries', async () => {
    await fail(limits, LOOPBACK_CLIENT_NAME, 199);
    expect(await limits.standing(LOOPBACK_CLIENT_NAME)).toBe('free');
    await fail(limits, LOOPBACK_CLIENT_NAME, 1);
    expect(await limits.standing(LOOPBACK_CLIENT_NAME)).toBe('throttled');
  });

  it('pardons', async () => {
    await fail(limits, '203.0.113.2', 100);
    await limits.reset('203.0.113.2');
    expect(await limits.standing('203.0.113.2')).toBe('free');
    await fail(limits, '203.0.113.2', 19);
    expect(await limits.standing('203.0.113.2')).toBe('free');
  });
};

describe('limits in memory', () => {
  let now = 0;
  const open = (): RateLimitsAndLockouts => inMemoryRequestLimits({ now: () => now, most: 3 });
  counting(open);

  it('fills a bucket again, up to the burst', async () => {
    const limits = open();
    const rate = { perSecond: 2, burst: 2 };
    for (let time = 0; time < 3; time += 1) await limits.take('a', rate);
    now += 499;
    expect((await limits.take('a', rate)).allowed).toBe(false);
    now += 1;
    expect((await limits.take('a', rate)).allowed).toBe(true);
    now += 60_000;
    expect((await limits.take('a', rate)).remaining).toBe(1);
  });

  it('fills a bucket again although its clock was set back', async () => {
    const limits = open();
    const rate = { perSecond: 2, burst: 2 };
    now += 3_600_000;
    for (let time = 0; time < 3; time += 1) await limits.take('b', rate);
    now -= 3_600_000;
    expect((await limits.take('b', rate)).allowed).toBe(false);
    now += 500;
    expect((await limits.take('b', rate)).allowed).toBe(true);
  });

  it('lets a throttled address in after ten minutes, and a blocked one after a day', async () => {
    const limits = open();
    await fail(limits, 'a', 20);
    now += 10 * 60_000 - 1;
    expect(await limits.standing('a')).toBe('throttled');
    now += 1;
    expect(await limits.standing('a')).toBe('free');
    await fail(limits, 'a', 100);
    now += 24 * 3_600_000 - 1;
    expect(await limits.standing('a')).toBe('blocked');
    now += 1;
    expect(await limits.standing('a')).toBe('free');
  });

  it('counts a hundred failures within an hour, not over several', async () => {
    const limits = open();
    await fail(limits, 'a', 60);
    now += 3_600_001;
    await fail(limits, 'a', 60);
    expect(await limits.standing('a')).toBe('throttled');
  });

  it('forgets what was longest unused rather than grow', async () => {
    const limits = open();
    await fail(limits, 'old', 20);
    for (const address of ['b', 'c', 'd']) await fail(limits, address, 1);
    expect(await limits.standing('old')).toBe('free');
  });
});

describe.skipIf(lacking)(`limits in Redis${lacking ? `: ${lacking}` : ''}`, () => {
  let server: RunningRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  const clients: Redis[] = [];
  const client = (): Redis => {
    const redis = new Redis(server.url, { retryStrategy: () => 20 });
    redis.on('error', () => {});
    clients.push(redis);
    return redis;
  };
  const open = (redis = client(), log: Log = openLog('silent')): RateLimitsAndLockouts => {
    const guarded = guardRedis({
      ...{ redis, log, restMs: 300 },
      without: 'each node counts alone',
      now: () => performance.now(),
    });
    return redisRequestLimits({ redis, guarded, alone: inMemoryRequestLimits({ now: Date.now }) });
  };
  const ready = (redis: Redis): Promise<void> =>
    redis.status === 'ready' ? Promise.resolve() : new Promise((done) => redis.once('ready', () => done()));

  describe('as in memory', () => {
    let redis: Redis;
    beforeEach(async () => {
      redis = client();
      await ready(redis);
      await redis.flushall();
    });
    counting(() => open(redis));
  });

  it('are shared by all nodes', async () => {
    const [one, other] = [client(), client()];
    await Promise.all([ready(one), ready(other)]);
    await fail(open(one), '203.0.113.9', 20);
    expect(await open(other).standing('203.0.113.9')).toBe('throttled');
  });

  it('are kept by each node alone while Redis is away, and shared again when it is back', async () => {
    const redis = client();
    await ready(redis);
    const limits = open(redis);
    const gone = new Promise((done) => redis.once('close', done));
    await server.stop();
    await gone;
    await fail(limits, '203.0.113.7', 20);
    expect(await limits.standing('203.0.113.7')).toBe('throttled');
    const back = new Promise((done) => redis.once('ready', done));
    await server.start();
    await back;
    expect(await limits.standing('203.0.113.7')).toBe('free');
    limits.stop();
  });

  it('of a Redis that hangs are kept by each node alone: few questions wait for it, and it is used again when it answers', async () => {
    const redis = new Redis(server.url, {
      retryStrategy: () => 20,
      commandTimeout: 100,
      maxRetriesPerRequest: 0,
    });
    clients.push(redis);
    await ready(redis);
    await redis.flushall();
    const lines: string[] = [];
    const limits = open(redis, openLog('info', { write: (line: string) => void lines.push(line) }));
    let asked = 0;
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (...given: Parameters<typeof send>) => {
      asked += 1;
      return send(...given);
    };
    expect(limits.problem()).toBeUndefined();
    server.hang();
    try {
      for (let time = 0; time < 200; time += 1) await limits.failed('203.0.113.8');
      expect(await limits.standing('203.0.113.8')).toBe('blocked');
      expect(limits.problem()).toBe('Redis does not answer: each node counts alone');
      // Three without an answer, and what the client itself asks when it connects anew.
      expect(asked).toBeLessThan(20);
    } finally {
      server.resume();
    }
    await expect.poll(() => limits.problem()).toBeUndefined();
    expect(await limits.standing('203.0.113.8')).toBe('free');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'Redis does not answer: each node counts alone',
      'Redis answers again',
    ]);
    limits.stop();
  });
  afterEach(() => {
    for (const redis of clients.splice(0)) redis.disconnect();
  });
});
