/**
 * What others see of a crowd: the effects of 100,000 machines are lost and fall due in the same second, as a process that
 * ended leaves them behind, while calls are placed all the time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BenchDatabase } from './bed.ts';
import { copyCalls } from './console/machines.ts';
import { keepStepping } from './console/steps.ts';
import { type RunningService, startService } from './http/service.ts';
import { quantile } from './meter.ts';
import type { Bench, Section } from './section.ts';

const machines = { full: 100_000, quick: 2_000 };
const callsPerSecond = 45;

export const crowd: Section = async (bench) => {
  for (let round = 0; round < bench.rounds; round += 1)
    await bench.bed.withDatabase((database) => noteCrowd(bench, database));
};

const noteCrowd = async (bench: Bench, { url, pool }: BenchDatabase): Promise<void> => {
  const service = await startService(url, bench.bed.folder, { SANDBOX_SPEED: '20' });
  try {
    const count = machines[bench.quick ? 'quick' : 'full'];
    bench.say(`${count} machines …`);
    const dueAt = await copyCalls(service, pool, count, 'preparing');
    const stepping = keepStepping(service, callsPerSecond);
    const health = keepAsking(service);
    await pause(dueAt - Date.now());
    const began = performance.now();
    while ((await countPreparing(pool)) > count / 1_000) await pause(1_000);
    bench.note('all have stepped after', { value: (performance.now() - began) / 1_000, unit: 's' });
    const { placed, unavailable, latencies } = await stepping.stop();
    bench.note('MakeTTSCall of others: p99', { value: quantile(latencies, 0.99), unit: 'ms' });
    bench.note('MakeTTSCall of others: refused', {
      ...{ value: (unavailable / placed) * 100, unit: '%', goal: { below: 0.01 } },
    });
    const longest = await health.stop();
    bench.note('/healthz: longest answer', { value: longest, unit: 'ms', goal: { below: 1_000 } });
  } finally {
    await service.stop();
  }
};

const countPreparing = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM machines WHERE kind = 'call' AND state = 'preparing'`,
  );
  return rows[0]!.count;
};

/** Asks for the service's health every 50 ms; `stop` says how long the longest answer took, milliseconds. */
const keepAsking = ({ url }: RunningService): { stop(): Promise<number> } => {
  let isStopped = false;
  let longest = 0;
  const asking = (async () => {
    while (!isStopped) {
      const began = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      longest = Math.max(longest, performance.now() - began);
      await pause(50);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await asking;
      return longest;
    },
  };
};
