/** What the tools take and answer (spec 4.1; docs/decisions/0016). */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { demoAccount, demoToken } from '../helpers/service.ts';
import { postTool, rpc, toolBed } from './bed.ts';

const bed = toolBed();
const { call, outcomeOf } = bed;

describe('a declaration', () => {
  test('has an example that its schema takes, and failures that its schema takes', async () => {
    const { tools } = (await postTool(bed.on, rpc('tools/list'))).body.result;
    const ajv = new Ajv2020();
    for (const { name, inputSchema } of tools)
      expect([name, inputSchema.examples.map((one: object) => ajv.validate(inputSchema, one))]).toEqual([
        name,
        [true],
      ]);
    const entries = operations.flatMap((op) => (op.tools ?? []).map((entry) => ({ op, entry })));
    expect(entries.length).toBe(tools.length - 8);
    for (const { op, entry } of entries) {
      const { outputSchema } = tools.find(({ name }: { name: string }) => name === entry.name);
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
  test('may be a text that is to be cut, whatever its length', async () => {
    const given = { dest: '11987650000', text: 'x'.repeat(161), cut_text: true };
    const { tools } = (await postTool(bed.on, rpc('tools/list'))).body.result;
    const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'send_sms');
    expect(new Ajv2020().validate(inputSchema, given)).toBe(true);
    expect(await outcomeOf('send_sms', given)).toMatchObject({ success: true });
    expect(await outcomeOf('send_sms', { ...given, cut_text: false })).toMatchObject({ status_code: 238 });
  });

  test('that a tool does not have are refused, and it names those it has', async () => {
    const before = await bed.on.database.prisma.message.count();
    expect(
      await outcomeOf('send_sms', { dest: '11987650000', text: 'x', send_at: 'tomorrow', tsid: 'x' }),
    ).toEqual({
      success: false,
      error: expect.stringMatching(/"send_at", "tsid"; it takes dest, text, ctid/),
      status_code: 299,
    });
    expect(await bed.on.database.prisma.message.count()).toBe(before);
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

  test('are never asked for what they would be as text or as a number', async () => {
    for (const odd of [{ toString: [] }, { valueOf: 1, toString: 1 }, ['true'], [1], {}]) {
      expect(await outcomeOf('clone_campaign', { cp_id: 1, cp_ativo: odd })).toMatchObject({
        status_code: 299,
        error: 'cp_ativo must be true or false',
      });
      expect(await outcomeOf('get_call_status', { max_records: odd, only_dtmf: odd })).toMatchObject({
        ...{ success: true, calls: [], warning: expect.stringMatching(/^(max_records|only_dtmf) must be/) },
      });
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
    const sent = await bed.on.database.prisma.message.findFirst({
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

test('examples work as they stand in a new service, but for those that name what somebody made', async () => {
  const { tools } = (await postTool(bed.on, rpc('tools/list'))).body.result;
  const namesSomething =
    /^(create_campaign|clone_campaign|change_campaign|campaign_forecast|(explain|cancel)_call|get_(message_status|skipped_records))$/;
  for (const { name, inputSchema } of tools)
    if (!namesSomething.test(name))
      expect([name, await outcomeOf(name, inputSchema.examples[0])]).toEqual([
        name,
        expect.objectContaining({ success: true }),
      ]);
  for (const { name, example } of operations)
    if (/^(Get|Make(Page|Photo))/.test(name))
      expect([name, (await bed.on.post(name, { ...example.request, tsid: demoToken })).http]).toEqual([
        name,
        200,
      ]);
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
    const { v8l_id } = (await bed.on.admin('POST', `/accounts/${demoAccount}/lines`, line)).body;
    const outcome = await outcomeOf('get_msgapp_lines');
    expect(outcome.lines).toContainEqual({
      v8l_id,
      v8l_wa_number: '5511900000001',
      v8l_wa_app_name: '',
      active: false,
    });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect((await call('get_msgapp_lines', {}, bed.stranger)).lines).toEqual([]);
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
  await bed.on.service.engine.stop();
  const answer = await postTool(
    bed.on,
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
