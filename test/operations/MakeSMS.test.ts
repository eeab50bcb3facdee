/** MakeSMS (spec 4.12) through the REST door, over the sandbox's network. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';
import { aSender, type Sender, senderOf, zoneWhereItIs } from './sms.ts';

const dest = '11987650000';
const number = '5511987650000';

let on: TestService;
let ana: Sender;
let said = 0;

beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '10' });
  ana = await aSender(on, { balance: 1_000 });
});
afterAll(() => on.stop());

/** A message that no other test sends. */
const text = (): string => `message ${(said += 1)}`;
const ask = (given: object = {}, by: Sender = ana): Promise<RestAnswer> =>
  by.send({ dest, message: text(), ...given });

const codeOf = ({ http, body }: RestAnswer): [number, string] => [http, body.return.status_code];
const refusal = async (given: object = {}, by: Sender = ana): Promise<[number, string]> => {
  const answer = await ask(given, by);
  expect(answer.body.return.cdls_id).toBe('0');
  return codeOf(answer);
};
const ok = [200, '0'];

/** The row of the log that an answer names. */
const logOf = async (answer: RestAnswer) => {
  const id = answer.body.return.cdls_id;
  const { rows } = await on.database.pool.query('SELECT * FROM messages WHERE id = $1', [id]);
  return rows[0];
};
const sent = async (given: object, by: Sender = ana) => {
  const answer = await ask(given, by);
  expect(answer.body.return).toMatchObject({ status: 'OK', status_code: '0' });
  return logOf(answer);
};

describe('who asks', () => {
  test('shows the token as tsid, sid or Bearer [4.12/tsid]', async () => {
    const body = () => ({ dest, message: text() });
    const url = 'MakeSMS';
    expect(codeOf(await on.post(url, { tsid: '', sid: ana.token, ...body() }))).toEqual(ok);
    const bearer = { authorization: `Bearer ${ana.token}` };
    expect(codeOf(await on.post(url, { tsid: '', ...body() }, bearer))).toEqual(ok);
    expect(codeOf(await on.post(url, { tsid: ana.token, ...body() }))).toEqual(ok);
    expect(codeOf(await on.post(url, { tsid: 'x'.repeat(30), ...body() }))).toEqual([401, '102']);
  });
});

describe('a parameter that is none', () => {
  const warningOf = async (given: object) => (await ask(given)).body.return.warning;

  test('is named with the one that is close to it, in a success and in a refusal', async () => {
    const meant = 'texto is no parameter of MakeSMS: did you mean text?';
    expect((await ask({ texto: 'x' })).body.return).toMatchObject({ status_code: '0', warning: meant });
    const refused = await ask({ message: undefined, texto: 'x' });
    expect(refused.body.return).toMatchObject({ status_code: '235', warning: meant });
    const unread = await ask({ httpdup: 'x', Provider: 'prov_b', texto: 'x' });
    expect(unread.body.return).toMatchObject({
      status_code: '299',
      warning: `Provider is no parameter of MakeSMS: did you mean provider?; ${meant}`,
    });
  });

  test('passes in silence when it is an alias, empty, close to none, or another number of one', async () => {
    const silent = {
      text: 'x',
      sid: ana.token,
      texto: '',
      color: 'red',
      dest2: '1',
      [`x${'y'.repeat(999)}`]: 'z',
    };
    expect(await warningOf(silent)).toBeUndefined();
    expect(await warningOf({})).toBeUndefined();
  });

  test('is no part of the answer that an Idempotency-Key keeps', async () => {
    const [key, body] = [{ 'Idempotency-Key': `k-${text()}` }, text()];
    const once = await ana.send({ dest, message: body, texto: 'x' }, key);
    const again = await ana.send({ dest, message: body }, key);
    expect(again.body.return).toEqual({ ...once.body.return, warning: undefined });
    expect(once.body.return.warning).toContain('did you mean text?');
  });
});

