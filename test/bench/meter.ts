/** What a piece of work costs: time, CPU of this process and of PostgreSQL, and write-ahead log. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import type { Bed } from './bed.ts';

export interface Cost {
  seconds: number;
  /** CPU of this process, microseconds. */
  nodeMicros: number;
  /** CPU of the server and all its children, microseconds; NaN where there is no /proc. */
  postgresMicros: number;
  walBytes: number;
}

/** Runs the work and says what it cost. */
export const metered = async (bed: Bed, pool: Pool, work: () => Promise<void>): Promise<Cost> => {
  const wal = await walPosition(pool);
  const postgres = cpuMicros(bed.postmaster);
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds,
    nodeMicros: user + system,
    postgresMicros: cpuMicros(bed.postmaster) - postgres,
    walBytes: (await walPosition(pool)) - wal,
  };
};

const walPosition = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`,
  );
  return Number(rows[0]!.bytes);
};

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROS = 10_000;

/** The fields of /proc/<pid>/stat after the command's name. */
const statOf = (pid: number): number[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};

export const parentOf = (pid: number): number => {
  try {
    return statOf(pid)[1]!;
  } catch {
    return Number.NaN;
  }
};

/** CPU used so far by the threads of a process that live, microseconds, to the nanosecond; NaN where there is no /proc. */
export const cpuOfThreads = (pid: number): number => {
  try {
    const nanos = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    );
    return nanos.reduce((sum, one) => sum + one, 0) / 1_000;
  } catch {
    return Number.NaN;
  }
};

/** CPU used so far by a process, its living children, and those of them that have ended. */
export const cpuMicros = (root: number): number => {
  if (Number.isNaN(root)) return Number.NaN;
  const [, , , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = statOf(root);
  let ticks = user + system + endedUser + endedSystem;
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) ticks += childTicks(Number(name), root);
  return ticks * TICK_MICROS;
};

const childTicks = (pid: number, parent: number): number => {
  try {
    const stat = statOf(pid);
    return stat[1] === parent ? stat[11]! + stat[12]! : 0;
  } catch {
    // It ended between the listing and the look.
    return 0;
  }
};

/** The value below which this part (0 to 1) of the values lie. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The interval of a median that holds in at least 95 of 100 cases, by the sign test: of ten values the second lowest to
 * the second highest. Fewer than six values have none: lowest to highest.
 */
export const intervalOfMedian = (sample: readonly number[]): [low: number, high: number] => {
  const sorted = sample.toSorted((a, b) => a - b);
  const n = sorted.length;
  let below = 0;
  let cut = 0;
  for (let k = 0, chance = 0.5 ** n; k < n / 2; k++) {
    below += chance;
    if (below > 0.025) break;
    cut = k + 1;
    chance = (chance * (n - k)) / (k + 1);
  }
  const at = Math.max(0, cut - 1);
  return [sorted[at]!, sorted[n - 1 - at]!];
};
