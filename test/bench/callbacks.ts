/** What status callbacks cost calls: none, a healthy receiver, and receivers of which one is dead and one slow. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Receivers, startReceivers } from './callbacks/receivers.ts';
import { putLoad } from './http/load.ts';
import { demoToken, startService } from './http/service.ts';
import { cpuMicros } from './meter.ts';
import type { Bench, Section } from './section.ts';

const CONNECTIONS = 32;
/** The rate beside dead and slow receivers, as part of that without callbacks. */
const GOAL = { atLeast: 0.9 };
/** Calls before it is measured. */
const WARM = 1_000;

/** Which address the n-th call names. */
type Wish = (receivers: Receivers, n: number) => { rurl?: string };

const none: Wish = () => ({});
const healthy: Wish = (receivers) => ({ rurl: receivers.healthy });
const ill: Wish = ({ dead, slow }, n) => ({ rurl: n % 2 === 0 ? dead : slow });

interface Run {
  rate: number;
  nodeMicros: number;
  postgresMicros: number;
  heard: number;
}

export const callbacks: Section = async (bench) => {
  const calls = Number(process.env['CALLBACK_CALLS'] ?? (bench.quick ? 500 : 10_000));
  // A run takes seconds, and the machine's pace changes within a minute: many rounds, and nobody is always first.
  const wishes = [none, healthy, ill];
  for (let round = 0; round < bench.rounds * 2; round++) {
    const runs = new Map<Wish, Run>();
    for (const wish of inTurn(wishes, round)) runs.set(wish, await run(bench, calls, wish));
    const { rate } = runs.get(none)!;
    const { heard } = runs.get(healthy)!;
    check(heard === calls, `the healthy receiver heard ${heard} of ${calls} final events`);
    noteRun(bench, 'no callbacks', runs.get(none)!);
    noteRun(bench, 'a healthy receiver', runs.get(healthy)!, rate);
    noteRun(bench, 'half dead, half slow', runs.get(ill)!, rate, GOAL);
  }
};

/** Forwards, then backwards, and each begins once in three. */
const inTurn = <One>(all: readonly One[], round: number): One[] => {
  const first = (round >> 1) % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? turned : turned.toReversed();
};

const noteRun = (
  { note }: Bench,
  name: string,
  { rate, nodeMicros, postgresMicros }: Run,
  beside?: number,
  ratioGoal?: { atLeast: number },
): void => {
  note(`${name}: calls carried to their end`, {
    ...{ value: rate, unit: '1/s' },
    ...(beside !== undefined && { beside }),
    ...(ratioGoal && { ratioGoal }),
  });
  note(`${name}: CPU of the service`, { value: nodeMicros, unit: 'us/call' });
  note(`${name}: CPU in PostgreSQL`, { value: postgresMicros, unit: 'us/call' });
};

/** Calls through a service of their own; the healthy receiver is waited for. */
const run = ({ bed, say }: Bench, calls: number, wish: Wish): Promise<Run> =>
  bed.withDatabase(async (database) => {
    const receivers = await startReceivers();
    const service = await startService(database.url, bed.folder, { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
    try {
      await makeCalls(service.url, Math.min(WARM, calls), 0, () => ({}));
      await allEnded(database.pool);
      const before = [cpuMicros(service.pid), cpuMicros(bed.postmaster)] as const;
      const began = performance.now();
      await makeCalls(service.url, calls, WARM, (n) => wish(receivers, n));
      await allEnded(database.pool);
      const seconds = (performance.now() - began) / 1_000;
      const [node, postgres] = [cpuMicros(service.pid) - before[0], cpuMicros(bed.postmaster) - before[1]];
      await allHeard(database.pool, receivers, wish(receivers, 0).rurl);
      say(`${Math.round(calls / seconds)} calls/s; ${await standingOf(database.pool)}`);
      const perCall = { nodeMicros: node / calls, postgresMicros: postgres / calls };
      return { rate: calls / seconds, ...perCall, heard: receivers.heard() };
    } finally {
      await service.stop();
      receivers.stop();
    }
  });

const makeCalls = (url: string, requests: number, from: number, wish: (n: number) => object) =>
  putLoad(url, {
    connections: CONNECTIONS,
    requests,
    ask: (n) => ({
      path: '/api/v2/MakeTTSCall.php',
      body: {
        ...{ tsid: demoToken, dest: `119${(100_000 + from + n) * 100}`, text: 'Olá, até logo.' },
        ...{ ctid: `order-${n}`, ...wish(n) },
      },
    }),
    check: (_, { body }) => {
      const { status_code: code, warning } = body['return'] as { status_code: string; warning?: string };
      if (code !== '0' || warning !== undefined) throw new Error(`refused: ${JSON.stringify(body)}`);
    },
  });

const allEnded = (pool: Pool): Promise<void> => nothingOf(pool, `kind = 'call'`);

const nothingOf = async (pool: Pool, which: string): Promise<void> => {
  while ((await pool.query(`SELECT FROM machines WHERE ${which} AND ended_at IS NULL LIMIT 1`)).rowCount)
    await pause(200);
};

const allHeard = async (pool: Pool, { healthy: address }: Receivers, named?: string): Promise<void> => {
  if (named === address) await nothingOf(pool, `kind = 'delivery'`);
};

/** How the deliveries stand: `5000 retrying`. */
const standingOf = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ says: string }>(
    `SELECT state || ' ' || count(*) || ' deliveries, ' || sum(revision) || ' steps' AS says
      FROM machines WHERE kind = 'delivery' GROUP BY state`,
  );
  return rows.map(({ says }) => says).join('; ') || 'no deliveries';
};

const check = (right: boolean, wrong: string): void => {
  if (!right) throw new Error(wrong);
};