describe('what is sent', () => {
  test('is answered with the id of the message log, as text [4.12/success] [4.12/dest]', async () => {
    const answer = await ask();
    expect(answer.http).toBe(200);
    expect(answer.body).toEqual({
      return: { status: 'OK', status_code: '0', cdls_id: expect.stringMatching(/^\d+$/) },
    });
    expect(await logOf(answer)).toMatchObject({
      channel: 'sms',
      destination: number,
      price: 800,
      segments: 1,
    });
  });

  test.each([dest, `0${dest}`, `55${dest}`, '1187650000', '+55 11 98765-0000'])(
    'goes to %s as to one mobile [4.12/dest]',
    async (written) => expect((await sent({ dest: written })).destination).toBe(number),
  );

  test('is the message, or its aliases text and msg_text [4.12/message]', async () => {
    for (const name of ['message', 'text', 'msg_text']) {
      const body = text();
      expect((await sent({ message: undefined, [name]: body })).body).toBe(body);
    }
  });

  test('keeps ctid, cp_id and cd_id in the log, and hands from to the provider [4.12/ctid] [4.12/cp_id] [4.12/cd_id] [4.12/from]', async () => {
    const row = await sent({ ctid: 'order-1', cp_id: 17, cd_id: 'a_5', from: 'SHOP' });
    expect(row).toMatchObject({
      correlation: 'order-1',
      campaign_id: '17',
      call_id: 'a_5',
      sender: 'SHOP',
      outcome_code: '0',
      provider_id: `a.${ana.id}.${row.id}.1.0`,
    });
    const view = await on.service.engine.view({ shard: 'a', account: ana.id, id: row.id });
    expect(view!.context).toMatchObject({
      message: { routes: [{ submission: { from: 'SHOP', to: number } }] },
    });
  });

  test('costs its segments by the longest prefix of the tariffs, and is paid at once', async () => {
    const by = await aSender(on);
    await by.admin('POST', '/tariffs', { prefix: '5511', price: '0.1234' });
    await by.admin('POST', '/tariffs', { prefix: '55', price: '9' });
    expect((await sent({ message: 'ã'.repeat(71) }, by)).price).toBe(2468);
    expect(await by.balance()).toBe(9.7532);
  });

  test('abroad needs setbrasil=0 [4.12/setbrasil]', async () => {
    expect(await refusal({ dest: '14155552671' })).toEqual([400, '240']);
    expect((await sent({ dest: '14155552671', setbrasil: 0 })).destination).toBe('14155552671');
    expect((await sent({ dest, setbrasil: '1' })).destination).toBe(number);
  });
});

describe('a text', () => {
  test('has at most 160 characters [7/sms/238] [8/sms/limit]', async () => {
    expect((await sent({ message: 'é'.repeat(160) })).segments).toBe(1);
    expect((await sent({ message: 'o\u0301'.repeat(160) })).body).toBe('ó'.repeat(160));
    expect(await refusal({ message: 'x'.repeat(161) })).toEqual([400, '238']);
  });
  test('is cut when cuttext says so [4.12/cuttext]', async () => {
    expect((await sent({ message: `a${'y'.repeat(200)}`, cuttext: 1 })).body).toBe(`a${'y'.repeat(159)}`);
    expect((await sent({ message: `b${'y'.repeat(200)}`, cuttext: 'yes' })).body).toHaveLength(160);
    expect((await sent({ message: `c${'y'.repeat(200)}`, cuttext: true })).body).toHaveLength(160);
    for (const no of ['no', 0])
      expect(await refusal({ message: 'y'.repeat(161), cuttext: no })).toEqual([400, '238']);
    expect(await refusal({ message: 'y'.repeat(161), cuttext: 'perhaps' })).toEqual([400, '299']);
  });
});

