/** Limits of one process, in memory; bounded, the longest unused goes first. */
import { type Bucket, takeToken } from '../../rules/tokenBucket.ts';
import { failureRules, type Limits, type Standing } from '../limits.ts';

export interface MemoryLimitsOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** Tokens, and addresses, that are remembered. */
  most?: number;
}

/** Failures of one address, oldest first, and until when it is blocked. */
interface Failures {
  failures: number[];
  blockedUntil: number;
}

export const memoryLimits = ({ now, most = 100_000 }: MemoryLimitsOptions): Limits => {
  const buckets = new Remembered<Bucket>(most);
  const addresses = new Remembered<Failures>(most);

  const standing = (record: Failures | undefined): Standing => {
    if (!record) return 'free';
    const at = now();
    if (record.blockedUntil > at) return 'blocked';
    const { failures, withinMs } = failureRules.throttle;
    return record.failures.filter((moment) => moment > at - withinMs).length >= failures
      ? 'throttled'
      : 'free';
  };

  return {
    async take(key, rate) {
      const { bucket, ...allowance } = takeToken(buckets.get(key), rate, now());
      buckets.set(key, bucket);
      return allowance;
    },
    async standing(address) {
      return standing(addresses.get(address));
    },
    async failed(address) {
      const { failures, withinMs, forMs } = failureRules.block;
      const at = now();
      const before = addresses.get(address);
      const recent = [...(before?.failures ?? []).filter((moment) => moment > at - withinMs), at];
      const blockedUntil = recent.length >= failures ? at + forMs : (before?.blockedUntil ?? 0);
      addresses.set(address, { failures: recent.slice(-failures), blockedUntil });
    },
    async pardon(address) {
      addresses.delete(address);
    },
    stop() {},
  };
};

/** A map that forgets what was longest unused. */
class Remembered<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
