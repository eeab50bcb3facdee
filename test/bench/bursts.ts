/**
 * `npm run bench:bursts -- --against <folder> [--bursts 40] [--requests 1000] [kind …]`: what a change costs a request, to a
 * percent.
 *
 * Both trees' services run at once, each on a database of its own, and are asked in short bursts in turn, A B B A A B …:
 * a machine whose pace changes within minutes changes it for both. For each kind of request it prints the CPU of the
 * service's threads and of PostgreSQL a request, and requests a second, and the median of this tree's by the other's,
 * burst by burst, with its interval. `MakeTTSCall` is counted until its calls have ended: each is a request, and all the
 * steps of a call. Messages are counted until their last receipt, beside a sandbox of their own speed: they are measured
 * when they are named, and then nothing else is.
 *
 * The other tree needs its `npm ci && npm run build`.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { openDatabasePool } from '../../src/store/pool.ts';
import { openBed } from './bed.ts';
import { allEnded, askById, makeCalls } from './http.ts';
import type { Loaded } from './http/load.ts';
import {
  affordMessages,
  allHeard,
  makeMessages,
  type MessageKind,
  messageKinds,
  messageSandbox,
} from './http/messages.ts';
import { type Records, writeRecords } from './http/records.ts';
import { type RunningService, startService } from './http/service.ts';
import { cpuMicros, cpuOfThreads, intervalOfMedian, median } from './meter.ts';
import { ACCOUNT } from './node.ts';
import { circumstances, type Figure, keep } from './report.ts';

const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    bursts: { type: 'string', default: '40' },
    requests: { type: 'string', default: '1000' },
  },
  allowPositionals: true,
});
if (values.against === undefined) {
  console.error('usage: npm run bench:bursts -- --against <folder of the other tree> [--bursts 40]');
  process.exit(2);
}
const [bursts, requests] = [Number(values.bursts), Number(values.requests)];
const CONNECTIONS = 32;
const WARM = 1;
const sent = messageKinds.filter((kind) => positionals.includes(kind));
/** Of calls, which messages do not ask for. */
const RECORDS = sent.length > 0 ? 1 : 50_000;

interface Side {
  service: RunningService;
  pool: Pool;
  records: Records;
}

const bed = await openBed();
const open = async (name: string, tree: string): Promise<Side> => {
  await bed.ask(`CREATE DATABASE ${name}`);
  const url = bed.urlOf(name);
  const service = await startService(url, bed.folder, sent.length > 0 ? messageSandbox : {}, tree);
  const pool = openDatabasePool({ name: 'a', url, schema: 'public' }, { statementTimeoutMs: 0 });
  await affordMessages(pool);
  return { service, pool, records: await writeRecords(pool, ACCOUNT, RECORDS) };
};

/** What is asked in a burst; settles with its requests a second when all that follows from it is over. */
type Ask = (side: Side, burst: number) => Promise<number>;

const rateOf = ({ seconds, latencies }: Loaded): number => latencies.length / seconds;

const calls: Record<string, Ask> = {
  'GetCallStatus by id': async ({ service, records }) => rateOf(await askById(service, records, requests)),
  'MakeTTSCall, carried to its end': async ({ service, pool }, burst) => {
    const loaded = await makeCalls(service, burst, requests);
    await allEnded(pool);
    return rateOf(loaded);
  },
};

const message =
  (kind: MessageKind): Ask =>
  async (side, burst) => {
    const span = { connections: CONNECTIONS, first: burst * requests, requests };
    const loaded = await makeMessages(side, kind, span);
    await allHeard(side.pool);
    return rateOf(loaded);
  };

const kinds = sent.length > 0 ? Object.fromEntries(sent.map((kind) => [kind, message(kind)])) : calls;

const sides = [
  await open('ours', resolve(import.meta.dirname, '../..')),
  await open('theirs', resolve(values.against)),
] as const;

const measures = {
  'CPU in Node': 'us/request',
  'CPU in PostgreSQL': 'us/request',
  'the rate': '1/s',
} as const;
type Measures = Record<keyof typeof measures, number>;

const cost = async (side: Side, burst: number, ask: Ask): Promise<Measures> => {
  const before = [cpuOfThreads(side.service.pid), cpuMicros(bed.postmaster)] as const;
  const rate = await ask(side, burst);
  return {
    'CPU in Node': (cpuOfThreads(side.service.pid) - before[0]) / requests,
    'CPU in PostgreSQL': (cpuMicros(bed.postmaster) - before[1]) / requests,
    'the rate': rate,
  };
};

const about = { ...circumstances(bed.version), against: resolve(values.against), bursts, requests };
const figures: Figure[] = [];

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;

const compare = (name: string, unit: string, ours: readonly number[], theirs: readonly number[]): void => {
  const ratios = ours.map((value, burst) => value / theirs[burst]!);
  const [low, high] = intervalOfMedian(ratios);
  const cells = [name, median(ours).toFixed(1), median(theirs).toFixed(1), unit];
  console.log(
    `| ${[...cells, percent(median(ratios)), `${percent(low)} to ${percent(high)}`].join(' | ')} |`,
  );
  figures.push({
    ...{ section: 'bursts', name, unit: `ratio of ${unit}`, median: median(ratios), rounds: ratios },
    ...{ goals: '', met: null },
  });
};

console.log('| figure | this tree | the other | unit | this by the other | interval of the median |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [name, ask] of Object.entries(kinds)) {
  const [ours, theirs]: [Measures[], Measures[]] = [[], []];
  // The first ones warm both up.
  for (let burst = -WARM; burst < bursts; burst++) {
    const turn = burst % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of turn) {
      const found = await cost(sides[which], burst + WARM, ask);
      if (burst >= 0) (which === 0 ? ours : theirs).push(found);
    }
  }
  for (const [measure, unit] of Object.entries(measures)) {
    const [own, other] = [ours, theirs].map((side) => side.map((one) => one[measure as keyof Measures]));
    compare(`${name}: ${measure}`, unit, own!, other!);
  }
}
console.log(`\nkept in ${keep(about, figures)}`);
for (const { service, pool } of sides) {
  await service.stop();
  await pool.end();
}
await bed.stop();
