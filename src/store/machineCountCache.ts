/** How many machines a shard has: counted in the background and seldom, because a count reads the whole table. */
import { countMachines, type MachineCount } from './reads/machines/machineCounts.ts';
import type { ControlAndShardPools } from './pools.ts';

export interface MachineCountsOptions<Counts> {
  /** Reads the whole table. */
  count(): Promise<Counts>;
  /** Hears of a count that failed. */
  failed(error: unknown): void;
  /** Milliseconds of any clock. */
  now(): number;
  /** Between counts at the least, milliseconds. Default 10,000. */
  everyMs?: number;
  /** How long who asks first waits for the first count, milliseconds. Default 2,000. */
  waitMs?: number;
}

/** What a count may take of one processor of the database: this part of the time. */
const share = 1 / 20;

/**
 * What was counted last is told at once, however old, and counted anew in the background: one count at a time, no more
 * often than `everyMs`, and so seldom that it takes a twentieth of a processor however many machines there are.
 */
export class MachineCountCache<Counts> {
  readonly #options: Required<MachineCountsOptions<Counts>>;
  #last: { counts: Counts; at: number } | undefined;
  #next = -Infinity;
  #underWay: Promise<void> | undefined;

  constructor(options: MachineCountsOptions<Counts>) {
    this.#options = { everyMs: 10_000, waitMs: 2_000, ...options };
  }

  /** The last count, no older than `maxAgeMs` if that can be. `pending`: the first is under way; `failed`: so did the last. */
  async read(maxAgeMs: number): Promise<Counts | 'pending' | 'failed'> {
    const { now, waitMs } = this.#options;
    const isOld = this.#last === undefined || now() - this.#last.at >= maxAgeMs;
    if (isOld && now() >= this.#next) this.#underWay ??= this.#count();
    if (!this.#last && this.#underWay) await atMost(waitMs, this.#underWay);
    if (this.#last) return this.#last.counts;
    return this.#underWay ? 'pending' : 'failed';
  }

  async #count(): Promise<void> {
    const { count, failed, now, everyMs } = this.#options;
    const began = now();
    try {
      const counts = await count();
      this.#last = { counts, at: now() };
    } catch (error) {
      this.#last = undefined;
      failed(error);
    } finally {
      this.#next = now() + Math.max(everyMs, (now() - began) / share);
      this.#underWay = undefined;
    }
  }
}

const atMost = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, late]);
  clearTimeout(timer);
};

/** How old counts may be: for the metrics page, and for charts that this build lacks, milliseconds. */
export const maxCountAgeMs = { metrics: 10_000, versions: 60_000 } as const;

/** The counts of one shard. */
export type ShardMachineCountCache = MachineCountCache<readonly MachineCount[]>;

/** Counts of every shard, each over its own connection. */
export const createShardMachineCounts = ({
  databases,
  log,
}: {
  databases: ControlAndShardPools;
  log: { warn(fields: object, message: string): void };
}): ReadonlyMap<string, ShardMachineCountCache> =>
  new Map(
    [...databases.shards].map(([shard, { counting }]) => [
      shard,
      new MachineCountCache({
        count: () => countMachines(counting),
        failed: (error) => log.warn({ err: error, shard }, 'machines could not be counted'),
        now: () => performance.now(),
      }),
    ]),
  );

/** A shard that is away is missing from the page, not the page with it. */
export const readMachineCountsOfAllShards = async (counts: ReadonlyMap<string, ShardMachineCountCache>) => {
  const counted = await Promise.all(
    [...counts].map(async ([shard, of]) => {
      const found = await of.read(maxCountAgeMs.metrics);
      return typeof found === 'string' ? [] : found.map((row) => ({ shard, ...row }));
    }),
  );
  return counted.flat();
};
