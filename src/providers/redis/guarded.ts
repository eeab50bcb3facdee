/**
 * A Redis that may hang: what is asked of it is bounded in number and time, and when it does not answer it is left
 * alone for a while. Nothing here depends on Redis: the caller says what is done without it.
 */
import type { Redis } from 'ioredis';

export interface RedisGuardOptions {
  /** With a `commandTimeout`: a question without an answer must fail. */
  redis: Redis;
  /** What is so while it does not answer, for the log and for health: `each node counts by itself`. */
  without: string;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds of any clock. */
  now(): number;
  /** Questions without an answer, in a row, after which it is left alone. Default 3. */
  failures?: number;
  /** For how long, milliseconds. Default 5,000. */
  restMs?: number;
  /** Questions under way at most; more are answered without it. Default 1,000. */
  most?: number;
}

export interface GuardedRedis {
  /** Asks, or does without: when it is away or left alone, too many are asked already, or it does not answer. */
  ask<T>(question: () => Promise<T>, without: () => Promise<T>): Promise<T>;
  /** Why it is done without now, a sentence; undefined: it is there. */
  problem(): string | undefined;
}

export const guardRedis = ({
  redis,
  without: lacking,
  log,
  now,
  failures: mostFailures = 3,
  restMs = 5_000,
  most = 1_000,
}: RedisGuardOptions): GuardedRedis => {
  let failures = 0;
  let underWay = 0;
  let restsUntil = -Infinity;
  let isTold = false;

  /** Once, until it is back: a client that tries again says the same every second. */
  const tellAway = (err: unknown): void => {
    if (!isTold) log.warn({ err }, `Redis does not answer: ${lacking}`);
    isTold = true;
  };
  const answered = (): void => {
    failures = 0;
    if (isTold) log.info({}, 'Redis answers again');
    isTold = false;
  };
  const unanswered = (error: unknown): void => {
    failures += 1;
    if (failures < mostFailures || now() < restsUntil) return;
    restsUntil = now() + restMs;
    // One question finds out whether it is back.
    failures = mostFailures - 1;
    tellAway(error);
    // What was sent and not answered is dropped with the connection; the next one is ready when Redis has answered.
    redis.disconnect(true);
  };
  redis.on('error', tellAway);
  redis.on('ready', () => {
    if (now() >= restsUntil) answered();
  });

  return {
    ask: async (question, without) => {
      if (redis.status !== 'ready' || now() < restsUntil || underWay >= most) return without();
      underWay += 1;
      try {
        const answer = await question();
        answered();
        return answer;
      } catch (error) {
        unanswered(error);
        return without();
      } finally {
        underWay -= 1;
      }
    },
    problem: () =>
      redis.status === 'ready' && now() >= restsUntil ? undefined : `Redis does not answer: ${lacking}`,
  };
};