describe('is refused', () => {
  test('without dest or message, and for what is out of range [7/sms/230] [7/sms/235] [7/sms/299] [4.12/failure]', async () => {
    expect(await refusal({ dest: '' })).toEqual([400, '230']);
    expect(await refusal({ dest: undefined, message: undefined })).toEqual([400, '230']);
    expect(await refusal({ message: '   ' })).toEqual([400, '235']);
    const answer = await ask({ httpdup: 601 });
    expect(answer.body.return).toEqual({
      status: 'httpdup must be a whole number, 0 or 1 to 600',
      status_code: '299',
      cdls_id: '0',
    });
    expect(await refusal({ setbrasil: 2 })).toEqual([400, '299']);
    for (const from of ['x'.repeat(21), 'é', 'a\nb']) expect(await refusal({ from })).toEqual([400, '299']);
  });

  test.each(['1134567890', '20987654321', '08007654321', '123', 'ana', '9'.repeat(41)])(
    'for %s, which is no Brazilian mobile [7/sms/240]',
    async (written) => expect(await refusal({ dest: written })).toEqual([400, '240']),
  );

  test('to a number on the account’s block list or the global one [7/sms/260]', async () => {
    const by = await aSender(on);
    const blocked = '5511911112222';
    await on.database.pool.query(
      `INSERT INTO blocklist (account_id, number, reason, created_at) VALUES ($1, $2, '', 0)`,
      [by.id, blocked],
    );
    expect(await refusal({ dest: blocked }, by)).toEqual([400, '260']);
    expect((await sent({ dest: blocked })).destination).toBe(blocked);
    await on.database.pool.query(
      `INSERT INTO global_blocklist (number, reason, created_at) VALUES ('5511933334444', '', 0)`,
    );
    expect(await refusal({ dest: '11933334444' })).toEqual([400, '260']);
  });

  test('when it looks like a bank, unless it is what a model of the account says [7/sms/270]', async () => {
    const by = await aSender(on);
    const message = 'Bradesco: Ana, sua fatura vence hoje. bradesco.com.br';
    expect(await refusal({ message }, by)).toEqual([400, '270']);
    const model = { text: 'Bradesco: *, sua fatura vence *. bradesco.com.br' };
    const { body } = await by.admin('POST', '/approved-models', model);
    expect((await sent({ message }, by)).body).toBe(message);
    expect(await refusal({ message: `${message}/x` }, by)).toEqual([400, '270']);
    expect(await refusal({ message })).toEqual([400, '270']);
    await by.admin('PATCH', `/approved-models/${body.id}`, { active: false });
    expect(await refusal({ message, httpdup: 0 }, by)).toEqual([400, '270']);
  });

  test('when no tariff fits [7/sms/255]', async () => {
    const by = await aSender(on);
    const [tariff] = (await by.admin('GET', '/tariffs')).body.tariffs;
    await by.admin('PATCH', `/tariffs/${tariff.id}`, { prefix: '5511' });
    expect(await refusal({ dest: '21987650000' }, by)).toEqual([400, '255']);
    expect((await sent({}, by)).price).toBe(800);
  });

  test('when no route fits; an account without any sends by its reseller’s [7/sms/220]', async () => {
    const above = await aSender(on);
    const by = await aSender(on, { reseller_id: above.id });
    const move = (sql: string) => on.database.pool.query(`UPDATE sms_routes ${sql}`, [by.id]);
    await move(`SET prefix = '5521' WHERE account_id = $1`);
    expect(await refusal({}, by)).toEqual([400, '220']);
    await move(`SET active = false, prefix = '' WHERE account_id = $1`);
    expect(await refusal({}, by)).toEqual([400, '220']);
    await on.database.pool.query('DELETE FROM sms_routes WHERE account_id = $1', [by.id]);
    const row = await sent({}, by);
    const { rows } = await on.database.pool.query('SELECT id FROM sms_routes WHERE account_id = $1', [
      above.id,
    ]);
    expect(row.route_id).toBe(rows[0]!.id);
  });

  test('when the account or a reseller above it cannot pay; whoever could keeps its money [7/sms/250]', async () => {
    const top = await aSender(on, { balance: '0.08' });
    const middle = await aSender(on, { balance: 1, reseller_id: top.id });
    const by = await aSender(on, { balance: 1, reseller_id: middle.id });
    await sent({}, by);
    expect(await refusal({}, by)).toEqual([400, '250']);
    const balances = async () => [await by.balance(), await middle.balance(), await top.balance()];
    expect(await balances()).toEqual([0.92, 0.92, 0]);
    const poor = await aSender(on, { balance: '0.0799' });
    expect(await refusal({}, poor)).toEqual([400, '250']);
    expect(await poor.messages()).toEqual([]);
  });
});

