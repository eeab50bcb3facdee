/** What the tools take and answer (spec 4.1; docs/decisions/0062). */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { aList } from '../helpers/campaigns.ts';
import { demoAccount, demoToken, startTestService, type TestService } from '../helpers/service.ts';
import { callTool, postTool, rpc } from './bed.ts';

let on: TestService;
/** Another account, with every permission. */
let stranger: string;
beforeAll(async () => {
  on = await startTestService();
  const account = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  const apis = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };
  stranger = (await on.admin('POST', `/accounts/${account}/tokens`, { permissions: { apis } })).body.token;
});
afterAll(() => on.stop());

const call = (name: string, given: object = {}, token = demoToken) => callTool(on, name, given, { token });
/** The outcome without what the tool protocol has beside it. */
const outcomeOf = async (name: string, given: object = {}) => (await call(name, given)).structuredContent;

describe('a declaration', () => {
  test('has an example that its schema takes, and failures that its schema takes', async () => {
    const { tools } = (await postTool(on, rpc('tools/list'))).body.result;
    const ajv = new Ajv2020();
    const entries = operations.flatMap((op) => (op.tools ?? []).map((entry) => ({ op, entry })));
    expect(entries.length).toBe(tools.length - 3);
    for (const { op, entry } of entries) {
      const { inputSchema, outputSchema } = tools.find(({ name }: { name: string }) => name === entry.name);
      expect([entry.name, ajv.validate(inputSchema, entry.example), ajv.errorsText()]).toEqual([
        entry.name,
        true,
        'No errors',
      ]);
      // Its refusals keep no keys: it has none of its own.
      if (entry.pages) continue;
      const refused = { success: false, error: 'x', status_code: 299, ...op.failure.fields };
      expect([entry.name, ajv.validate(outputSchema, refused), ajv.errorsText()]).toEqual([
        entry.name,
        true,
        'No errors',
      ]);
    }
  });
});

describe('arguments', () => {
  test('that a tool does not have are refused, and it names those it has', async () => {
    const before = await on.database.prisma.message.count();
    expect(
      await outcomeOf('send_sms', { dest: '11987650000', text: 'x', send_at: 'tomorrow', tsid: 'x' }),
    ).toEqual({
      success: false,
      error: expect.stringMatching(/"send_at", "tsid"; it takes dest, text, ctid/),
      status_code: 299,
    });
    expect(await on.database.prisma.message.count()).toBe(before);
    expect(await outcomeOf('get_tts_voices', { a: 1 })).toMatchObject({
      status_code: 299,
      error: expect.stringContaining('it takes none'),
    });
  });

  test('that cannot be read are named as the tool names them', async () => {
    for (const [name, given, error] of [
      [
        'send_sms',
        { dest: '11987650000', text: 'x', cut_text: 'perhaps' },
        /^cut_text must be true or false$/,
      ],
      ['send_sms', { dest: '11987650000', text: 'x', from_number: '!' }, /^from_number must be/],
      ['send_sms', { dest: '11987650000', text: 'x', httpdup: 9_999 }, /^httpdup must be a whole number/],
      ['send_sms', { dest: '11987650000', text: ['x'] }, /^text must be text$/],
      ['get_campaigns_list', { max_records: 0 }, /^max_records must be/],
      ['campaign_forecast', { cp_id: 'one' }, /^cp_id must be/],
    ] as const) {
      expect(await outcomeOf(name, given)).toEqual(
        expect.objectContaining({ success: false, status_code: 299, error: expect.stringMatching(error) }),
      );
    }
  });

  test('that are required are asked for, under the code of the operation [4.1/send_sms]', async () => {
    for (const [name, given, error, status_code] of [
      ['send_sms', { text: 'x' }, 'dest is required', 230],
      ['send_sms', { dest: '11987650000', text: null }, 'text is required', 235],
      [
        'send_sms',
        { dest: '11987650000', text: 'x'.repeat(161) },
        'text must be at most 160 characters',
        238,
      ],
      ['make_tts_call', { text: 'x' }, 'dest is required', 203],
      ['clone_campaign', { name: 'x' }, 'cp_id is required', 282],
      ['create_destination_base', { name: 'x' }, 'destinations is required', 230],
      ['change_campaign', { active: false }, 'cp_id is required', 200],
      ['send_pagechat', { app_id: 2, dest: '1' }, 'mdata is required', 225],
      ['get_msgapp_templates', {}, 'app_id is required', 201],
      ['explain_call', {}, 'cd_id is required', 299],
    ] as const)
      expect(await outcomeOf(name, given)).toMatchObject({ success: false, error, status_code });
  });

  test('may come as numbers, as text, and under the names of the REST door', async () => {
    const cut = { dest: 11_987_650_000, message: `A ${'x'.repeat(160)}`, cuttext: 'yes' };
    expect(await outcomeOf('send_sms', cut)).toMatchObject({ success: true });
    for (const [nth, cut_text] of [true, 1, '1', 'true', 'TRUE'].entries())
      expect(
        await outcomeOf('send_sms', {
          ...cut,
          message: undefined,
          text: `${nth} ${cut.message}`,
          cuttext: undefined,
          cut_text,
        }),
      ).toMatchObject({ success: true });
    expect(await outcomeOf('get_destination_bases', { max_records: '5' })).toMatchObject({
      success: true,
      lists: [],
    });
  });
});

