import { afterEach, beforeEach, expect, it } from 'vitest';
import { maintainHistoryPartitions } from '../../../src/store/historyPartitions.ts';
import { openSender } from '../../bench/sms/sender.ts';
import { freshDatabase, type TestDatabase } from '../../helpers/database.ts';
import { type SmppServer, startSmppServer } from '../../helpers/smppServer.ts';

/** The engine on a real database, and an SMSC on loopback; the bench `sms` does the same with 10,000. */
const messages = 600;
const window = 50;

let database: TestDatabase;
let server: SmppServer;
beforeEach(async () => {
  [database, server] = await Promise.all([freshDatabase({ maxConnections: 6 }), startSmppServer()]);
  await maintainHistoryPartitions(database.pool, { now: Date.now(), keepDays: 30 });
});
afterEach(async () => {
  await server.stop();
  await database.drop();
});

const countBy = async (what: string): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ name: string; count: number }>(
    `SELECT ${what} AS name, count(*)::int AS count FROM messages GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

/** For everything that the carrier took. */
const bringReceipts = async (): Promise<void> => {
  const confirmed = await Promise.all(
    server.taken.map((one) => server.receipt(one, 'DELIVRD', { user_message_reference: one.reference })),
  );
  expect(new Set(confirmed)).toEqual(new Set([0]));
};

it('loses no message and sends none twice when the link is cut twice while they are sent', async () => {
  let got = 0;
  server.behaviour.submit = () => {
    got += 1;
    if (got === 200 || got === 400) setImmediate(() => server.cut());
    // Taken, and never answered: only a receipt can tell.
    return (got > 190 && got <= 200) || (got > 390 && got <= 400) ? 'never' : 0;
  };
  const { pool } = database;
  const sender = await openSender({ database: { pool, writers: pool }, port: server.port, window });
  try {
    await sender.send(messages);
    expect(server.binds).toHaveLength(3);
    expect(server.mostInFlight).toBeLessThanOrEqual(window);
    const taken = new Set(server.taken.map(({ to }) => to));
    expect(server.taken).toHaveLength(taken.size);
    const before = await countBy('state');
    expect(before['acknowledged']! + before['unknown']!).toBe(messages);
    expect(before['unknown']).toBeGreaterThanOrEqual(20);
    expect(before['unknown']).toBeLessThanOrEqual(2 * window);

    await bringReceipts();
    const { rows } = await pool.query<{ destination: string; state: string }>(
      'SELECT destination, state FROM messages',
    );
    expect(
      rows.filter(({ state, destination }) => (state === 'delivered') !== taken.has(destination)),
    ).toEqual([]);
    expect((await countBy('state'))['delivered']).toBe(taken.size);
  } finally {
    await sender.stop();
  }
});

it('sends nothing again after a crash, and finds by receipts what became of what was on the wire', async () => {
  const { pool } = database;
  const shared = { database: { pool, writers: pool }, port: server.port, window };
  server.behaviour.submit = ({ to }) => (Number(to) % 2 === 0 ? 0 : 'never');
  const first = await openSender({ ...shared, process: 'first' });
  void first.send(window).catch(() => {});
  await expect.poll(() => countBy('state')).toMatchObject({ acknowledged: window / 2 });
  await expect.poll(() => server.taken.length).toBe(window);
  server.behaviour.bind = () => 1;
  server.cut();
  await first.crash();

  server.behaviour.bind = () => 0;
  const second = await openSender({ ...shared, process: 'second', ended: ['first'] });
  try {
    await expect.poll(() => countBy('state')).toEqual({ acknowledged: window / 2, unknown: window / 2 });
    await expect.poll(() => server.links()).toBe(1);
    await bringReceipts();
    expect(await countBy('state')).toEqual({ delivered: window });
    expect(server.taken).toHaveLength(window);
  } finally {
    await second.stop();
  }
});
