/** Wake-up hints between nodes, over Redis. They may be lost: without them nodes look by themselves, a little later. */
import type { WakeUpHints } from '../../engine/contract/ports.ts';
import { type RedisGuardOptions, guardRedis } from './guarded.ts';

export interface RedisWakeUpHints {
  hints: WakeUpHints;
  /** Why hints are lost now, a sentence; undefined: they are not. */
  problem(): string | undefined;
  close(): void;
}

const channel = 'ramal:hints';
/** A hint that is not taken in this time is lost, milliseconds. */
const publishTimeoutMs = 500;
const nothing = (): Promise<number> => Promise.resolve(0);

/** Connects in the background and goes on trying. The client is loaded where there is a Redis only. */
export const openRedisWakeUpHints = async (
  url: string,
  log: RedisGuardOptions['log'],
): Promise<RedisWakeUpHints> => {
  const { Redis } = await import('ioredis');
  const publisher = new Redis(url, { commandTimeout: publishTimeoutMs, maxRetriesPerRequest: 0 });
  const subscriber = new Redis(url, { keepAlive: 10_000 });
  const now = () => performance.now();
  const without = 'nodes look for each other’s words by themselves, twice a second';
  const { ask, problem } = guardRedis({ redis: publisher, without, log, now });
  // It is away when the publisher is, which tells the log.
  subscriber.on('error', () => {});
  return {
    hints: {
      publish: (shard, topic, machine) =>
        void ask(() => publisher.publish(channel, `${shard} ${topic} ${machine}`), nothing),
      subscribe: (heard) => {
        subscriber
          .subscribe(channel)
          .catch((error: unknown) => log.warn({ err: error }, 'no hints from Redis'));
        subscriber.on('message', (_, text) => {
          const [shard = '', topic, machine] = text.split(' ');
          if (topic === 'inbox' || topic === 'milestone') heard(shard, topic, Number(machine));
        });
      },
    },
    problem,
    close: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
};
