/** SMS through the real path: engine, PostgreSQL, router and SMPP carrier, beside the SMPP package alone. */
import type { Pool } from 'pg';
import { metered, quantile } from './meter.ts';
import type { Bench, Section } from './section.ts';
import { sendBare } from './sms/bare.ts';
import type { Counted } from './sms/carrier.ts';
import { type CarrierProcess, startCarrier } from './sms/process.ts';
import { openRequests } from './sms/requests.ts';
import { openSender } from './sms/sender.ts';

const WINDOW = 50;
/** The goal for the rate, as part of the package's own. */
const GOAL = { atLeast: 0.5 };

/** How soon the carrier answers: at once, which none does; as one next door does, and as one across a city. */
const carriers = [
  { name: 'answered at once', answerMs: 0 },
  { name: 'answered after 3 ms', answerMs: 3 },
  { name: 'answered after 10 ms', answerMs: 10 },
] as const;
type Kind = (typeof carriers)[number];

export const sms: Section = async (bench) => {
  const carrier = await startCarrier();
  const messages = bench.quick ? 1_000 : 10_000;
  try {
    for (let round = 0; round < bench.rounds; round++) {
      for (const kind of carriers) {
        const bare = await rateOfBare(carrier, kind, messages);
        await throughTheEngine(bench, carrier, { ...kind, messages, bare });
        await throughHttp(bench, carrier, { ...kind, messages, bare });
      }
      await withReceipts(bench, carrier, messages);
      await withCutLinks(bench, carrier, messages);
    }
  } finally {
    await carrier.stop();
  }
};

const rateOfBare = async (carrier: CarrierProcess, { answerMs }: Kind, messages: number): Promise<number> => {
  await carrier.begin();
  // What is compiled by then is compiled for both.
  await sendBare(carrier.port, 1_000, WINDOW);
  await carrier.begin({ answerMs });
  const began = performance.now();
  await sendBare(carrier.port, messages, WINDOW);
  const seconds = (performance.now() - began) / 1_000;
  check((await carrier.count()).taken.length === messages, 'the package lost messages');
  return messages / seconds;
};

/** Measures so many messages beside what the package alone carried, `bare`. */
type Measure = (
  bench: Bench,
  carrier: CarrierProcess,
  load: Kind & { messages: number; bare: number },
) => Promise<void>;

const throughTheEngine: Measure = ({ bed, note }, carrier, { name, answerMs, messages, bare }) =>
  bed.withDatabase(async (database) => {
    await carrier.begin({ answerMs });
    const sender = await openSender({ database, port: carrier.port, window: WINDOW });
    try {
      const cost = await metered(bed, database.pool, () => sender.send(messages));
      const counted = await carrier.count();
      check(counted.mostInFlight <= WINDOW, `${counted.mostInFlight} were on the wire`);
      check(counted.taken.length === messages && counted.twice === 0, 'the carrier counted others');
      check((await statesOf(database.pool)).get('acknowledged') === messages, 'not all are acknowledged');
      note(`${name}: messages, born and acknowledged durably`, {
        value: messages / cost.seconds,
        unit: '1/s',
        beside: bare,
        ratioGoal: GOAL,
      });
      note(`${name}: CPU in Node`, { value: cost.nodeMicros / messages, unit: 'us/message' });
      note(`${name}: CPU in PostgreSQL`, { value: cost.postgresMicros / messages, unit: 'us/message' });
    } finally {
      await sender.stop();
    }
  });

/** What callers see: the whole service, with every rule of an SMS, and its answer. */
const throughHttp: Measure = ({ bed, note }, carrier, { name, answerMs, messages, bare }) =>
  bed.withDatabase(async (database) => {
    await carrier.begin({ answerMs });
    const requests = await openRequests(database, { port: carrier.port, window: WINDOW, folder: bed.folder });
    try {
      await requests.send(messages / 10);
      const { seconds, latencies } = await requests.send(messages);
      check((await carrier.count()).taken.length === messages * 1.1, 'the carrier counted others');
      note(`${name}: MakeSMS, ${WINDOW} connections`, {
        value: messages / seconds,
        unit: '1/s',
        beside: bare,
      });
      note(`${name}: MakeSMS: p50`, { value: quantile(latencies, 0.5), unit: 'ms' });
      note(`${name}: MakeSMS: p99`, { value: quantile(latencies, 0.99), unit: 'ms' });
    } finally {
      await requests.stop();
    }
  });

const withReceipts = ({ bed, note }: Bench, carrier: CarrierProcess, messages: number): Promise<void> =>
  bed.withDatabase(async (database) => {
    await carrier.begin();
    const sender = await openSender({ database, port: carrier.port, window: WINDOW });
    try {
      await sender.send(messages);
      const began = performance.now();
      await carrier.receipts();
      const seconds = (performance.now() - began) / 1_000;
      check((await statesOf(database.pool)).get('delivered') === messages, 'not all are delivered');
      note('receipts, durable before they are confirmed', { value: messages / seconds, unit: '1/s' });
    } finally {
      await sender.stop();
    }
  });

/** The link is cut twice while messages are in flight: what nobody answered is settled by receipts where they come. */
const withCutLinks = ({ bed, note }: Bench, carrier: CarrierProcess, messages: number): Promise<void> =>
  bed.withDatabase(async (database) => {
    await carrier.begin({ cutAt: [Math.floor(messages * 0.3), Math.floor(messages * 0.7)] });
    const sender = await openSender({ database, port: carrier.port, window: WINDOW });
    try {
      await sender.send(messages);
      const before = await statesOf(database.pool);
      const counted = await carrier.count();
      check(counted.binds === 3, `the link was bound ${counted.binds} times`);
      await carrier.receipts();
      const after = await statesOf(database.pool);
      note('cut twice: submitted twice', { value: counted.twice, unit: 'messages', goal: { below: 1 } });
      note('cut twice: lost', {
        value: (await lostOf(database.pool, counted)) + messages - sum(before),
        unit: 'messages',
        goal: { below: 1 },
      });
      note('cut twice: of unknown fate at first', { value: before.get('unknown') ?? 0, unit: 'messages' });
      note('cut twice: of unknown fate after the receipts', {
        value: after.get('unknown') ?? 0,
        unit: 'messages',
      });
    } finally {
      await sender.stop();
    }
  });

const sum = (states: ReadonlyMap<string, number>): number =>
  [...states.values()].reduce((total, count) => total + count, 0);

const statesOf = async (pool: Pool): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query<{ state: string; count: number }>(
    'SELECT state, count(*)::int AS count FROM messages GROUP BY state',
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
};

/** Messages that we say were taken and the carrier does not know, or that it took and we say nothing of. */
const lostOf = async (pool: Pool, { taken }: Counted): Promise<number> => {
  const { rows } = await pool.query<{ lost: number }>(
    `SELECT count(*)::int AS lost FROM messages
      WHERE (state IN ('acknowledged', 'delivered')) <> (destination = ANY($1::text[]))`,
    [taken],
  );
  return rows[0]!.lost;
};

const check = (right: boolean, wrong: string): void => {
  if (!right) throw new Error(wrong);
};
