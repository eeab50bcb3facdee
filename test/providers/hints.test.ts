/** Hints between nodes over a real Redis, which may hang. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRedisWakeUpHints, type RedisWakeUpHints } from '../../src/providers/redis/wakeUpHints.ts';
import { openLog } from '../../src/log.ts';
import { redisLacking, type RunningRedis, startRedis } from '../helpers/redis.ts';

const lacking = redisLacking();

describe.skipIf(lacking)(`hints over Redis${lacking ? `: ${lacking}` : ''}`, () => {
  let server: RunningRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  const opened: RedisWakeUpHints[] = [];
  afterEach(() => {
    server.resume();
    for (const hints of opened.splice(0)) hints.close();
  });
  const lines: string[] = [];
  const open = async (): Promise<RedisWakeUpHints> => {
    const hints = await openRedisWakeUpHints(
      server.url,
      openLog('info', { write: (line: string) => void lines.push(line) }),
    );
    opened.push(hints);
    await expect.poll(() => hints.problem()).toBeUndefined();
    return hints;
  };
  /** Publishes until it is heard: the other may not have subscribed yet. */
  const isHeard = async (from: RedisWakeUpHints, heard: number[], machine: number): Promise<void> => {
    await expect
      .poll(() => {
        from.hints.publish('a', 'inbox', machine);
        return heard.includes(machine);
      })
      .toBe(true);
  };

  it('are heard by others, are few in memory while it hangs, and are heard again when it answers', async () => {
    const [from, to] = [await open(), await open()];
    const heard: number[] = [];
    to.hints.subscribe((shard, topic, machine) => {
      if (shard === 'a' && topic === 'inbox') heard.push(machine);
    });
    await isHeard(from, heard, 1);

    server.hang();
    const before = process.memoryUsage().heapUsed;
    for (let machine = 1_000; machine < 101_000; machine += 1) from.hints.publish('a', 'inbox', machine);
    await new Promise((resolve) => setImmediate(resolve));
    const grownMB = Math.round((process.memoryUsage().heapUsed - before) / 1e6);
    process.stdout.write(`100,000 hints while Redis hangs: ${grownMB} MB\n`);
    expect(grownMB).toBeLessThan(60);
    await expect.poll(() => from.problem()).toContain('Redis does not answer');
    server.resume();

    await expect.poll(() => from.problem()).toBeUndefined();
    await isHeard(from, heard, 2);
    // Those beyond the bound are lost: nodes look by themselves.
    expect(heard.filter((machine) => machine >= 1_000).length).toBeLessThanOrEqual(1_000);
    const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(told.filter((line) => line.startsWith('Redis does not answer'))).toHaveLength(1);
  });
});
