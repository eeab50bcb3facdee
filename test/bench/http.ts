/** What callers see: calls, their records and messages through HTTP on the running service, beside millions of records. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Answer, type Loaded, putLoad } from './http/load.ts';
import { affordMessages, allHeard, makeMessages, messageKinds, messageSandbox } from './http/messages.ts';
import { type Records, writeRecords } from './http/records.ts';
import { demoToken, type RunningService, startService } from './http/service.ts';
import type { BenchDatabase } from './bed.ts';
import { cpuMicros, quantile } from './meter.ts';
import { ACCOUNT } from './node.ts';
import type { Bench, Section } from './section.ts';

/** `page`: records a page, so that a 10,000th page exists. */
const sizes = {
  full: { records: 5_000_000, page: 100, calls: 20_000, messages: 5_000, byId: 20_000, pages: 2_000 },
  paired: { records: 200_000, page: 10, calls: 10_000, messages: 3_000, byId: 20_000, pages: 2_000 },
  quick: { records: 30_000, page: 2, calls: 500, messages: 200, byId: 500, pages: 100 },
};
const FAR_PAGE = 10_000;
const CONNECTIONS = 32;

export const http: Section = (bench) =>
  bench.bed.withDatabase(async (database) => {
    const size = sizes[bench.quick ? 'quick' : bench.paired ? 'paired' : 'full'];
    bench.say(`${size.records} call records …`);
    const records = await writeRecords(database.pool, ACCOUNT, size.records);
    const service = await startService(database.url, bench.bed.folder);
    try {
      await askByPage(service, records, size.page, size.pages / 10);
      for (let round = 0; round < bench.rounds; round++) {
        notePages(bench, await askByPage(service, records, size.page, size.pages));
        const cost = cpuOf(bench, service);
        noteRequests(bench, 'GetCallStatus by id', await askById(service, records, size.byId));
        noteCost(bench, 'GetCallStatus by id', cost(), size.byId);
      }
      // Calls come last: their own records would be on the first page.
      for (let round = 0; round < bench.rounds; round++) {
        const began = performance.now();
        const cost = cpuOf(bench, service);
        noteRequests(bench, 'MakeTTSCall', await makeCalls(service, round, size.calls));
        await allEnded(database.pool);
        const seconds = (performance.now() - began) / 1_000;
        bench.note('MakeTTSCall: calls carried to their end', { value: size.calls / seconds, unit: '1/s' });
        noteCost(bench, 'MakeTTSCall, carried to its end', cost(), size.calls);
      }
    } finally {
      await service.stop();
    }
    await audit(database.pool, size.records, bench.rounds * size.calls);
    await sendMessages(bench, database, size.messages);
  });

/** Their service is one of its own: its sandbox takes a person's time. */
const sendMessages = async (bench: Bench, { url, pool }: BenchDatabase, requests: number): Promise<void> => {
  const service = await startService(url, bench.bed.folder, messageSandbox);
  await affordMessages(pool);
  try {
    // The first round warms up.
    for (let round = 0; round <= bench.rounds; round++)
      for (const kind of messageKinds) {
        const cost = cpuOf(bench, service);
        const span = { connections: CONNECTIONS, first: round * requests, requests };
        const loaded = await makeMessages({ service, pool }, kind, span);
        await allHeard(pool);
        if (round === 0) continue;
        noteRequests(bench, kind, loaded);
        noteCost(bench, `${kind}, with its receipts`, cost(), requests);
      }
  } finally {
    await service.stop();
  }
};

interface Cpu {
  nodeMicros: number;
  postgresMicros: number;
}

/** Begins to count the CPU of the service and of PostgreSQL; the answer says what was used since. */
const cpuOf = ({ bed }: Bench, { pid }: RunningService): (() => Cpu) => {
  const [node, postgres] = [cpuMicros(pid), cpuMicros(bed.postmaster)];
  return () => ({
    nodeMicros: cpuMicros(pid) - node,
    postgresMicros: cpuMicros(bed.postmaster) - postgres,
  });
};

const noteCost = (
  bench: Bench,
  name: string,
  { nodeMicros, postgresMicros }: Cpu,
  requests: number,
): void => {
  bench.note(`${name}: CPU in Node`, { value: nodeMicros / requests, unit: 'us/request' });
  bench.note(`${name}: CPU in PostgreSQL`, { value: postgresMicros / requests, unit: 'us/request' });
};

const noteRequests = (bench: Bench, name: string, { seconds, latencies }: Loaded): void => {
  bench.note(`${name}, ${CONNECTIONS} connections`, { value: latencies.length / seconds, unit: '1/s' });
  bench.note(`${name}: p50`, { value: quantile(latencies, 0.5), unit: 'ms' });
  bench.note(`${name}: p99`, { value: quantile(latencies, 0.99), unit: 'ms' });
};

