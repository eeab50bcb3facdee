import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallbackBed, startCallbackBed } from '../helpers/callbackBed.ts';
import { type Receiver, verifies } from '../helpers/receiver.ts';
import { demoAccount, type TestService } from '../helpers/service.ts';

let bed: CallbackBed;
let on: TestService;
let receiver: Receiver;
beforeAll(async () => {
  bed = await startCallbackBed();
  ({ on, receiver } = bed);
});
afterAll(() => bed.stop());
beforeEach(() => receiver.reset());

const account = `/accounts/${demoAccount}`;
const change = (body: object) => on.admin('PATCH', account, body);

describe('settings of callbacks', () => {
  test('begin as POST and JSON, without an address, headers or credentials', async () => {
    const { body } = await on.admin('POST', '/accounts', { name: 'New' });
    expect(body).toMatchObject({
      ...{ callback_url: '', callback_method: 'POST', callback_type: 'json', callback_events: '' },
      ...{ has_callback_headers: false, has_callback_user: false, has_callback_password: false },
      ...{ webhook_secret: expect.stringMatching(/^whsec_/), webhook_secret_before_until: null },
    });
    for (const kept of ['callback_login', 'webhook_secret_before', 'callback_headers', 'callback_password'])
      expect(Object.keys(body)).not.toContain(kept);
  });

  test('are given with a new account too', async () => {
    const { http, body } = await on.admin('POST', '/accounts', {
      ...{ name: 'Whole', callback_url: receiver.url, callback_method: 'get', callback_type: 'FORM' },
      ...{
        callback_events: ['answered', 'dtmf', 'answered'],
        callback_headers: 'X-A: b',
        callback_user: 'ana',
      },
    });
    expect([http, body]).toEqual([
      201,
      expect.objectContaining({
        ...{
          callback_url: receiver.url,
          callback_method: 'GET',
          callback_type: 'form',
          callback_events: 'answered,dtmf',
        },
        ...{ has_callback_headers: true, has_callback_user: true, has_callback_password: false },
      }),
    ]);
  });

  test('change one by one; what is written is not read back', async () => {
    await change({ callback_headers: 'X-A: b', callback_user: 'ana', callback_password: 'sesame' });
    const { body } = await change({ callback_user: '' });
    expect(body).toMatchObject({
      has_callback_headers: true,
      has_callback_user: false,
      has_callback_password: true,
    });
    expect((await change({ callback_headers: '', callback_password: '' })).body).toMatchObject({
      ...{ has_callback_headers: false, has_callback_user: false, has_callback_password: false },
    });
  });

  test.each([
    [{ callback_url: 'nowhere' }], [{ callback_url: 'http://10.0.0.1/' }], [{ callback_url: 'http://ana:b@good.example/' }],
    [{ callback_method: 'PUT' }], [{ callback_type: 'xml' }], [{ callback_events: 'answered,exploded' }], [{ callback_headers: 'Host: a' }],
    [{ callback_headers: 'no colon' }], [{ callback_headers: 'X-A: b\r\nWebhook-Id: 1' }], [{ callback_user: 'a:b' }],
    [{ callback_password: 'a\r\nX: 1' }],
  ])('that are wrong are named: %j', async (body) => {
    const { http, body: answer } = await change(body);
    expect([http, answer.field]).toEqual([400, Object.keys(body)[0]]);
    expect(answer.error).toMatch(/^callback_\w+:? (must|is|points|holds|there|Invalid)/);
  }); // prettier-ignore
});

const check = (body: object = {}) => on.admin('POST', `${account}/callback-test`, body);

