import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallbackSubject, CallCallback, DeliveryInput } from '../../machines/delivery/input.ts';
import { findOutgoingWebhookAccount } from '../../src/operations/deliveries/outgoingWebhookAccount.ts';
import { ControlDatabase } from '../../src/store/controlDatabase.ts';
import { openDatabase } from '../../src/store/database.ts';
import { type CallbackBed, startCallbackBed } from '../helpers/callbackBed.ts';
import { type Receiver, verifies } from '../helpers/receiver.ts';
import { demoAccount, type TestService } from '../helpers/service.ts';
import {
  callbackSecretBox,
  openWebhookSecret,
  sealPlainWebhookSecrets,
} from '../../src/store/secrets/callbacks.ts';
import { patienceMs } from '../helpers/patience.ts';

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

const at = Date.parse('2026-03-10T17:30:00Z');
const record = {
  requested_at: at, destination: '5511987650000', customer_campaign: '', campaign_id: 0, correlation: 'order-17', origin: 'api',
  status: 'OK', reason: 'completed', answered_by: 'ND', called_at: at, answered_at: at + 7_000, ended_at: at + 37_000, attempt: 1,
  response_1: '', response_2: '', response_3: '', route: 'sandbox', recording: '', recording_seconds: 0,
}; // prettier-ignore
let calls = 1_000;

const anEvent = (changes: Partial<CallCallback> = {}): CallCallback => ({
  ...{
    what: 'call',
    url: `${receiver.url}/in`,
    event: 'completed',
    seq: 1,
    at,
    final: true,
    id: (calls += 1),
  },
  ...{ record, attempts: 1 },
  ...changes,
});

/** Starts a delivery and waits until it has arrived, or has become a dead letter. */
const deliver = async (subject: CallbackSubject) => {
  const input: DeliveryInput = { purpose: 'callback', subject, about: 'a test', target: receiver.url };
  const started = await on.service.engine.start({
    ...{ kind: 'delivery', shard: 'a', account: demoAccount, input },
  });
  if (started.outcome !== 'started') throw new Error(started.outcome);
  const { ref } = started;
  const seen = await Promise.race([
    on.service.engine.waitFor(ref, 'ended', patienceMs),
    on.service.engine.waitFor(ref, 'deadLetter', patienceMs),
  ]);
  expect(seen).toBe('reached');
  const { body } = await on.admin('GET', `/machines/a_${ref.id}`);
  return body.record;
};

