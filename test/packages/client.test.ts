/** The typed client against the real service and its sandbox: every operation, files, refusals. */
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  isRefusal,
  type MakeSMSCode,
  operationFacts,
  Ramal,
  RamalError,
} from '../../packages/client/src/index.ts';
import { operations } from '../../src/operations/index.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';

let on: TestService;
let ramal: Ramal;
const lines: Record<string, number> = {};
const account = `/accounts/${demoAccount}`;

beforeAll(async () => {
  on = await startTestService();
  ramal = on.ramal;
  for (const line of (await on.admin('GET', `${account}/lines`)).body.lines)
    lines[line.v8l_class] = line.v8l_id;
});
afterAll(() => on.stop());

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

test('has a method for every operation', () => {
  expect(Object.keys(operationFacts)).toEqual(operations.map(({ name }) => name));
  const methods = operations.map(({ name }) => name[0]!.toLowerCase() + name.slice(1)) as (keyof Ramal)[];
  expect(methods.filter((name) => typeof ramal[name] !== 'function')).toEqual([]);
});

test('places a call and reads its record', async () => {
  const { return: placed } = await ramal.makeTTSCall({
    dest: '11987650000',
    text: 'Olá <NOME>',
    nome: 'Ana',
  });
  const { calls, return: page } = await ramal.getCallStatus({ cd_id: placed.cd_id });
  expect(calls).toMatchObject([{ cd_id: placed.cd_id, dest: '5511987650000' }]);
  expect(page.pagination).toEqual({ has_more: false, next_id: 0 });
  expectTypeOf(calls[0]!.cd_status).toEqualTypeOf<
    '' | 'OK' | 'BUSY' | 'NOANSWER' | 'CANCEL' | 'CONGESTION' | 'CHANUNAVAIL'
  >();
});

test('uploads a list as a file, makes a campaign of it, changes and lists it', async () => {
  const file = new File(['phone;name\n11987650000;Ana\n11987650001;Bia\n'], 'spring.csv');
  const { return: list } = await ramal.createDestinationBase({ name: 'Spring' }, { file });
  expect(list).toMatchObject({ num_dest: '2', rejected: 0 });
  const { lists } = await ramal.getDestinationsList({ cdlc_id: Number(list.cdlc_id) });
  expect(lists).toMatchObject([{ cdlc_name: 'Spring', cdlc_file: 'spring.csv' }]);

  const wish = {
    name: 'Reminders',
    cdlc_id: Number(list.cdlc_id),
    text: 'Olá <NOME>',
    date_start: '2040-01-02',
  };
  const { return: made } = await ramal.createCampaign(wish);
  const { campaigns } = await ramal.changeCampaign({ cp_id: Number(made.cp_id), lig_min: 60 });
  expect(campaigns[0]).toMatchObject({ cp_name: 'Reminders', cp_lig_min: '60', 'cp_active ': '0' });
  expect((await ramal.getCampaignsList({ search: 'remind' })).campaigns).toHaveLength(1);
});

test('makes audio of a file and of a text with accents, and lists voices, audios and queues', async () => {
  const file = new Blob([new Uint8Array(aWav(0.5))], { type: 'audio/wav' });
  const uploaded = await ramal.createAudioFile({ name: 'Olá' }, { file, fileName: 'tone.wav' });
  expect(uploaded.return).toMatchObject({ cdw_name: 'Olá', 'cdw_type ': 'upload' });
  const spoken = await ramal.createAudioFile({ text: 'Olá, avó' });
  const { audios } = await ramal.getAudiosList();
  expect(audios.map(({ cdw_name }) => cdw_name)).toEqual(['Olá, avó', 'Olá']);
  expect(spoken.return['cdw_sec ']).toMatch(/^\d/);
  expect((await ramal.getTTSVoices()).voices.length).toBeGreaterThan(1);
  expect((await ramal.getCenterQueues()).queues).toEqual([]);
});