describe('the night', () => {
  test('lets through as many as its cap, however many come at once [7/sms/245]', async () => {
    const by = await aSender(on, { time_zone: zoneWhereItIs(1), sms_night_cap: 5 });
    const answers = await Promise.all(Array.from({ length: 15 }, () => ask({}, by)));
    const answeredBy = (code: string) =>
      answers.filter(({ body }) => body.return.status_code === code).length;
    expect([answeredBy('0'), answeredBy('245')]).toEqual([5, 10]);
    expect(await by.messages()).toHaveLength(5);
    expect(await by.balance()).toBe(9.6);
    await by.admin('PATCH', '', { sms_night_cap: 6 });
    const one = await ask({}, by);
    expect([codeOf(one), await refusal({}, by)]).toEqual([ok, [400, '245']]);
    await by.admin('PATCH', '', { time_zone: zoneWhereItIs(12) });
    expect(codeOf(await ask({}, by))).toEqual(ok);
  });
  test('may be closed altogether', async () => {
    const by = await aSender(on, { time_zone: zoneWhereItIs(23), sms_night_cap: 0 });
    expect(await refusal({}, by)).toEqual([400, '245']);
  });
});

describe('a duplicate', () => {
  test('is refused within 10 seconds unless told otherwise [7/sms/244] [4.12/httpdup]', async () => {
    const message = text();
    expect(codeOf(await ask({ message }))).toEqual(ok);
    expect(await refusal({ message, ctid: 'another' })).toEqual([400, '244']);
    expect(codeOf(await ask({ message, dest: '11987650002' }))).toEqual(ok);
    expect(codeOf(await ask({ message, httpdup: 0 }))).toEqual(ok);
    const { rows } = await on.database.pool.query<{ left: number }>(
      `SELECT max(until - created_at)::float8 AS left FROM claims JOIN messages ON owner = messages.id::text
       WHERE body = $1 AND destination = $2`,
      [message, number],
    );
    expect(Math.round(rows[0]!.left / 1000)).toBe(10);
  });
  test('of one that was refused is none [7/sms/244]', async () => {
    const message = text();
    const refusing = '11987650009';
    expect(codeOf(await ask({ message, dest: refusing }))).toEqual([400, '300']);
    expect(codeOf(await ask({ message, dest: refusing }))).toEqual([400, '300']);
    const poor = await aSender(on, { balance: 0 });
    expect(await refusal({ message }, poor)).toEqual([400, '250']);
    await poor.admin('POST', '/credits', { amount: 1 });
    expect(codeOf(await ask({ message }, poor))).toEqual(ok);
  });
});

