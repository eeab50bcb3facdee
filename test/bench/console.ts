/**
 * What an open console costs the service, and what the page itself does, beside 100,000 machines and some 500 steps a
 * second: CPU with no page, one page and ten, in turn; how often the page is told; its first figures; its heap; machines
 * with long histories; and what readers that stalled cost the machines.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { noBrowser } from '../helpers/browser.ts';
import { noteLongHistories } from './console/longHistory.ts';
import { watchPage, withPage } from './console/page.ts';
import { openPages } from './console/pages.ts';
import { keepStepping } from './console/steps.ts';
import { noteStalledReaders } from './console/stalled.ts';
import { copyCalls } from './console/machines.ts';
import { type RunningService, startService } from './http/service.ts';
import type { BenchDatabase } from './bed.ts';
import { cpuMicros, median } from './meter.ts';
import type { Bench, Section } from './section.ts';

export const adminToken = 'admin-token-of-the-bench';
const sizes = {
  full: { machines: 100_000, seconds: 20, minutes: 10 },
  quick: { machines: 2_000, seconds: 4, minutes: 0.1 },
};
/** A sandbox call takes eight steps: at this pace they are some 500 a second. */
const callsPerSecond = 63;
const openAtATime = [0, 1, 10] as const;

export const consolePages: Section = async (bench) => {
  await bench.bed.withDatabase((database) => notePagesBesideSteps(bench, database));
  await bench.bed.withDatabase(({ url }) => noteReaders(bench, url));
};

const notePagesBesideSteps = async (bench: Bench, { url, pool }: BenchDatabase): Promise<void> => {
  const size = sizes[bench.quick ? 'quick' : 'full'];
  const service = await startService(url, bench.bed.folder, {
    ADMIN_TOKEN: adminToken,
    SANDBOX_SPEED: '20',
  });
  try {
    bench.say(`${size.machines} machines …`);
    await copyCalls(service, pool, size.machines);
    const stepping = keepStepping(service, callsPerSecond);
    try {
      await pause(bench.quick ? 1_000 : 10_000);
      await notePages(bench, service, size.seconds);
      if (noBrowser === undefined) await notePage(bench, service, pool, size.minutes);
      else bench.say(`the page itself is not measured: ${noBrowser}`);
    } finally {
      const { placed, unavailable } = await stepping.stop();
      bench.note('calls refused with 503', {
        value: (unavailable / placed) * 100,
        unit: '%',
        goal: { below: 0.01 },
      });
    }
  } finally {
    await service.stop();
  }
};

const notePage = (bench: Bench, service: RunningService, pool: Pool, minutes: number): Promise<void> =>
  withPage(service.url, adminToken, async (open) => {
    await watchPage(bench, service.url, open.page, minutes);
    await noteLongHistories(bench, { service, pool }, open);
  });

/** Their service is one of its own: its sandbox takes no time. */
const noteReaders = async (bench: Bench, databaseUrl: string): Promise<void> => {
  const service = await startService(databaseUrl, bench.bed.folder, { ADMIN_TOKEN: adminToken });
  try {
    await noteStalledReaders(bench, service, adminToken);
  } finally {
    await service.stop();
  }
};

/** Each number of pages a while, in turn; what more they take than none is noted as a part of one processor. */
const notePages = async (
  bench: Bench,
  service: { url: string; pid: number },
  seconds: number,
): Promise<void> => {
  const rounds = bench.quick ? 1 : 9;
  const used = new Map<number, number[]>(openAtATime.map((pages) => [pages, []]));
  const told: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const pages of round % 2 === 0 ? openAtATime : openAtATime.toReversed()) {
      bench.say(`round ${round + 1} of ${rounds}: ${pages} pages …`);
      const open = openPages(service.url, adminToken, pages);
      // The first answer is not what is measured.
      await pause(bench.quick ? 300 : 2_000);
      const [before, heard] = [cpuOf(bench, service.pid), open.told()];
      const began = performance.now();
      await pause(seconds * 1_000);
      const took = (performance.now() - began) * 1_000;
      used.get(pages)!.push((cpuOf(bench, service.pid) - before) / took);
      if (pages === 1) told.push((open.told() - heard) / (took / 1e6));
      steps.push(...open.steps());
      open.close();
    }
  const none = used.get(0)!;
  if (steps.length > 0) bench.note('steps', { value: median(steps), unit: '1/s' });
  for (const value of told) bench.note('one page: told', { value, unit: '1/s', goal: { atLeast: 3.5 } });
  for (const pages of [1, 10])
    for (const [round, one] of used.get(pages)!.entries())
      bench.note(`${pages === 1 ? 'one page' : 'ten pages'}: CPU of service and PostgreSQL`, {
        value: (one - none[round]!) * 100,
        unit: '% of a core',
        goal: { below: pages === 1 ? 5 : 15 },
      });
};

const cpuOf = ({ bed }: Bench, pid: number): number => cpuMicros(pid) + cpuMicros(bed.postmaster);