describe('an event of a call', () => {
  test('is posted as JSON, signed so that the receivers’ own library takes it', async () => {
    const event = anEvent();
    expect(await deliver(event)).toMatchObject({ state: 'delivered', attempts: 1 });
    const [heard, ...more] = receiver.heard;
    expect(more).toEqual([]);
    expect(heard).toMatchObject({
      ...{ method: 'POST', path: '/in' },
      headers: { 'content-type': 'application/json', 'webhook-id': `evt_a_${demoAccount}_${event.id}_1` },
    });
    expect(JSON.parse(heard!.body)).toMatchObject({
      event: 'completed', event_id: heard!.headers['webhook-id'], final: true, cd_id: `a_${event.id}`, dur: 30, ctid: 'order-17',
    }); // prettier-ignore
    expect(verifies(await bed.secret(), heard!)).toBe(true);
    expect(verifies(await bed.secret(), { ...heard!, body: `${heard!.body} ` })).toBe(false);
  });

  test('goes to the account’s address, in its way, with its headers and credentials', async () => {
    await on.admin('PATCH', account, {
      ...{ callback_url: `${receiver.url}/own?key=1`, callback_type: 'form' },
      ...{ callback_headers: 'X-Tenant: 7', callback_user: 'ana', callback_password: 'sesame' },
    });
    await deliver(anEvent({ url: '' }));
    const [heard] = receiver.heard;
    expect(heard).toMatchObject({
      path: '/own?key=1',
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'x-tenant': '7' },
        authorization: `Basic ${Buffer.from('ana:sesame').toString('base64')}`,
      },
    });
    const form = Object.fromEntries(new URLSearchParams(heard!.body));
    expect(form).toMatchObject({ event: 'completed', final: 'true', dur: '30', cd_status: 'OK' });
    expect(verifies(await bed.secret(), heard!)).toBe(true);
  });

  test('by GET stands in the query, behind the address’s own; the signature is over the empty body', async () => {
    await on.admin('PATCH', account, { callback_method: 'GET' });
    await deliver(anEvent({ url: `${receiver.url}/in?key=a%20b#part` }));
    const [heard] = receiver.heard;
    expect([heard!.method, heard!.body]).toEqual(['GET', '']);
    expect(heard!.path).toMatch(/^\/in\?key=a%20b&event=completed&event_id=evt_a_/);
    expect(heard!.headers['content-type']).toBeUndefined();
    expect(verifies(await bed.secret(), heard!)).toBe(true);
  });

  test('without any address is a dead letter that says so, and arrives when there is one and it is sent again', async () => {
    const { state, last_error } = await deliver(anEvent({ url: '' }));
    expect([state, last_error]).toEqual([
      'deadLetter',
      'noAddress: the account has no callback_url: set one, then replay',
    ]);
    await on.admin('PATCH', account, { callback_url: receiver.url });
    expect((await on.admin('POST', `${account}/deliveries/replay`)).body).toMatchObject({
      replayed: 1,
      more: false,
    });
    await expect.poll(() => receiver.heard.length).toBe(1);
  });

  test('is the same bytes in every attempt, with the time of each', async () => {
    receiver.answer = (_, response) => response.writeHead(receiver.heard.length === 1 ? 500 : 200).end();
    const event = anEvent();
    const delivered = deliver(event);
    const retrying = async () =>
      (await on.admin('GET', '/machines?kind=delivery&state=retrying')).body.machines;
    await expect.poll(retrying).toHaveLength(1);
    const [{ id }] = await retrying();
    await on.admin('POST', `/machines/${id}/events`, { type: 'retryNow' });
    expect(await delivered).toMatchObject({ state: 'delivered', attempts: 2 });
    const [first, second] = receiver.heard;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    for (const heard of receiver.heard) expect(verifies(await bed.secret(), heard)).toBe(true);
  });
});

describe('what stands written', () => {
  test('is signed too, and posted as it stands whatever the account’s way is', async () => {
    await on.admin('PATCH', account, { callback_method: 'GET', callback_type: 'form' });
    await deliver({
      ...{ what: 'written', url: receiver.url, eventId: 'evt_in', contentType: 'application/json' },
      body: '{"text":"olá"}',
    });
    const [heard] = receiver.heard;
    expect(heard).toMatchObject({
      method: 'POST',
      body: '{"text":"olá"}',
      headers: { 'webhook-id': 'evt_in' },
    });
    expect(verifies(await bed.secret(), heard!)).toBe(true);
  });
});