describe('send_sms', () => {
  test('answers with status, cdls_id and a message [4.1/send_sms]', async () => {
    const {
      content: _,
      structuredContent,
      isError,
      ...outcome
    } = await call('send_sms', {
      ...{ dest: '11987650000', text: 'Olá, é você?', ctid: 'order-1' },
    });
    expect(outcome).toEqual({
      success: true,
      status: 'OK',
      cdls_id: expect.stringMatching(/^\d+$/),
      message: expect.any(String),
    });
    expect([structuredContent, isError]).toEqual([outcome, false]);
    const sent = await on.database.prisma.message.findFirst({
      where: { account_id: demoAccount, id: BigInt(outcome.cdls_id) },
    });
    expect(sent).toMatchObject({ correlation: 'order-1', destination: '5511987650000' });
  });

  test('does not send the same twice in a row [4.1/httpdup]', async () => {
    const given = { dest: '11987650000', text: 'once' };
    expect(await outcomeOf('send_sms', given)).toMatchObject({ success: true });
    expect(await outcomeOf('send_sms', given)).toMatchObject({
      success: false,
      status_code: 244,
      cdls_id: '0',
    });
    expect(await outcomeOf('send_sms', { ...given, httpdup: 0 })).toMatchObject({ success: true });
  });

  test('tells that a slow provider has not answered, and a refusal with its words', async () => {
    const slow = await outcomeOf('send_sms', { dest: '11987650008', text: 'slow' });
    expect(slow).toMatchObject({
      success: true,
      status: 'WR',
      status_code: 1,
      message: expect.stringContaining('Do not send it again'),
    });
    expect(await outcomeOf('send_sms', { dest: '11987650009', text: 'hard' })).toMatchObject({
      ...{ success: false, status_code: 300, cdls_id: expect.stringMatching(/^\d{5,}$/) },
    });
  });
});

