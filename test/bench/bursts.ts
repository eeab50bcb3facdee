/**
 * `npm run bench:bursts -- --against <folder> [--bursts 40] [--requests 1000]`: what a change costs a request, to a percent.
 *
 * Both trees' services run at once, each on a database of its own, and are asked in short bursts in turn, A B B A A B …:
 * a machine whose pace changes within minutes changes it for both. For each kind of request it prints the CPU of the
 * service's threads a request, and the median of this tree's by the other's, burst by burst, with its interval.
 * `MakeTTSCall` is counted until its calls have ended: each is a request, and all the steps of a call.
 *
 * The other tree needs its `npm ci && npm run build`.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openPool } from '../../src/store/pool.ts';
import { openBed } from './bed.ts';
import { allEnded, askById, makeCalls } from './http.ts';
import { type Records, writeRecords } from './http/records.ts';
import { type RunningService, startService } from './http/service.ts';
import { cpuOfThreads, intervalOfMedian, median } from './meter.ts';
import { ACCOUNT } from './node.ts';
import { circumstances, keep } from './report.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    bursts: { type: 'string', default: '40' },
    requests: { type: 'string', default: '1000' },
  },
});
if (values.against === undefined) {
  console.error('usage: npm run bench:bursts -- --against <folder of the other tree> [--bursts 40]');
  process.exit(2);
}
const [bursts, requests] = [Number(values.bursts), Number(values.requests)];
const RECORDS = 50_000;

interface Side {
  service: RunningService;
  pool: Pool;
  records: Records;
}

const bed = await openBed();
const open = async (name: string, tree: string): Promise<Side> => {
  await bed.ask(`CREATE DATABASE ${name}`);
  const url = bed.urlOf(name);
  const service = await startService(url, bed.folder, {}, tree);
  const pool = openPool({ name: 'a', url, schema: 'public' }, { statementTimeoutMs: 0 });
  return { service, pool, records: await writeRecords(pool, ACCOUNT, RECORDS) };
};

/** What is asked in a burst; settles when all that follows from it is over. */
const kinds: Record<string, (side: Side, burst: number) => Promise<unknown>> = {
  'GetCallStatus by id': ({ service, records }) => askById(service, records, requests),
  'MakeTTSCall, carried to its end': async ({ service, pool }, burst) => {
    await makeCalls(service, burst, requests);
    await allEnded(pool);
  },
};

const sides = [
  await open('ours', resolve(import.meta.dirname, '../..')),
  await open('theirs', resolve(values.against)),
] as const;

const cost = async (side: Side, burst: number, ask: (typeof kinds)[string]): Promise<number> => {
  const before = cpuOfThreads(side.service.pid);
  await ask(side, burst);
  return (cpuOfThreads(side.service.pid) - before) / requests;
};

const about = { ...circumstances(bed.version), against: resolve(values.against), bursts, requests };
const figures = [];
console.log('| figure | this tree | the other | unit | this by the other | interval of the median |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [name, ask] of Object.entries(kinds)) {
  const [ours, theirs]: [number[], number[]] = [[], []];
  // The first ones warm both up.
  for (let burst = -4; burst < bursts; burst++) {
    const turn = burst % 2 === 0 ? [0, 1] : [1, 0];
    const found = [0, 0];
    for (const which of turn) found[which] = await cost(sides[which]!, burst + 4, ask);
    if (burst < 0) continue;
    ours.push(found[0]!);
    theirs.push(found[1]!);
  }
  const ratios = ours.map((value, burst) => value / theirs[burst]!);
  const [low, high] = intervalOfMedian(ratios);
  const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
  const cells = [`${name}: CPU in Node`, median(ours).toFixed(1), median(theirs).toFixed(1), 'us/request'];
  console.log(
    `| ${[...cells, percent(median(ratios)), `${percent(low)} to ${percent(high)}`].join(' | ')} |`,
  );
  figures.push({
    ...{ section: 'bursts', name, unit: 'ratio of us/request', median: median(ratios), rounds: ratios },
    ...{ goals: '', met: null },
  });
}
console.log(`\nkept in ${keep(about, figures)}`);
for (const { service, pool } of sides) {
  await service.stop();
  await pool.end();
}
await bed.stop();
