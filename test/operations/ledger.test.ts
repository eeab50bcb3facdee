/**
 * Money under load: senders that write all at once through MakeSMS, a chain of resellers, a carrier that refuses,
 * throttles, cuts and tells late, and balances that run dry.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';
import { type SmppServer, startSmppServer } from '../helpers/smppServer.ts';
import { aSender, type Sender } from './sms.ts';

const price = 800;
const senders = 50;

let on: TestService;
let carrier: SmppServer;
let top: Sender;
let middle: Sender;

beforeAll(async () => {
  carrier = await startSmppServer();
  on = await startTestService();
  top = await aSender(on, { balance: 1_000 });
  middle = await aSender(on, { balance: 1_000, reseller_id: top.id });
  await useCarrier();
});
afterAll(async () => {
  await on.stop();
  await carrier.stop();
});

/** All send by the route of the topmost account. */
const useCarrier = async (): Promise<void> => {
  await on.database.pool.query('DELETE FROM sms_routes WHERE account_id IN ($1, $2)', [middle.id, top.id]);
  const settings = {
    host: '127.0.0.1',
    port: carrier.port,
    system_id: 'ramal',
    answer_ms: 400,
    slow_ms: 200,
  };
  const route = { name: 'carrier', kind: 'smpp', secret: { password: 'secret' }, settings };
  expect((await top.admin('POST', '/sms-routes', route)).http).toBe(201);
};

const aLeaf = async (balance: string | number): Promise<Sender> => {
  const leaf = await aSender(on, { balance, reseller_id: middle.id });
  await on.database.pool.query('DELETE FROM sms_routes WHERE account_id = $1', [leaf.id]);
  return leaf;
};

let numbers = 0;
/** Every message goes to a number of its own. */
const someNumber = (): string => `119${10_000_000 + (numbers += 1)}`;

interface Heard {
  leaf: Sender;
  code: string;
  id: string;
}

/** Fifty that send one after the other, side by side. */
const sendAll = async (leaves: readonly Sender[], each: number): Promise<Heard[]> => {
  const one = async (nth: number): Promise<Heard[]> => {
    const leaf = leaves[nth % leaves.length]!;
    const heard: Heard[] = [];
    for (let count = 0; count < each; count += 1) {
      const { body } = await leaf.send({ dest: someNumber(), message: `from ${nth}` });
      heard.push({ leaf, code: body.return.status_code, id: body.return.cdls_id });
    }
    return heard;
  };
  return (await Promise.all(Array.from({ length: senders }, (_, nth) => one(nth)))).flat();
};

interface Entry {
  account: number;
  entry: string;
  amount: number;
}

/** What was booked for each message, by its id. */
const bookedFor = async (): Promise<Map<string, Entry[]>> => {
  const { rows } = await on.database.pool.query<Entry & { machine: string }>(
    `SELECT account_id AS account, entry, amount::float8 AS amount, machine_id::text AS machine FROM ledger
     WHERE machine_id IS NOT NULL ORDER BY account_id, id`,
  );
  const booked = new Map<string, Entry[]>();
  for (const row of rows) booked.set(row.machine, [...(booked.get(row.machine) ?? []), row]);
  return booked;
};

/** Balances are what the ledger says, and none is below zero. */
const booksAreRight = async (): Promise<void> => {
  const { rows } = await on.database.pool.query(
    `SELECT p.account_id, p.amount::text AS holds, (SELECT coalesce(sum(amount), 0)::text FROM ledger l
       WHERE l.account_id = p.account_id) AS booked FROM balances p WHERE name = 'balance'`,
  );
  for (const { holds, booked } of rows) expect([holds, Number(holds) >= 0]).toEqual([booked, true]);
};

/** Everybody above paid for each message, and got it back once if it was refused or not delivered, else never. */
const messagesAreRight = async (heard: readonly Heard[]): Promise<void> => {
  const booked = await bookedFor();
  const { rows } = await on.database.pool.query<{ id: string; account: number; state: string }>(
    'SELECT id::text AS id, account_id AS account, state FROM messages',
  );
  const paid = heard.filter(({ code }) => code !== '250');
  const recorded = new Set(rows.map(({ id }) => id));
  expect(paid.filter(({ id }) => !recorded.has(id))).toEqual([]);
  for (const { id, account, state } of rows) {
    const chain = [top.id, middle.id, account];
    const back = state === 'failed' || state === 'undelivered';
    const expected = chain.flatMap((payer) => [
      { account: payer, entry: 'charge', amount: -price, machine: id },
      ...(back ? [{ account: payer, entry: 'refund', amount: price, machine: id }] : []),
    ]);
    expect([state, booked.get(id)]).toEqual([state, expected]);
  }
  expect(booked.size).toBe(rows.length);
};