describe('the secret', () => {
  const rotate = async (body: object = {}) => on.admin('POST', `${account}/webhook-secret`, body);
  const heardNow = async () => {
    receiver.heard = [];
    await deliver(anEvent());
    return receiver.heard[0]!;
  };

  test('is rotated: both sign for a while, then only the new one', async () => {
    const old = await bed.secret();
    const before = Date.now();
    const { http, body } = await rotate();
    expect([http, body.cdcs_id]).toEqual([200, demoAccount]);
    expect(body.webhook_secret).toMatch(/^whsec_/);
    expect(body.webhook_secret).not.toBe(old);
    expect(body.webhook_secret_before_until).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
    const during = await heardNow();
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect([verifies(old, during), verifies(body.webhook_secret, during)]).toEqual([true, true]);

    // The time is over.
    await on.database.pool.query('UPDATE accounts SET webhook_secret_before_until = $1 WHERE id = $2', [
      Date.now() - 1,
      demoAccount,
    ]);
    await on.admin('PATCH', account, { name: 'Demo' });
    const after = await heardNow();
    expect([verifies(old, after), verifies(body.webhook_secret, after)]).toEqual([false, true]);
  });

  test('is rotated at once when it has leaked', async () => {
    const old = await bed.secret();
    const { body } = await rotate({ overlap_hours: 0 });
    expect(body.webhook_secret_before_until).toBeNull();
    const heard = await heardNow();
    expect([verifies(old, heard), verifies(body.webhook_secret, heard)]).toEqual([false, true]);
    expect(await rotate({ overlap_hours: -1 })).toMatchObject({
      http: 400,
      body: { field: 'overlap_hours' },
    });
  });

  test('that another SECRET_KEY sealed fails attempts and makes no dead letter, until it is rotated', async () => {
    await on.database.pool.query(`UPDATE accounts SET webhook_secret = 'v1.c3RyYW5nZQ' WHERE id = $1`, [
      demoAccount,
    ]);
    await on.admin('PATCH', account, { name: 'Demo' });
    expect(await bed.secret()).toBeNull();
    const delivered = deliver(anEvent());
    const retrying = async () =>
      (await on.admin('GET', '/machines?kind=delivery&state=retrying')).body.machines;
    await expect.poll(retrying).toHaveLength(1);
    expect(receiver.heard).toEqual([]);
    const { body } = await rotate();
    const [{ id }] = await retrying();
    await on.admin('POST', `/machines/${id}/events`, { type: 'retryNow' });
    expect(await delivered).toMatchObject({ state: 'delivered' });
    expect(receiver.heard[0]!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(verifies(body.webhook_secret, receiver.heard[0]!)).toBe(true);
  });

  test('that an earlier version kept as it was still signs, and is sealed at the next start', async () => {
    const plain = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const keep = (secret: string) =>
      on.database.pool.query('UPDATE accounts SET webhook_secret = $1 WHERE id = $2', [secret, demoAccount]);
    const kept = async (): Promise<string> =>
      (await on.database.pool.query('SELECT webhook_secret FROM accounts WHERE id = $1', [demoAccount]))
        .rows[0].webhook_secret;
    await keep(plain);
    await on.admin('PATCH', account, { name: 'Demo' });
    expect(verifies(plain, await heardNow())).toBe(true);
    const box = callbackSecretBox('a key');
    await sealPlainWebhookSecrets(new ControlDatabase(on.database.prisma, Date.now), box);
    expect(openWebhookSecret(box, demoAccount, await kept())).toBe(plain);
    await keep('');
    await sealPlainWebhookSecrets(new ControlDatabase(on.database.prisma, Date.now), box);
    expect(openWebhookSecret(box, demoAccount, await kept())).toMatch(/^whsec_/);
    await rotate({ overlap_hours: 0 });
  });

  test('is kept sealed, with the one before it and the credentials', async () => {
    const shown = (await rotate()).body.webhook_secret;
    await on.admin('PATCH', account, {
      callback_headers: 'X-Key: hush',
      callback_user: 'ana',
      callback_password: 'sesame',
    });
    const { rows } = await on.database.pool.query('SELECT * FROM accounts WHERE id = $1', [demoAccount]);
    const kept = JSON.stringify(rows);
    for (const secret of [shown, 'whsec_', 'hush', 'sesame']) expect(kept).not.toContain(secret);
    const { body } = await on.admin('GET', account);
    expect(body).toMatchObject({
      has_callback_headers: true,
      has_callback_user: true,
      has_callback_password: true,
    });
    for (const secret of ['hush', 'sesame', 'callback_login', rows[0].webhook_secret_before])
      expect(JSON.stringify(body)).not.toContain(secret);
  });
});

test('a database that is away spends no attempt: nobody was tried', async () => {
  const away = openDatabase({ name: 'a', url: 'postgresql://nobody@127.0.0.1:9/none', schema: 'public' });
  const find = findOutgoingWebhookAccount({
    databases: { control: away, shards: new Map() },
    control: new ControlDatabase(away.prisma, Date.now),
    box: callbackSecretBox(on.service.secrets.secretKey),
    mediaUrl: () => '',
    now: Date.now,
  });
  await expect(find({ shard: 'a', account: demoAccount })).rejects.toMatchObject({
    ...{ name: 'DeliveryPostponedError', message: 'the database cannot serve this now', afterMs: 15_000 },
  });
  await away.close();
});