describe('the provider', () => {
  test('that is slow is answered WR, and the message goes on [4.12/slow]', async () => {
    const answer = await ask({ dest: '11987650008' });
    expect(answer.http).toBe(200);
    expect(answer.body.return).toEqual({ status: 'WR', status_code: '1', cdls_id: expect.any(String) });
    const row = await logOf(answer);
    expect(row).toMatchObject({ state: 'submitted', outcome_code: '1' });
    await expect.poll(async () => (await logOf(answer)).outcome_code).toBe('0');
  });

  test('that refuses is code 300 with its words, cdls_id, and the money back [7/sms/300]', async () => {
    const by = await aSender(on);
    const answer = await ask({ dest: '11987650009' }, by);
    expect(codeOf(answer)).toEqual([400, '300']);
    expect(answer.body.return.status).toBe('the sandbox refuses this number');
    expect(await logOf(answer)).toMatchObject({
      state: 'failed',
      outcome_code: '300',
      refunded: true,
      raw_answer: 'refused',
    });
    expect(await by.balance()).toBe(10);
  });

  test('of whose answer nobody knows is code 300 that says so [7/sms/300] [4.12/idempotency]', async () => {
    const key = { 'idempotency-key': 'unknown-1' };
    const given = { dest: '11987650008', message: text() };
    const slow = await ana.send(given, key);
    expect(codeOf(slow)).toEqual([200, '1']);
    const id = Number(slow.body.return.cdls_id);
    const ref = { shard: 'a', account: ana.id, id };
    await on.service.engine.send(ref, { type: 'outcomeUnknown', effect: 'submitSms', params: {} });
    const again = await ana.send(given, key);
    expect(codeOf(again)).toEqual([400, '300']);
    expect(again.body.return.cdls_id).toBe(String(id));
    expect(again.body.return.status).toMatch(/not known whether the provider took it/);
  });

  test('is chosen by the administrative account only [4.12/provider]', async () => {
    const admin = await senderOf(on, 2);
    await admin.admin('PATCH', '', { time_zone: zoneWhereItIs(12) });
    expect(await refusal({ provider: 'prov_b' }, admin)).toEqual([400, '220']);
    await on.database.pool.query(
      `INSERT INTO sms_routes (account_id, id, name, kind, position, created_at)
       VALUES (2, 9001, 'prov_b', 'sandbox', 5, 0), (2, 9002, 'prov_x', 'sandbox', 6, 0)`,
    );
    expect((await sent({ provider: 'prov_b' }, admin)).route_id).toBe(9001);
    expect((await sent({}, admin)).route_id).not.toBe(9001);
    expect(await refusal({ provider: 'prov_x' }, admin)).toEqual([400, '220']);
    expect(await refusal({ provider: 'prov_c' }, admin)).toEqual([400, '220']);
    // The rules before it are asked first.
    await admin.admin('POST', '/blocklist', { number: '5511987650077' });
    expect(await refusal({ provider: 'prov_x', dest: '5511987650077' }, admin)).toEqual([400, '260']);
    expect((await sent({ provider: 'prov_b' })).route_id).not.toBe(9001);
    expect((await sent({ provider: 'anything' })).outcome_code).toBe('0');
  });
});

describe('an Idempotency-Key [4.12/idempotency]', () => {
  const key = (name: string) => ({ 'idempotency-key': name });

  test('is answered by the first message, whatever became of it', async () => {
    const given = { dest, message: text() };
    const first = await ana.send(given, key('k1'));
    const second = await ana.send(given, key('k1'));
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const refused = { dest: '11987650009', message: text() };
    const no = await ana.send(refused, key('k2'));
    const again = await ana.send(refused, key('k2'));
    expect([codeOf(no), again.body]).toEqual([[400, '300'], no.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('with other parameters is refused', async () => {
    await ana.send({ dest, message: text() }, key('k3'));
    expect(codeOf(await ana.send({ dest, message: text() }, key('k3')))).toEqual([409, '409']);
  });

  test('makes one message of many requests at once', async () => {
    const by = await aSender(on);
    const given = { dest, message: text() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => by.send(given, key('k4'))));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await by.messages()).toHaveLength(1);
    expect(await by.balance()).toBe(9.92);
  });

  test('of a request that was refused before it was sent is free', async () => {
    const given = { dest, message: 'x'.repeat(161) };
    expect(codeOf(await ana.send(given, key('k5')))).toEqual([400, '238']);
    expect(codeOf(await ana.send({ ...given, cuttext: 1 }, key('k5')))).toEqual(ok);
  });
});
