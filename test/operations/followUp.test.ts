/** The SMS that follows a call: a message of its own in the log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followUpSmsPerformers } from '../../src/operations/sms/sendFollowUpSms.ts';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
import type { SmsOperationServices } from '../../src/operations/sms/startSms.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { addDays } from '../../src/lib/localTime.ts';
import { ControlDatabase } from '../../src/store/controlDatabase.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { today } from './askedCampaigns.ts';
import { aSender, type Sender } from './sms.ts';
import { patienceMs } from '../helpers/patience.ts';

let on: TestService;
let control: ControlDatabase;

beforeAll(async () => {
  on = await startTestService();
  control = new ControlDatabase(on.database.prisma, () => Date.now());
});
afterAll(() => on.stop());

const services = (): SmsOperationServices => ({
  engine: on.service.engine,
  database: () => on.database.pool,
  payersOf: (account) => control.payersOf(account),
  isBlockedForAll: () => Promise.resolve(false),
  firstIdAt,
});

/** The effect of a call that stands nowhere. */
const effect = (by: Sender, params: object = {}): EffectCall<{ to: string; text: string }> => ({
  id: `a.${by.id}.5.3.0`,
  name: 'sendSms',
  params: { to: '5511987650000', text: 'thank you', ...params },
  machine: { shard: 'a', account: by.id, id: 5, kind: 'call' },
  attempt: 1,
  seen: {},
  signal: new AbortController().signal,
});
const perform = (call: EffectCall<{ to: string; text: string }>, with_ = services) =>
  followUpSmsPerformers(control, with_).sendSms(call);

const callWithSms = async (by: Sender, given: object = {}): Promise<string> => {
  const asked = {
    tsid: by.token,
    dest: '11987650000',
    text: 'hello',
    sms_action: 'ok',
    sms_text: 'Até logo',
  };
  const { body } = await on.post('MakeTTSCall', { ...asked, ctid: 'order-1', ...given });
  const id = Number(body.return.cd_id.split('_')[1]);
  await on.service.engine.waitFor({ shard: 'a', account: by.id, id }, 'ended', patienceMs);
  return body.return.cd_id;
};

describe('after a call', () => {
  test('it stands in the message log with the call it came from, and is paid for', async () => {
    const by = await aSender(on);
    const callId = await callWithSms(by);
    const [message, ...others] = await by.messages();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      channel: 'sms',
      destination: '5511987650000',
      body: 'Ate logo',
      correlation: 'order-1',
      call_id: callId,
      price: 800,
    });
    expect(await by.balance()).toBe(9.92);
    const view = await on.service.engine.view({ shard: 'a', account: by.id, id: Number(callId.slice(2)) });
    expect(view!.context).toMatchObject({ smsId: String(message.id) });
  });

  test('[4.2/sms_text] placeholders are filled in, and accents of values are stripped too', async () => {
    const by = await aSender(on);
    await callWithSms(by, { sms_text: 'Olá <NOME>, código <COD_CLI>', nome: 'Conceição', cod_cli: '7' });
    expect(await by.messages()).toMatchObject([{ body: 'Ola Conceicao, codigo 7' }]);
  });

  test('[4.3/sms_text] of a campaign it is filled in for each record, and cut where a value makes it too long', async () => {
    const by = await aSender(on);
    const { body } = await on.post('CreateCampaign', {
      tsid: by.token,
      name: 'greetings',
      text: 'Olá <NOME>',
      datajson: [
        { phone: '11987650050', name: 'Conceição' },
        { phone: '11987650051', name: 'x'.repeat(200) },
      ],
      sms_action: 'ok',
      sms_text: 'Olá <NOME>!',
      cp_ativo: 1,
      // In the zone of who is called: where the account is, it may be tomorrow.
      date_start: today(),
      date_end: addDays(today(), 1),
    });
    expect(body.return.status).toBe('OK');
    const sent = async () =>
      (await by.messages()).map((message: { body: string }) => message.body).toSorted();
    await expect.poll(sent).toEqual(['Ola Conceicao!', `Ola ${'x'.repeat(156)}`]);
  });

  test('what the account’s rules refuse is told by the call, and costs nothing', async () => {
    const by = await aSender(on, { balance: 0 });
    const callId = await callWithSms(by);
    const { body } = await on.admin('GET', `/machines/${callId}/explain`);
    expect(JSON.stringify(body)).toContain(
      'the balance of the account or of a reseller above it does not cover it',
    );
    expect(await by.messages()).toEqual([]);
  });
});

describe('an effect', () => {
  test('that is repeated finds the message it has begun', async () => {
    const by = await aSender(on);
    const first = await perform(effect(by));
    const second = await perform({ ...effect(by), attempt: 2 });
    expect(second).toEqual(first);
    const [message, ...others] = await by.messages();
    expect([others, first]).toEqual([
      [],
      { events: [{ type: 'smsAccepted', providerId: String(message.id), slow: false }] },
    ]);
  });

  test('keeps the campaign of its call in the log', async () => {
    const by = await aSender(on);
    await on.database.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, called_at, mode, destination, campaign_id, correlation)
       VALUES ($1, 5, 0, 0, 'play', '5511987650000', 17, 'c-5')`,
      [by.id],
    );
    await perform(effect(by));
    expect(await by.messages()).toMatchObject([{ campaign_id: '17', correlation: 'c-5', call_id: 'a_5' }]);
  });

  test('to what is no mobile, or of an account that is not active, fails for good', async () => {
    const by = await aSender(on);
    await expect(perform(effect(by, { to: '551134567890' }))).rejects.toMatchObject({ reason: 'badNumber' });
    await expect(perform(effect(by, { text: ' ' }))).rejects.toMatchObject({ reason: 'noText' });
    await by.admin('PATCH', '', { active: false });
    await expect(perform(effect(by))).rejects.toMatchObject({ name: 'NotRetryable', reason: 'account' });
    const reseller = (await on.admin('POST', '/accounts', { name: 'Above', active: false })).body.cdcs_id;
    await by.admin('PATCH', '', { active: true, reseller_id: reseller });
    await expect(perform(effect(by))).rejects.toMatchObject({ name: 'NotRetryable', reason: 'account' });
    expect(await by.messages()).toEqual([]);
  });

  test('that finds the database away is tried again', async () => {
    const by = await aSender(on);
    const away = (): SmsOperationServices => ({
      ...services(),
      database: () => {
        throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
      },
    });
    await expect(perform(effect(by), away)).rejects.toMatchObject({ name: 'Retryable' });
    await perform(effect(by));
    expect(await by.messages()).toHaveLength(1);
  });
});