const notePages = (bench: Bench, { near, far }: { near: number[]; far: number[] }): void => {
  bench.note('GetCallStatus, first page: p50', { value: quantile(near, 0.5), unit: 'ms' });
  // Each of the two within 1.5 of the other.
  const ratio = quantile(far, 0.5) / quantile(near, 0.5);
  bench.note(`GetCallStatus, page ${FAR_PAGE}: p50`, { value: quantile(far, 0.5), unit: 'ms' });
  bench.note(`GetCallStatus, page ${FAR_PAGE} to first page, the slower by the faster`, {
    value: Math.max(ratio, 1 / ratio),
    unit: 'ratio',
    goal: { below: 1.5 },
  });
};

const statusPath = '/api/v2/GetCallStatus.php';

/** The call ids of an answer; throws when it was refused. */
const idsOf = ({ http: status, body }: Answer): number[] => {
  const { status_code: code } = body['return'] as { status_code: string };
  if (status !== 200 || code !== '0') throw new Error(`refused: ${JSON.stringify(body)}`);
  return (body['calls'] as { cd_id: string }[]).map(({ cd_id: id }) => Number(id.split('_')[1]));
};

/** Calls by id, all over the table. */
export const askById = (service: RunningService, records: Records, requests: number): Promise<Loaded> => {
  const wanted = (n: number): number => records.id((n * 7_919) % records.count);
  return putLoad(service.url, {
    connections: CONNECTIONS,
    requests,
    ask: (n) => ({ path: statusPath, body: { tsid: demoToken, cd_id: `a_${wanted(n)}` } }),
    check: (n, answer) => {
      const [id] = idsOf(answer);
      if (id !== wanted(n)) throw new Error(`asked for call ${wanted(n)}, was told of ${id}`);
    },
  });
};

/** First pages and far pages in turn, one request at a time; milliseconds of each. */
const askByPage = async (
  service: RunningService,
  records: Records,
  page: number,
  requests: number,
): Promise<{ near: number[]; far: number[] }> => {
  const first = (n: number): number => (n % 2 === 0 ? 0 : (FAR_PAGE - 1) * page);
  const { latencies } = await putLoad(service.url, {
    connections: 1,
    requests: 2 * requests,
    ask: (n) => ({
      path: statusPath,
      body: { tsid: demoToken, maxreg: page, last_id: first(n) === 0 ? 0 : records.id(first(n) - 1) },
    }),
    check: (n, answer) => {
      const ids = idsOf(answer);
      const wrong = ids.findIndex((id, at) => id !== records.id(first(n) + at));
      if (ids.length !== page || wrong >= 0) throw new Error(`a page of ${ids.length}, wrong at ${wrong}`);
    },
  });
  return {
    near: latencies.filter((_, n) => n % 2 === 0),
    far: latencies.filter((_, n) => n % 2 === 1),
  };
};

/** Calls that the sandbox carrier answers: each to a number of its own, with the default duplicate window. */
export const makeCalls = (service: RunningService, round: number, requests: number): Promise<Loaded> =>
  putLoad(service.url, {
    connections: CONNECTIONS,
    requests,
    ask: (n) => ({
      path: '/api/v2/MakeTTSCall.php',
      body: {
        tsid: demoToken,
        dest: destination(round * requests + n),
        text: 'Olá, até logo.',
        ctid: `order-${n}`,
      },
    }),
    check: (_, { body }) => {
      const { status_code: code } = body['return'] as { status_code: string };
      if (code !== '0') throw new Error(`refused: ${JSON.stringify(body)}`);
    },
  });

/** A mobile number that answers and listens: it ends in 00. */
const destination = (n: number): string => `119${(800_000 + n) * 100}`;

/** Waits until the service has nothing in flight. */
export const allEnded = async (pool: Pool): Promise<void> => {
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT FROM machines WHERE kind = 'call' AND ended_at IS NULL LIMIT 1`,
    );
    if (rowCount === 0) return;
    await pause(20);
  }
};

/** Every accepted call has a record, and ended answered. */
const audit = async (pool: Pool, records: number, calls: number): Promise<void> => {
  const { rows } = await pool.query<{ all: number; answered: number }>(
    `SELECT (SELECT count(*)::int FROM calls) AS all,
      (SELECT count(*)::int FROM calls c JOIN machines m ON m.account_id = c.account_id AND m.id = c.id
       WHERE c.finished AND c.status = 'OK') AS answered`,
  );
  const { all, answered } = rows[0]!;
  if (all !== records + calls || answered !== calls)
    throw new Error(`${calls} calls were accepted; ${answered} ended answered, and there are ${all} records`);
};