describe('get_call_status', () => {
  const many = 2_300;
  const days = { date_start: '2001-01-01', date_end: '2001-12-31' };
  beforeAll(async () => {
    await on.database.pool.query(
      `INSERT INTO calls (account_id, id, requested_at, mode, destination, called_at, status, response_1, campaign_id, customer_campaign)
        SELECT $1, n, 1000000000000, 'play', '5511987650000', 1000000000000 + n, 'OK', CASE WHEN n = 7 THEN '1' ELSE '' END,
          CASE WHEN n > 10 THEN 77 ELSE 0 END, 'spring' FROM generate_series(1, $2::int) n`,
      [demoAccount, many],
    );
  });

  test('shows a thousand, newest first, in its own form [4.1/max_records] [4.1/get_call_status]', async () => {
    const { calls, total, pagination, success, ...rest } = await outcomeOf('get_call_status', {
      cpid: 'spring',
    });
    expect([success, total, calls.length, pagination, rest]).toEqual([
      true,
      1_000,
      1_000,
      { has_more: true, next_id: String(many - 999) },
      {},
    ]);
    expect(calls[0]).toEqual({
      ...{
        cd_id: `a_${many}`,
        cd_status: 'OK',
        dest: '5511987650000',
        date: '2001-09-08',
        dur: '0',
        cdr_url: '',
      },
    });
  });

  test('goes on where the page before ended [4.1/last_id]', async () => {
    const first = await outcomeOf('get_call_status', { cpid: 'spring', max_records: 1_200 });
    expect([first.total, first.pagination]).toEqual([
      1_200,
      { has_more: true, next_id: String(many - 1_199) },
    ]);
    const second = await outcomeOf('get_call_status', {
      cpid: 'spring',
      max_records: 1_200,
      last_id: first.pagination.next_id,
    });
    expect([second.total, second.pagination]).toEqual([many - 1_200, { has_more: false, next_id: '' }]);
    const ids = [...first.calls, ...second.calls].map(({ cd_id }: { cd_id: string }) => cd_id);
    expect(new Set(ids).size).toBe(many);
  });

  test('gives all of them for -1, ten thousand at a time [4.1/max_records]', async () => {
    expect(await outcomeOf('get_call_status', { cpid: 'spring', max_records: -1 })).toMatchObject({
      ...{ total: many, pagination: { has_more: false, next_id: '' } },
    });
  });

  test('filters [4.1/cp_id] [4.1/cpid] [4.1/cd_id] [4.1/ctid] [4.1/date_start] [4.1/date_end] [4.1/only_dtmf]', async () => {
    const count = async (given: object) =>
      (await outcomeOf('get_call_status', { ...given, max_records: -1 })).total;
    expect(await count({ cp_id: '77' })).toBe(many - 10);
    expect(await count({ cp_id: 77, cpid: 'winter' })).toBe(0);
    expect(await count({ cd_id: 'a_3' })).toBe(1);
    expect(await count({ cd_id: 'b_3' })).toBe(0);
    expect(await count({ ctid: 'null', cpid: 'spring' })).toBe(many);
    expect(await count({ ...days, cpid: 'spring' })).toBe(0);
    expect(await count({ cpid: 'spring', only_dtmf: true })).toBe(1);
    expect(await count({ cpid: 'spring', only_dtmf: false })).toBe(many);
  });

  test('finds nothing by what cannot be read, and says so', async () => {
    expect(await outcomeOf('get_call_status', { date_start: 'yesterday' })).toEqual({
      ...{ success: true, calls: [], total: 0, pagination: { has_more: false, next_id: '' } },
      warning: 'date_start must be a date, YYYY-MM-DD',
    });
    expect(await outcomeOf('get_call_status', { max_records: -2 })).toMatchObject({
      total: 0,
      warning: expect.stringMatching(/^max_records /),
    });
  });

  test('shows nobody else’s calls', async () => {
    expect((await call('get_call_status', { cd_id: 'a_3' }, stranger)).total).toBe(0);
  });
});