describe('a test of callbacks', () => {
  test('is a signed event, and says what the receiver said', async () => {
    await change({ callback_url: `${receiver.url}/in`, callback_user: 'ana', callback_password: 'sesame' });
    receiver.answer = (_, response) => response.writeHead(202).end('thanks');
    const { http, body } = await check();
    expect([http, body]).toEqual([
      200,
      { delivered: true, http_status: 202, answer: 'thanks', took_ms: expect.any(Number) },
    ]);
    const [heard] = receiver.heard;
    expect([heard!.path, verifies(await bed.secret(), heard!)]).toEqual(['/in', true]);
    expect(heard!.headers.authorization).toBe(`Basic ${Buffer.from('ana:sesame').toString('base64')}`);
    expect(JSON.parse(heard!.body)).toMatchObject({
      ...{
        event: 'test',
        event_id: heard!.headers['webhook-id'],
        seq: 1,
        final: false,
        attempt: 1,
        attempts: 1,
      },
    });
  });

  test('says why it did not arrive', async () => {
    receiver.answer = (_, response) => response.writeHead(500).end('<b>broken</b>');
    expect((await check({ url: receiver.url })).body).toMatchObject({
      ...{
        delivered: false,
        reason: 'notNow',
        message: 'it answered HTTP 500',
        http_status: 500,
        answer: '<b>broken</b>',
      },
    });
    receiver.answer = (_, response) => response.writeHead(410).end();
    expect((await check({ url: receiver.url })).body).toMatchObject({
      delivered: false,
      reason: 'gone',
      http_status: 410,
    });
    expect((await check({ url: 'http://127.0.0.1:1/' })).body).toMatchObject({
      ...{ delivered: false, reason: 'notNow', http_status: 0, answer: '' },
      message: 'it cannot be reached: ECONNREFUSED',
    });
    expect((await check({ url: 'http://10.0.0.1/' })).http).toBe(400);
    expect((await check({ url: '' })).http).toBe(400);
    // One that was kept before the rule was as strict.
    await on.database.pool.query(`UPDATE accounts SET callback_url = 'http://10.0.0.1/' WHERE id = $1`, [
      demoAccount,
    ]);
    await change({ name: 'Demo' });
    expect((await check()).body).toMatchObject({
      delivered: false,
      reason: 'addressRefused',
      http_status: 0,
    });
    await change({ callback_url: '' });
    expect((await check()).body).toMatchObject({
      field: 'url',
      error: expect.stringContaining('callback_url'),
    });
    expect((await on.admin('POST', '/accounts/999999/callback-test')).http).toBe(404);
  });
});

describe('targets of callbacks', () => {
  const targets = async () => (await on.admin('GET', `${account}/callback-targets`)).body.targets;
  const metric = async (name: string): Promise<number> => {
    const page = await (await fetch(`${on.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? NaN);
  };
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const subject = {
        what: 'written',
        url: receiver.url,
        eventId: `evt_${n}`,
        contentType: 'text/plain',
        body: 'x',
      };
      const input = { purpose: 'callback', subject, about: 'a test', target: receiver.url };
      await on.service.engine.start({ kind: 'delivery', shard: 'a', account: demoAccount, input });
    }
  };

  test('are left alone when they fail, and tried again at once when a test arrives', async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    await send(5);
    await expect.poll(targets).toMatchObject([
      {
        ...{ target: receiver.url, state: 'open', failures: 5, waiting: 0, in_flight: 0 },
        ...{
          last_error: 'it answered HTTP 500',
          last_error_at: expect.any(Number),
          next_at: expect.any(Number),
        },
      },
    ]);
    expect(await metric('ramal_callback_circuits_open')).toBe(1);
    expect(await metric('ramal_callbacks_total\\{outcome="failed"\\}')).toBeGreaterThanOrEqual(5);
    receiver.heard = [];
    await send(3);
    await expect.poll(() => metric('ramal_callbacks_total\\{outcome="open"\\}')).toBeGreaterThanOrEqual(2);
    // But for a probe, nothing goes there.
    expect(receiver.heard.length).toBeLessThan(2);
    const putOff = async () =>
      (await on.admin('GET', `${account}/deliveries?state=deferred`)).body.deliveries[0];
    await expect.poll(putOff).toMatchObject({ attempts: 0, last_error: '', next_at: expect.any(Number) });
    const { delivery_id, next_at } = await putOff();
    const { body: explained } = await on.admin('GET', `/machines/${delivery_id}/explain`);
    expect(explained.reasons).toEqual([
      expect.objectContaining({
        ...{ rule: 'leftAlone', until: Number(next_at), open: true },
        detail: `it waits for ${receiver.url}: it failed too often and is left alone for a while; at last it answered HTTP 500`,
      }),
    ]);

    receiver.answer = (_, response) => response.end();
    await check({ url: receiver.url });
    expect(await targets()).toMatchObject([{ state: 'closed', failures: 0, next_at: null }]);
    await send(1);
    await expect
      .poll(() => metric('ramal_callbacks_total\\{outcome="delivered"\\}'))
      .toBeGreaterThanOrEqual(1);
    expect((await on.admin('GET', '/accounts/2/callback-targets')).body).toEqual({ targets: [] });
  });
});