test('sends messages on every channel', async () => {
  const sms = await ramal.makeSMS({ dest: '11987650000', message: 'Your order is on its way' });
  const { msgapp, pagechat, photodm } = lines;
  const chat = await ramal.makeMsgapp({ dest: '5511987650000', app_id: msgapp!, mdata: 'Hello' });
  const page = await ramal.makePageChat({ dest: '7015550100', app_id: pagechat!, mdata: 'Hello' });
  const photo = await ramal.makePhotoDm({ dest: '17841400000000100', app_id: photodm!, mdata: 'Hello' });
  expect([sms, chat].map((answer) => answer.return.status_code)).toEqual(['0', '0']);
  expect([page, photo].map((answer) => answer.return.status_code)).toEqual([200, 200]);
});

test('takes a template from its submission to its end', async () => {
  const line = lines['msgapp']!;
  const written = { cwt_name: 'order_ready', cwt_category: 'UTILITY', cwt_language: 'pt_BR' };
  const body = { v8l_id: line, ...written, cwt_body_text: 'O seu pedido está pronto.' };
  const template_id = (await on.admin('POST', `${account}/templates`, body)).body.cwt_id as number;
  const made = await ramal.createMsgappTemplate({ template_id, app_id: line, action: 'create' });
  expect(made.return).toMatchObject({ meta_status: 'OK', template_id: String(template_id) });
  const { result } = (await ramal.checkTemplateStatus({ template_id, v8l_id: line })).return;
  expect(result.meta_name).toBe('order_ready');
  expect((await ramal.getMsgappTemplates({ app_id: line })).templates.length).toBeLessThan(2);
  const gone = await ramal.deleteMsgappTemplate({ template_id, v8l_id: line, delete_mode: 'both' });
  expect(gone.return.result.deleted).toBe(true);
});

describe('a refusal', () => {
  test('is an error with the code, the sentence and the body', async () => {
    const error = await failureOf(ramal.makeSMS({ dest: '11987650000', message: 'x'.repeat(161) }));
    expect(error).toBeInstanceOf(RamalError);
    expect(error).toMatchObject({
      operation: 'MakeSMS',
      code: '238',
      http: 400,
      answer: { return: { cdls_id: '0' } },
    });
    expect((error as Error).message).toContain('160 characters');
    if (!isRefusal(error, 'MakeSMS')) throw new Error('it is one of MakeSMS');
    expectTypeOf(error.code).toEqualTypeOf<MakeSMSCode>();
    expect(isRefusal(error, 'MakeTTSCall')).toBe(false);
  });

  test('of a page has a number for a code', async () => {
    const error = await failureOf(ramal.makePageChat({ app_id: 999_999, dest: '1', mdata: 'x' }));
    expect(error).toMatchObject({ code: 230 });
  });

  test('tells what is wrong with credentials', async () => {
    const credentials = { wa_api_key: 'EAAG', wa_business_id: '1', wa_phone_number_id: '2', wa_number: '0' };
    const error = await failureOf(ramal.validateMsgappNumber(credentials));
    expect(error).toMatchObject({
      code: '234',
      answer: { return: { result: { error_type: 'PARAM_ERROR' } } },
    });
  });

  test('of the token is one, too', async () => {
    const stranger = new Ramal({ url: on.url, token: 'x'.repeat(30) });
    expect(await failureOf(stranger.getTTSVoices())).toMatchObject({ code: '102', http: 401 });
  });
});

test('a request that was named is carried out once', async () => {
  const wish = { dest: '11987650007', message: 'Once', httpdup: 0 };
  const [one, other] = [
    await ramal.makeSMS(wish, { idempotencyKey: 'order-17' }),
    await ramal.makeSMS(wish, { idempotencyKey: 'order-17' }),
  ];
  expect(other.return.cdls_id).toBe(one.return.cdls_id);
});