/** Waits until every message has heard from the carrier, or never will. */
const settled = async (): Promise<void> => {
  await expect
    .poll(async () => {
      const { rows } = await on.database.pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM messages WHERE state IN ('accepted', 'submitted')`,
      );
      return rows[0]!.waiting;
    })
    .toBe(0);
};

/** The lowest that a balance is seen to hold while something goes on. */
const watching = async <T>(work: Promise<T>): Promise<{ result: T; lowest: number }> => {
  let lowest = Infinity;
  let over = false;
  const ended = work.finally(() => (over = true));
  while (!over) {
    const { rows } = await on.database.pool.query<{ least: number }>(
      'SELECT min(amount)::float8 AS least FROM balances',
    );
    lowest = Math.min(lowest, rows[0]!.least);
  }
  return { result: await ended, lowest };
};

const countOf = (heard: readonly Heard[], code: string): number =>
  heard.filter((answer) => answer.code === code).length;

describe('fifty senders at once', () => {
  test('a carrier that refuses, cuts, throttles and tells late leaves every book right, and nobody is short', async () => {
    let nth = 0;
    carrier.behaviour.submit = () => {
      nth += 1;
      if (nth % 7 === 0) return 0x45;
      if (nth % 31 === 0) return 'never';
      if (nth === 100) setImmediate(() => carrier.cut());
      return nth === 200 ? 0x58 : 0;
    };
    const leaves = await Promise.all([aLeaf(100), aLeaf(100), aLeaf(100), aLeaf(100)]);
    const heard = await sendAll(leaves, 6);
    await settled();
    for (const [index, taken] of carrier.taken.entries())
      if (index % 5 === 0) await carrier.receipt(taken, 'UNDELIV');
    await settled();
    expect([heard.length, countOf(heard, '250')]).toEqual([300, 0]);
    expect(countOf(heard, '300')).toBeGreaterThan(0);
    const { rows } = await on.database.pool.query<{ state: string; n: number }>(
      'SELECT state, count(*)::int AS n FROM messages GROUP BY state',
    );
    const states = new Map(rows.map(({ state, n }) => [state, n]));
    for (const state of ['acknowledged', 'failed', 'undelivered', 'unknown'])
      expect([state, states.get(state) ?? 0]).toEqual([state, expect.toSatisfy((n: number) => n > 0)]);
    await booksAreRight();
    await messagesAreRight(heard);
    // Nobody was sent the same twice.
    const to = carrier.taken.map((taken) => taken.to);
    expect(new Set(to).size).toBe(to.length);
  });

  test('a reseller’s balance bears exactly as many as it holds, and 250 answers the others', async () => {
    carrier.behaviour.submit = () => 0;
    const leaves = await Promise.all([aLeaf(100), aLeaf('0.5600'), aLeaf(100)]);
    const left = await middle.balance();
    await middle.admin('POST', '/credits', { amount: (0.08 * 37 - left).toFixed(4) });
    const { result: heard, lowest } = await watching(sendAll(leaves, 2));
    await settled();
    const taken = (of: Sender) => heard.filter(({ leaf, code }) => leaf === of && code !== '250').length;
    expect([heard.length - countOf(heard, '250'), await middle.balance()]).toEqual([37, 0]);
    expect(taken(leaves[1])).toBeLessThanOrEqual(7);
    expect(lowest).toBe(0);
    await booksAreRight();
    await messagesAreRight(heard);
  });

  test('where refusals give money back, only those hear 250 whose balance runs dry, and none is overdrawn', async () => {
    let nth = 0;
    carrier.behaviour.submit = () => ((nth += 1) % 3 === 0 ? 0x45 : 0);
    await middle.admin('POST', '/credits', { amount: 100 });
    const leaves = await Promise.all([aLeaf('1.6000'), aLeaf('1.6079'), aLeaf(100)]);
    const { result: heard, lowest } = await watching(sendAll(leaves, 3));
    await settled();
    const [dry, odd, rich] = leaves;
    expect(lowest).toBeGreaterThanOrEqual(0);
    const short = (of: Sender) => heard.filter(({ leaf, code }) => leaf === of && code === '250').length;
    expect([short(dry) > 0, short(odd) > 0, short(rich)]).toEqual([true, true, 0]);
    const paid = async (of: Sender) =>
      (await of.messages()).filter(({ state }) => state !== 'failed').length * price;
    expect([await dry.balance(), await odd.balance()]).toEqual([
      (16_000 - (await paid(dry))) / 10_000,
      (16_079 - (await paid(odd))) / 10_000,
    ]);
    await booksAreRight();
    await messagesAreRight(heard);
  });
});
