/** The official clients of the tool protocol, of both generations, against the service itself. */
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

/** What both generations have in common here. */
interface AnyClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  getNegotiatedProtocolVersion?(): string | undefined;
  getServerVersion(): { name: string } | undefined;
  close(): Promise<void>;
}
interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: object | undefined;
}

const who = { name: 'tests', version: '1' };
const headers = { authorization: `Bearer ${demoToken}` };

const connect1 = async (): Promise<AnyClient> => {
  const client = new Client1(who);
  await client.connect(new Transport1(new URL(`${on.url}/mcp`), { requestInit: { headers } }));
  return client;
};
const connect2 = (mode: 'legacy' | 'auto' | { pin: string }) => async (): Promise<AnyClient> => {
  const client = new Client2(who, { versionNegotiation: { mode } });
  await client.connect(new Transport2(new URL(`${on.url}/mcp`), { requestInit: { headers } }));
  return client;
};

describe.each([
  ['SDK 1.x, with a handshake', connect1, undefined],
  ['SDK 2.x, with a handshake', connect2('legacy'), '2025-11-25'],
  ['SDK 2.x, negotiating', connect2('auto'), '2026-07-28'],
  ['SDK 2.x, pinned to 2026-07-28', connect2({ pin: '2026-07-28' }), '2026-07-28'],
])('%s', (which, connect, revision) => {
  let client: AnyClient;
  let tools: ListedTool[];
  /** What a call takes for granted, made once. */
  const made: Record<string, string> = {};

  beforeAll(async () => {
    client = await connect();
    ({ tools } = await client.listTools());
  });
  afterAll(() => client.close());

  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { structuredContent, content, ...result } = await client.callTool({ name, arguments: given });
    const outcome = structuredContent as Record<string, unknown>;
    // Clients that only read text, and plain ones that read the top, see the same.
    expect(JSON.parse((content as { text: string }[])[0]!.text)).toEqual(outcome);
    expect(result).toMatchObject(outcome);
    expect(result['isError']).toBe(!outcome['success']);
    return outcome;
  };

  test('knows whom it speaks with, and how', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'ramal' });
    expect(client.getNegotiatedProtocolVersion?.()).toBe(revision);
  });

  test('lists every tool, each with schemas that compile, a title, a description and annotations', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'make_tts_call', 'create_campaign', 'clone_campaign', 'change_campaign', 'get_campaigns_list',
      'create_destination_base', 'get_destination_bases', 'create_audio', 'get_audios', 'get_tts_voices',
      'get_center_queues', 'send_sms', 'get_call_status', 'get_call_digits', 'send_msgapp', 'get_msgapp_templates',
      'send_pagechat', 'send_photodm', 'get_message_status', 'get_msgapp_lines', 'get_pagechat_lines',
      'get_photodm_lines', 'explain_call', 'cancel_call', 'get_skipped_records', 'campaign_forecast',
    ]); // prettier-ignore
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      const ajv = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes: true });
      expect(() => [ajv.compile(inputSchema), ajv.compile(outputSchema!)]).not.toThrow();
      expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  test('calls the tools of telephony [4.1/tools/call]', async () => {
    const placed = await call('make_tts_call', { dest: '11987650001', text: `Oi, ${which}` });
    expect(placed).toMatchObject({ success: true, status: 'OK', cd_id: expect.stringMatching(/^a_\d+$/) });
    made['call'] = placed['cd_id'] as string;
    await on.ended(made['call']);
    expect(await call('get_call_status', { cd_id: made['call'] })).toEqual({
      success: true,
      calls: [
        {
          ...{ cd_id: made['call'], cd_status: 'BUSY', dest: '5511987650001', dur: '0', cdr_url: '' },
          date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      ],
      total: 1,
      pagination: { has_more: false, next_id: '' },
    });
    expect(await call('explain_call', { cd_id: made['call'] })).toMatchObject({
      success: true,
      cd_status: 'BUSY',
    });
    expect(await call('get_tts_voices')).toMatchObject({ success: true, voices: expect.any(Array) });
    expect(await call('get_center_queues')).toEqual({ success: true, status: 'OK', queues: [] });
  });

  test('calls the tools of campaigns', async () => {
    const destinations = [{ phone: '11987650000', name: 'Ana' }, { phone: '11987650100' }];
    const list = await call('create_destination_base', { name: which, destinations });
    expect(list).toMatchObject({ success: true, num_dest: '2', rejected: 0 });
    expect(await call('get_destination_bases', { cdlc_id: Number(list['cdlc_id']) })).toMatchObject({
      lists: [{ cdlc_name: which, cdlc_num: 2 }],
    });
    const campaign = await call('create_campaign', {
      ...{ name: which, cdlc_id: Number(list['cdlc_id']), text: 'Oi', cp_ativo: false },
    });
    expect(campaign).toMatchObject({ success: true, cp_id: expect.any(String) });
    const cp_id = Number(campaign['cp_id']);
    expect(await call('get_campaigns_list', { cp_id })).toMatchObject({
      campaigns: [{ cp_id, cp_destinations: 2 }],
    });
    expect(await call('campaign_forecast', { cp_id })).toMatchObject({
      success: true,
      cp_id,
      destinations: 2,
    });
    expect(await call('change_campaign', { cp_id, lig_min: '60' })).toMatchObject({
      campaigns: [{ cp_id, cp_lig_min: '60' }],
    });
    const clone = await call('clone_campaign', { cp_id, name: `${which}, again` });
    expect(clone).toMatchObject({ success: true });
    expect(clone['cp_id']).not.toBe(campaign['cp_id']);
  });

  test('calls the tools of messages', async () => {
    expect(await call('send_sms', { dest: '11987650000', text: `Oi, ${which}` })).toEqual({
      ...{ success: true, status: 'OK', cdls_id: expect.any(String), message: expect.any(String) },
    });
    const { lines } = await call('get_msgapp_lines');
    expect(lines).toEqual([
      { v8l_id: 1, v8l_wa_number: expect.any(String), v8l_wa_app_name: expect.any(String), active: true },
    ]);
    expect(await call('get_msgapp_templates', { app_id: 1 })).toMatchObject({ success: true, templates: [] });
    for (const [name, app_id] of [
      ['send_msgapp', 1],
      ['send_pagechat', 2],
      ['send_photodm', 3],
    ] as const) {
      const outcome = await call(name, { app_id, dest: '5511987650000', mdata: `Oi, ${which}` });
      expect(outcome).toMatchObject({ success: expect.any(Boolean), cdls_id: expect.anything() });
    }
  });

  test('reads a refusal of the business as a result', async () => {
    expect(await call('send_sms', { dest: '123', text: 'Oi' })).toEqual({
      ...{ success: false, error: expect.stringMatching(/^dest /), status_code: 240, cdls_id: '0' },
    });
  });

  test('hears of an unknown tool as an error', async () => {
    await expect(client.callTool({ name: 'send_fax', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });
});