describe('what creates a list or a campaign', () => {
  const given = (name: string) => ({ name, destinations: [{ phone: '11987650000', name: 'Ana' }] });
  const countLists = (name: string) => on.database.prisma.list.count({ where: { name } });

  test('answers the same arguments within a minute with the first outcome [4.1/repeats]', async () => {
    const first = await outcomeOf('create_destination_base', given('twice'));
    expect(first).toMatchObject({ success: true, num_dest: '1' });
    const inAnotherOrder = { destinations: [{ name: 'Ana', phone: '11987650000' }], name: 'twice' };
    expect(await outcomeOf('create_destination_base', inAnotherOrder)).toEqual(first);
    expect(await countLists('twice')).toBe(1);
    expect((await outcomeOf('create_destination_base', { ...given('twice'), ctid: 'x' })).cdlc_id).not.toBe(
      first.cdlc_id,
    );
    const [, strangers] = [first, await call('create_destination_base', given('twice'), stranger)];
    expect(strangers.cdlc_id).not.toBe(first.cdlc_id);
  });

  test('makes one of many that come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => outcomeOf('create_destination_base', given('crowd'))),
    );
    expect(new Set(answers.map(({ cdlc_id }) => cdlc_id)).size).toBe(1);
    expect(await countLists('crowd')).toBe(1);
    const cdlc_id = await aList(on);
    const campaign = { name: 'crowd', cdlc_id, text: 'Oi' };
    const made = await Promise.all(Array.from({ length: 3 }, () => outcomeOf('create_campaign', campaign)));
    expect(new Set(made.map(({ cp_id }) => cp_id)).size).toBe(1);
    const clones = await Promise.all(
      Array.from({ length: 3 }, () => outcomeOf('clone_campaign', { cp_id: made[0].cp_id, name: 'clone' })),
    );
    expect(clones).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ success: true, cp_id: clones[0].cp_id })),
    );
    expect(await on.database.prisma.campaign.count({ where: { name: { in: ['crowd', 'clone'] } } })).toBe(2);
  });

  test('makes another when the minute is over', async () => {
    const first = await outcomeOf('create_destination_base', given('later'));
    const claims = await on.database.prisma.claim.findMany({ where: { owner: `list ${first.cdlc_id}` } });
    expect(claims.map(({ until }) => Number(until) - Date.now())).toEqual([expect.closeTo(60_000, -4.5)]);
    await on.database.prisma.claim.updateMany({
      where: { owner: `list ${first.cdlc_id}` },
      data: { until: 0n },
    });
    expect((await outcomeOf('create_destination_base', given('later'))).cdlc_id).not.toBe(first.cdlc_id);
  });

  test('tries again what was refused', async () => {
    const bad = { name: 'refused', cdlc_id: 1_999_999, text: 'Oi' };
    for (let time = 0; time < 2; time += 1)
      expect(await outcomeOf('create_campaign', bad)).toMatchObject({
        success: false,
        status_code: 251,
        cp_id: '0',
      });
  });

  test('takes its list along, and never a source under the name of the REST door', async () => {
    const made = await outcomeOf('create_campaign', { ...given('along'), text: 'Olá <NOME>' });
    expect(await outcomeOf('get_campaigns_list', { cp_id: made.cp_id })).toMatchObject({
      campaigns: [{ cp_destinations: 1 }],
    });
    expect(await outcomeOf('create_campaign', { cp_id: made.cp_id })).toMatchObject({
      success: false,
      status_code: 299,
    });
    expect(await outcomeOf('clone_campaign', { cp_id: 1_999_999 })).toMatchObject({
      success: false,
      status_code: 282,
    });
    expect(await call('clone_campaign', { cp_id: made.cp_id }, stranger)).toMatchObject({
      success: false,
      status_code: 282,
    });
  });
});

describe('explain_call', () => {
  const explained = async (given: object) => {
    const { cd_id } = await outcomeOf('make_tts_call', given);
    return { cd_id, told: () => outcomeOf('explain_call', { cd_id }) };
  };

  test('tells how a call ended and what to do', async () => {
    const { cd_id, told } = await explained({ dest: '11987650004', text: 'nobody there' });
    await on.ended(cd_id);
    expect(await told()).toEqual({
      ...{ success: true, cd_id, cd_status: 'CHANUNAVAIL', dest: '5511987650004', ended: true, attempts: 1 },
      explanation: [expect.stringContaining('asked for'), expect.stringContaining('could not be reached')],
      next: expect.stringContaining('Look at the number'),
      time_zone: 'America/Sao_Paulo',
    });
  });

  test('tells what a call waits for', async () => {
    const { told } = await explained({ dest: '11987650021', text: 'again', repeat: '2|5||2001-01-01 00:00' });
    await expect.poll(async () => (await told()).attempts).toBe(1);
    await expect.poll(async () => (await told()).next).toMatch(/goes on by itself at \d{4}-/);
    expect((await told()).explanation.join(' ')).toContain('retry: attempt 1 ended BUSY');
  });

  test('tells that a number is blocked', async () => {
    await on.admin('POST', `/accounts/${demoAccount}/blocklist`, {
      number: '5511912345678',
      reason: 'asked to',
    });
    const { cd_id, told } = await explained({ dest: '11912345678', text: 'blocked', free: false });
    await on.ended(cd_id);
    expect(await told()).toMatchObject({
      cd_status: 'CANCEL',
      attempts: 0,
      next: expect.stringContaining('must not be called'),
    });
  });

  test('tells of a call of long ago what its record knows', async () => {
    expect(await outcomeOf('explain_call', { cd_id: 'a_3' })).toMatchObject({
      success: true,
      ended: true,
      cd_status: 'OK',
    });
  });

  test('knows nobody else’s calls, and no other machines', async () => {
    for (const [cd_id, token] of [
      ['a_3', stranger],
      ['a_99999', demoToken],
      ['b_3', demoToken],
      ['x', demoToken],
    ] as const)
      expect(await call('explain_call', { cd_id }, token)).toMatchObject({
        success: false,
        status_code: 404,
        error: expect.stringContaining(cd_id),
      });
  });
});

