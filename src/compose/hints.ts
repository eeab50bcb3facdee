/** Wake-up hints between nodes, over Redis. They may be lost: without them nodes look by themselves, a little later. */
import type { Hints } from '../engine/ports.ts';
import type { Log } from '../log.ts';

export interface RedisHints {
  hints: Hints;
  close(): void;
}

const channel = 'ramal:hints';

/** Connects in the background and goes on trying. The client is loaded where there is a Redis only. */
export const redisHints = async (url: string, log: Log): Promise<RedisHints> => {
  const { Redis } = await import('ioredis');
  const [publisher, subscriber] = [new Redis(url), new Redis(url)];
  for (const redis of [publisher, subscriber])
    redis.on('error', (error) => log.warn({ err: error }, 'Redis is away'));
  return {
    hints: {
      publish: (shard, topic, machine) => {
        if (publisher.status !== 'ready') return;
        publisher.publish(channel, `${shard} ${topic} ${machine}`).catch(() => {});
      },
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
    close: () => {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
};
