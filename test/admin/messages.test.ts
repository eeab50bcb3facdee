/** Tariffs, credits, approved models and the message log of the admin API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';
import { aSender, type Sender } from '../operations/sms.ts';
import { patienceMs } from '../helpers/patience.ts';

let on: TestService;
let ana: Sender;
let eva: Sender;

beforeAll(async () => {
  on = await startTestService();
  [ana, eva] = [await aSender(on), await aSender(on)];
});
afterAll(() => on.stop());

const error = (answer: { http: number; body: { error: string } }): [number, string] => [
  answer.http,
  answer.body.error,
];

describe('tariffs', () => {
  test('are made, listed, changed and removed', async () => {
    const made = await ana.admin('POST', '/tariffs', { prefix: '5511', price: '0.1234' });
    expect([made.http, made.body]).toMatchObject([201, { prefix: '5511', price: 0.1234, cdcs_id: ana.id }]);
    const path = `/tariffs/${made.body.id}`;
    expect((await ana.admin('PATCH', path, { price: 1 })).body).toMatchObject({ prefix: '5511', price: 1 });
    const { body } = await ana.admin('GET', '/tariffs');
    expect(
      body.tariffs.map(({ prefix, price }: { prefix: string; price: number }) => [prefix, price]),
    ).toEqual([
      ['', 0.08],
      ['5511', 1],
    ]);
    expect((await ana.admin('GET', path)).body.price).toBe(1);
    expect((await ana.admin('DELETE', path)).http).toBe(204);
    expect((await ana.admin('GET', path)).http).toBe(404);
  });

  test('have one price for a prefix, digits, and nothing below zero', async () => {
    expect((await ana.admin('POST', '/tariffs', { prefix: '', price: 1 })).http).toBe(409);
    for (const wrong of [
      { prefix: 'x', price: 1 },
      { prefix: '1', price: -1 },
      { prefix: '1', price: '0.12345' },
    ])
      expect((await ana.admin('POST', '/tariffs', wrong)).http).toBe(400);
  });

  test('of another account do not exist', async () => {
    const { body } = await eva.admin('POST', '/tariffs', { prefix: '55', price: 2 });
    const path = `/tariffs/${body.id}`;
    expect((await ana.admin('GET', path)).http).toBe(404);
    expect((await ana.admin('PATCH', path, { price: 0 })).http).toBe(404);
    expect((await ana.admin('DELETE', path)).http).toBe(404);
    expect((await eva.admin('GET', path)).body.price).toBe(2);
  });
});

describe('credits', () => {
  test('are booked by hand, and the ledger shows all that moved, newest first', async () => {
    const by = await aSender(on);
    const made = await by.admin('POST', '/credits', { amount: '2.5', note: 'paid' });
    expect([made.http, made.body]).toMatchObject([201, { amount: 2.5, balance: 12.5, note: 'paid' }]);
    await by.admin('POST', '/credits', { amount: -0.5 });
    const { cdls_id } = (await by.send({ dest: '11987650009', message: 'a' })).body.return;
    const { body } = await by.admin('GET', '/credits');
    expect(body.balance).toBe(12);
    const shown = body.credits.map((row: Record<string, unknown>) => [
      row['entry'],
      row['amount'],
      row['cdls_id'],
    ]);
    expect(shown).toEqual([
      ['refund', 0.08, Number(cdls_id)],
      ['charge', -0.08, Number(cdls_id)],
      ['debit', -0.5, null],
      ['credit', 2.5, null],
      ['opening', 10, null],
    ]);
    const older = await by.admin('GET', `/credits?cursor=${body.credits[3].id}`);
    expect(older.body.credits.map(({ entry }: { entry: string }) => entry)).toEqual(['opening']);
  });

  test('never take more than is there, and move something', async () => {
    const by = await aSender(on);
    const more = await by.admin('POST', '/credits', { amount: '-10.0001' });
    expect(error(more)).toEqual([409, 'amount: the balance holds less than that']);
    expect((await by.admin('POST', '/credits', { amount: 0 })).http).toBe(400);
    expect((await by.admin('POST', '/credits', { amount: 'x' })).http).toBe(400);
    expect([await by.balance(), (await by.admin('GET', '/credits')).body.credits.length]).toEqual([10, 1]);
  });

  test('are never changed nor removed', async () => {
    for (const method of ['PATCH', 'DELETE', 'PUT'])
      for (const path of ['/credits', '/credits/1']) {
        const answer = await ana.admin(method, path, {});
        expect([answer.http, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
      }
  });
});

describe('approved models', () => {
  test('are made, listed, changed and removed, each for its account', async () => {
    const made = await ana.admin('POST', '/approved-models', { name: 'bill', text: 'Itaú: *' });
    expect([made.http, made.body]).toMatchObject([201, { name: 'bill', text: 'Itaú: *', active: true }]);
    const path = `/approved-models/${made.body.id}`;
    expect((await ana.admin('PATCH', path, { active: 0 })).body.active).toBe(false);
    expect((await ana.admin('GET', '/approved-models')).body.approved_models).toHaveLength(1);
    expect((await ana.admin('GET', path)).body.name).toBe('bill');
    expect((await eva.admin('GET', path)).http).toBe(404);
    expect((await eva.admin('PATCH', path, { active: 1 })).http).toBe(404);
    expect((await eva.admin('DELETE', path)).http).toBe(404);
    expect((await ana.admin('DELETE', path)).http).toBe(204);
    expect((await ana.admin('DELETE', path)).http).toBe(404);
  });
  test('say something beside *', async () => {
    expect((await ana.admin('POST', '/approved-models', { text: ' * * ' })).http).toBe(400);
    expect((await ana.admin('POST', '/approved-models', {})).http).toBe(400);
  });
});

describe('the message log', () => {
  let by: Sender;
  const ids: number[] = [];
  const list = async (query: string, of: Sender = by): Promise<number[]> =>
    (await of.admin('GET', `/messages${query}`)).body.messages.map(
      ({ cdls_id }: { cdls_id: number }) => cdls_id,
    );

  beforeAll(async () => {
    by = await aSender(on);
    const wishes = [
      {
        dest: '11987650000',
        message: 'Your order 100% is here',
        ctid: 'order-1',
        from: 'SHOP',
        cp_id: '5',
        cd_id: 'a_7',
      },
      { dest: '11987650009', message: 'Refused', ctid: 'order-2' },
      { dest: '21987650000', message: 'another order', ctid: 'order-1' },
    ];
    for (const wish of wishes) ids.push(Number((await by.send(wish)).body.return.cdls_id));
    for (const id of ids)
      await on.service.engine.waitFor({ shard: 'a', account: by.id, id }, 'ended', patienceMs);
  });

  test('shows every field of a message', async () => {
    const { body } = await by.admin('GET', `/messages/${ids[0]}`);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(body).toEqual({
      cdls_id: ids[0],
      cdcs_id: by.id,
      channel: 'sms',
      line: 0,
      dest: '5511987650000',
      from: 'SHOP',
      mtype: 'text',
      body: 'Your order 100% is here',
      payload: '',
      pricing: null,
      ctid: 'order-1',
      msg_id: '',
      cp_id: '5',
      cd_id: 'a_7',
      segments: 1,
      status: 'delivered',
      status_code: '0',
      status_text: 'OK',
      cdls_return_id: `a.${by.id}.${ids[0]}.1.0`,
      cdls_status_delivery: 'delivered',
      cdls_return_log: 'taken',
      cdls_value: '0,080',
      refunded: false,
      sandbox: true,
      created: time,
      updated: time,
      history: ['accepted', 'submitted', 'acknowledged', 'delivered'].map((status) => ({ status, at: time })),
    });
    expect((await by.admin('GET', `/messages/${ids[1]}`)).body).toMatchObject({
      status: 'failed',
      status_code: '300',
      cdls_status_delivery: '',
      refunded: true,
    });
  });

  test('is settled by a plain word only: money hangs on it', async () => {
    for (const sent of [undefined, null, 'false', 0, {}])
      expect(
        await on.admin('POST', `/machines/a_${ids[0]}/events`, { type: 'resolveUnknown', sent }),
      ).toMatchObject({ http: 400, body: { field: 'sent' } });
  });

  test('is newest first, a page at a time', async () => {
    expect(await list('')).toEqual(ids.toReversed());
    const first = await by.admin('GET', '/messages?limit=2');
    expect(first.body.messages).toHaveLength(2);
    const next = await by.admin('GET', `/messages?limit=2&cursor=${first.body.cursor}`);
    expect([next.body.messages[0].cdls_id, next.body.cursor]).toEqual([ids[0], null]);
  });

  test('is searched by text, destination, ctid and provider id', async () => {
    expect(await list('?q=ORDER')).toEqual([ids[2], ids[0]]);
    expect(await list('?q=100%25')).toEqual([ids[0]]);
    expect(await list('?q=_rder')).toEqual([]);
    expect(await list('?q=5521987650000')).toEqual([ids[2]]);
    expect(await list('?q=order-2')).toEqual([ids[1]]);
    expect(await list(`?q=a.${by.id}.${ids[0]}.1.0`)).toEqual([ids[0]]);
    expect(await list('?ctid=order-1&dest=5511987650000')).toEqual([ids[0]]);
    expect(await list('?status=failed')).toEqual([ids[1]]);
    expect(await list('?channel=msgapp')).toEqual([]);
    expect((await by.admin('GET', '/messages?channel=fax')).http).toBe(400);
    expect((await by.admin('GET', '/messages?limit=0')).http).toBe(400);
  });

  test('of another account does not exist', async () => {
    expect(await list('', eva)).toEqual([]);
    expect((await eva.admin('GET', `/messages/${ids[0]}`)).http).toBe(404);
  });
});
