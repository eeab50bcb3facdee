import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
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
beforeEach(() => bed.reset());
const account = `/accounts/${demoAccount}`;

const base = Date.parse('2026-03-10T17:30:00Z');
let minted = 0;

/** Calls of one customer-side campaign, oldest first. */
const calls = async (customerCampaign: string, count: number, owner = demoAccount): Promise<void> => {
  const first = firstIdAt(base) + minted;
  minted += count;
  await on.database.pool.query(
    `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, customer_campaign, status, finished)
      SELECT $1, $2::bigint + n, $3, $3, '5511987650000', 'play', $4, 'OK', true FROM generate_series(1, $5::int) AS n`,
    [owner, first, base, customerCampaign, count],
  );
};

const push = (given: object) => on.post('GetCallStatus', { rurl: receiver.url, ...given });

interface Delivery {
  delivery_id: string;
  state: string;
  attempts: number;
  last_error: string;
}
const newest = async (): Promise<Delivery> =>
  (await on.admin('GET', `${account}/deliveries`)).body.deliveries[0];
const delivered = async (): Promise<void> => {
  await expect.poll(async () => (await newest()).state).toBe('delivered');
};

describe('records that are pushed', () => {
  test('[4.13/rurl] as JSON are the inline answer, posted once, while the caller hears how many there will be', async () => {
    await calls('json', 3);
    const { http, body } = await push({ cpid: 'json', origin: 'crm', numtype: 'DDD' });
    expect([http, body]).toEqual([
      200,
      {
        return: {
          ...{ status: 'OK', status_code: '0', pagination: { has_more: false, next_id: 0 }, queued: 3 },
        },
        calls: [],
      },
    ]);
    await delivered();
    const [heard, ...more] = receiver.heard;
    expect([heard!.method, heard!.headers['content-type'], more]).toEqual(['POST', 'application/json', []]);
    expect(verifies(await bed.secret(), heard!)).toBe(true);
    const inline = (await on.post('GetCallStatus', { cpid: 'json', origin: 'crm', numtype: 'DDD' })).body;
    expect(inline.calls).toHaveLength(3);
    expect(JSON.parse(heard!.body)).toEqual(inline);
  });

  test('[4.13/rurl_type] as forms are one request a call, each with an id of its own', async () => {
    await calls('form', 3);
    await push({ cpid: 'form', rurl_type: 'form' });
    await delivered();
    const inline = (await on.post('GetCallStatus', { cpid: 'form' })).body.calls;
    const said = receiver.heard.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(said).toEqual(
      inline.map((call: object) => Object.fromEntries(Object.entries(call).map(([k, v]) => [k, String(v)]))),
    );
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    for (const heard of receiver.heard) expect(verifies(await bed.secret(), heard)).toBe(true);
  });

  test('[4.13/rurl_method] by GET stand in the query, a request a call, whatever the type is', async () => {
    await calls('get', 2);
    await push({ cpid: 'get', rurl: `${receiver.url}/in?key=1`, rurl_method: 'GET', rurl_type: 'json' });
    await delivered();
    expect(receiver.heard.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['GET', ''],
    ]);
    expect(receiver.heard[0]!.path).toMatch(/^\/in\?key=1&cd_id=a_\d+&cd_status=OK&/);
  });

  test('[4.13/rurl_headers] [4.13/rurl_user] [4.13/rurl_password] carry the credentials that were given, sealed until then', async () => {
    await calls('login', 1);
    await on.admin('PATCH', account, { callback_headers: 'X-Own: 1', callback_user: 'own' });
    await push({
      cpid: 'login',
      rurl_headers: 'X-Key: hush\nX-More: 2',
      rurl_user: 'ana',
      rurl_password: 'sesame',
    });
    await delivered();
    expect(receiver.heard[0]!.headers).toMatchObject({
      ...{
        'x-key': 'hush',
        'x-more': '2',
        authorization: `Basic ${Buffer.from('ana:sesame').toString('base64')}`,
      },
    });
    expect(receiver.heard[0]!.headers['x-own']).toBeUndefined();
    const { body } = await on.admin('GET', `/machines/${(await newest()).delivery_id}`);
    for (const word of ['hush', 'sesame']) expect(JSON.stringify(body)).not.toContain(word);
  });

  test('go the account’s way where the request does not say another', async () => {
    await calls('own', 2);
    await on.admin('PATCH', account, { callback_type: 'form', callback_headers: 'X-Own: 1' });
    await push({ cpid: 'own' });
    await delivered();
    expect(receiver.heard).toHaveLength(2);
    expect(receiver.heard[0]!.headers).toMatchObject({
      ...{ 'x-own': '1', 'content-type': 'application/x-www-form-urlencoded' },
    });
    receiver.heard = [];
    await push({ cpid: 'own', rurl_type: 'JSON' });
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(JSON.parse(receiver.heard[0]!.body).calls).toHaveLength(2);
  });

  test('are those of the account alone, and none that was dialled after the request', async () => {
    await calls('tenants', 2);
    await calls('tenants', 2, 2);
    receiver.answer = (_, response) => response.writeHead(receiver.heard.length === 1 ? 500 : 200).end();
    expect((await push({ cpid: 'tenants' })).body.return.queued).toBe(2);
    await expect.poll(async () => (await newest()).state).toBe('retrying');
    await on.database.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, customer_campaign)
        VALUES ($1, $2, $3, $3, '5511987650000', 'play', 'tenants')`,
      [demoAccount, on.service.engine.mintId('a'), Date.now()],
    );
    await on.admin('POST', `/machines/${(await newest()).delivery_id}/events`, { type: 'retryNow' });
    await delivered();
    const [first, second] = receiver.heard;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(JSON.parse(second!.body).calls).toHaveLength(2);
  });

  test('[4.13/maxreg] are a page that says where the next begins, or all of them, put together on disk', async () => {
    await calls('many', 2_500);
    const { next_id } = (await on.post('GetCallStatus', { cpid: 'many', maxreg: 2 })).body.return.pagination;
    expect((await push({ cpid: 'many', maxreg: 2 })).body.return).toMatchObject({
      queued: 2,
      pagination: { has_more: true, next_id },
    });
    await delivered();
    const page = JSON.parse(receiver.heard[0]!.body);
    expect([page.calls.length, page.return.pagination.has_more]).toEqual([2, true]);
    receiver.heard = [];
    expect(
      (await push({ cpid: 'many', maxreg: -1, last_id: page.return.pagination.next_id })).body.return.queued,
    ).toBe(2_498);
    await expect.poll(() => receiver.heard.length).toBe(1);
    const rest = JSON.parse(receiver.heard[0]!.body);
    expect([rest.calls.length, rest.return.pagination]).toEqual([2_498, { has_more: false, next_id: 0 }]);
    expect(new Set([...page.calls, ...rest.calls].map(({ cd_id }) => cd_id)).size).toBe(2_500);
    expect(verifies(await bed.secret(), receiver.heard[0]!)).toBe(true);
    await delivered();
  });

  test('that are none are an answer without calls, and no form at all', async () => {
    expect((await push({ cpid: 'nobody' })).body.return.queued).toBe(0);
    await expect.poll(() => receiver.heard.length).toBe(1);
    expect(JSON.parse(receiver.heard[0]!.body)).toMatchObject({ calls: [], return: { status_code: '0' } });
    await delivered();
    const before = (await newest()).delivery_id;
    for (const given of [
      { cpid: 'nobody', rurl_type: 'form' },
      { date_start: 'never', rurl_type: 'form' },
      { cd_id: 'x', rurl_method: 'GET' },
    ])
      expect((await push(given)).body).toMatchObject({ return: { queued: 0 }, calls: [] });
    expect((await newest()).delivery_id).toBe(before);
  });

  test.each([
    { date_start: 'never' },
    { maxreg: 'all' },
    { cd_id: 'nonsense' },
    { cp_id: 1, cpid: 'nobody' },
  ])('[4.13/invalid] for %j are an answer without calls as well', async (given) => {
    await calls('nobody else', 1);
    expect((await push({ ...given, origin: 'crm' })).body.return.queued).toBe(0);
    await expect.poll(() => receiver.heard.length).toBe(1);
    const answered = (await on.post('GetCallStatus', given)).body;
    expect(JSON.parse(receiver.heard[0]!.body)).toEqual(answered);
    await delivered();
  });

  test('[4.13/invalid] may not be pushed by what is wrong, nor to where nothing may go', async () => {
    const unread = { date_start: 'never' };
    expect((await push({ ...unread, rurl_headers: 'Host: evil' })).body.return.status_code).toBe('299');
    const { body } = await on.post('GetCallStatus', { ...unread, rurl: 'http://10.0.0.1/' });
    expect([body.calls, body.return.queued, body.return.warning]).toEqual([
      [],
      undefined,
      expect.stringContaining('the records are in this answer'),
    ]);
  });

  test('become a dead letter where the receiver is gone', async () => {
    await calls('gone', 1);
    receiver.answer = (_, response) => response.writeHead(410).end();
    await push({ cpid: 'gone' });
    await expect.poll(async () => (await newest()).state).toBe('deadLetter');
    expect((await newest()).last_error).toBe('gone: it says that it is gone for good (HTTP 410)');
  });
});

describe('a push that may not be', () => {
  test('is said, and the records are in the answer', async () => {
    await calls('inside', 1);
    for (const rurl of ['http://10.0.0.1/', 'ftp://example.com', 'http://ana:sesame@example.com/']) {
      const { http, body } = await on.post('GetCallStatus', { cpid: 'inside', rurl });
      expect([http, body.calls.length, body.return.queued]).toEqual([200, 1, undefined]);
      expect(body.return.warning).toMatch(/^rurl .*: the records are in this answer$/);
    }
  });

  test.each([
    { rurl_method: 'PUT' }, { rurl_headers: 'Host: evil' }, { rurl_headers: 'nothing' }, { rurl_headers: 'X: 1\r\nContent-Length: 5' },
    { rurl_user: 'a:b' }, { rurl_user: 'a\nb' }, { rurl_password: 'a\r\nX: 1' },
  ])('is refused with a sentence: %j', async (given) => {
    const { http, body } = await push({ cpid: 'nobody', ...given });
    expect([http, body.return.status_code, body.calls]).toEqual([400, '299', []]);
    expect(body.return.status).toMatch(new RegExp(`^${Object.keys(given)[0]} must`));
  }); // prettier-ignore
});