describe('campaign_forecast', () => {
  let cp_id: string;
  beforeAll(async () => {
    const numbers = Array.from({ length: 40 }, (_, nth) => `55119876500${String(nth).padStart(2, '0')}`);
    ({ cp_id } = await outcomeOf('create_campaign', {
      name: 'ahead',
      cdlc_id: await aList(on, { numbers }),
      text: 'Oi',
    }));
  });

  test('says when it ends, in figures and in sentences', async () => {
    const told = await outcomeOf('campaign_forecast', { cp_id, answer_rate: 1 });
    expect(told).toMatchObject({
      ...{
        success: true,
        cp_id: Number(cp_id),
        ends: 'completed',
        destinations: 40,
        unreached: 0,
        calls: 40,
        answered: 40,
      },
      ...{
        attempts: 40,
        rates_from: 'given',
        answer_rate: 1,
        ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
      },
    });
    expect(told.summary[0]).toMatch(/^If it is switched on now, its list is dialled through on \d{4}-/);
    const slow = await outcomeOf('campaign_forecast', { cp_id, answer_rate: 1, calls_per_minute: 1 });
    expect(slow.ends_at > told.ends_at).toBe(true);
  });

  test('says why there is none', async () => {
    expect(await call('campaign_forecast', { cp_id }, stranger)).toMatchObject({
      success: false,
      status_code: 404,
    });
    expect(await outcomeOf('campaign_forecast', { cp_id: 1_999_999 })).toMatchObject({
      success: false,
      status_code: 404,
    });
  });
});

describe('lines', () => {
  test('are shown without their credentials, and to their account only', async () => {
    const secret = 'EAAsecretOfTheLine';
    const line = {
      v8l_class: 'msgapp',
      v8l_wa_api_key: secret,
      app_secret: secret,
      v8l_wa_number: '5511900000001',
      active: 0,
    };
    const { v8l_id } = (await on.admin('POST', `/accounts/${demoAccount}/lines`, line)).body;
    const outcome = await outcomeOf('get_msgapp_lines');
    expect(outcome.lines).toContainEqual({
      v8l_id,
      v8l_wa_number: '5511900000001',
      v8l_wa_app_name: '',
      active: false,
    });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect((await call('get_msgapp_lines', {}, stranger)).lines).toEqual([]);
  });

  test('that refuse a message are answered with a sentence', async () => {
    expect(await outcomeOf('send_pagechat', { app_id: 2, dest: '7015550105', mdata: 'x' })).toMatchObject({
      ...{ success: false, status_code: 400, error: expect.stringContaining('24 hours'), messageId: '' },
    });
    expect(await outcomeOf('send_msgapp', { app_id: 999, dest: '5511987650000', mdata: 'x' })).toMatchObject({
      ...{ success: false, status_code: 236, cdls_id: '0' },
    });
  });
});

test('a bad day is an outcome that can be read, and says when to come again', async () => {
  await on.service.engine.stop();
  const answer = await postTool(
    on,
    rpc('tools/call', { name: 'make_tts_call', arguments: { dest: '11987650000', text: 'late' } }),
  );
  expect([answer.http, answer.headers.get('retry-after')]).toEqual([200, expect.stringMatching(/^\d+$/)]);
  expect(answer.body.result).toMatchObject({
    success: false,
    status_code: 503,
    error: expect.stringContaining('try again in'),
    isError: true,
  });
});
