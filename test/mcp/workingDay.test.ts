/** A working day of an assistant, through the official client: every tool, as one leads to the next. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, demoToken } from '../helpers/service.ts';
import { toolBed } from './bed.ts';

const bed = toolBed();
const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: 'auto' } });
const used = new Set<string>();
beforeAll(async () => {
  const headers = { authorization: `Bearer ${demoToken}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${bed.on.url}/mcp`), { requestInit: { headers } }),
  );
  await client.listTools();
});
afterAll(() => client.close());

// oxlint-disable-next-line typescript/no-explicit-any -- outcomes are compared with literals, key by key
const use = async (name: string, given: Record<string, unknown> = {}): Promise<any> => {
  used.add(name);
  return (await client.callTool({ name, arguments: given })).structuredContent;
};

test('makes an audio, places a call with it, and sees what was pressed', async () => {
  expect((await use('get_tts_voices')).voices.length).toBeGreaterThan(0);
  const audio = await use('create_audio', { text: 'Para confirmar, tecle dois.', name: 'Confirma' });
  expect(audio).toMatchObject({ success: true, cdw_file: expect.stringMatching(/^tf\d+$/) });
  expect(await use('create_audio', { text: 'Para confirmar, tecle dois.', name: 'Confirma' })).toEqual(audio);
  expect(await use('create_audio')).toMatchObject({ status_code: 220, error: 'text or audio64 is required' });
  expect((await use('get_audios', { search: 'confirma' })).audios).toMatchObject([
    { cdw_file: audio.cdw_file, cdw_name: 'Confirma' },
  ]);

  // The sandbox presses 2 when such a number is asked.
  const menu = { type: 3, dtmf2: 'hangup', content: audio.cdw_file };
  const { cd_id } = await use('make_tts_call', { dest: '11987650012', ctid: 'order-17', ...menu });
  await bed.on.ended(cd_id);
  expect(await use('get_call_status', { cd_id })).toMatchObject({ calls: [{ cd_id, cd_status: 'OK' }] });
  expect(await use('get_call_digits', { ctid: 'order-17' })).toMatchObject({
    ...{ total: 1, pagination: { has_more: false } },
    calls: [{ cd_id, ctid: 'order-17', dest: '5511987650012', resp_1: '2', resp_2: '', resp_3: '' }],
  });
  expect(await use('explain_call', { cd_id })).toMatchObject({ success: true, ended: true });
});

test('sees why three numbers of a campaign are not called, and when it will end', async () => {
  const blocklist = `/accounts/${demoAccount}/blocklist`;
  await bed.on.admin('POST', blocklist, { number: '5511987650200' });
  const destinations = [
    { phone: '11987650100', name: 'Ana' },
    { phone: '11 98765-0100', name: 'Ana again' },
    { phone: '11987650200', name: 'Bia' },
    { phone: '123', name: 'Caio' },
  ];
  const list = await use('create_destination_base', { name: 'Today', destinations });
  const cdlc_id = Number(list.cdlc_id);
  expect((await use('get_destination_bases', { cdlc_id })).lists).toMatchObject([{ cdlc_num: 3 }]);
  const campaign = await use('create_campaign', { name: 'Today', cdlc_id, text: 'Oi <NOME>' });
  const cp_id = Number(campaign.cp_id);
  const skipped = () => use('get_skipped_records', { cp_id });
  await expect.poll(async () => (await skipped()).records.length).toBe(2);
  expect(await skipped()).toEqual({
    success: true,
    skipped_by_reason: { blocklist: 1, duplicate: 1 },
    records: [
      {
        ...{ row: 2, numbers: '5511987650100', name: 'Ana again', reason: 'duplicate' },
        why: 'Another record of the list has the same number.',
      },
      {
        ...{ row: 3, numbers: '5511987650200', name: 'Bia', reason: 'blocklist' },
        why: 'The number is on a block list and must not be called.',
      },
    ],
    rejected: [{ row: 4, content: expect.stringContaining('123'), why: expect.stringMatching(/\w+ \w+/) }],
    next_row: 0,
  });
  expect(await use('get_campaigns_list', { cp_id })).toMatchObject({ campaigns: [{ cp_destinations: 1 }] });
  expect(await use('campaign_forecast', { cp_id })).toMatchObject({ success: true, destinations: 1 });
  expect(await use('change_campaign', { cp_id, lig_min: '60' })).toMatchObject({ success: true });
  expect(await use('clone_campaign', { cp_id, name: 'Tomorrow' })).toMatchObject({ success: true });
  expect(await use('get_center_queues')).toMatchObject({ success: true });
  await bed.on.admin('DELETE', `${blocklist}/5511987650200`);
});

test('calls off a call that was placed for later, once', async () => {
  const block = '2027-01-01 10:00';
  const { cd_id } = await use('make_tts_call', { dest: '11987650300', text: 'Oi', block });
  expect(await use('cancel_call', { cd_id })).toMatchObject({ success: true, cd_id });
  expect(await bed.on.ended(cd_id)).toMatchObject({ cd_status: 'CANCEL' });
  expect(await use('cancel_call', { cd_id })).toMatchObject({
    ...{ success: false, status_code: 409, error: expect.stringContaining('has ended') },
  });
  // What is no call is none, though a machine has this id.
  expect(await use('cancel_call', { cd_id: 'a_1' })).toMatchObject({ status_code: 404 });
});

test('sends by every channel and reads what became of it', async () => {
  const { cdls_id } = await use('send_sms', { dest: '11987650400', text: 'Oi' });
  const state = async () => (await use('get_message_status', { cdls_id })).state;
  await expect.poll(state).toBe('delivered');
  expect(await use('get_message_status', { cdls_id })).toMatchObject({
    ...{ success: true, cdls_id, channel: 'sms', dest: '5511987650400', next: 'Nothing is left to do.' },
    history: expect.arrayContaining([{ status: 'delivered', at: expect.any(String) }]),
    explanation: [
      'It was delivered.',
      'A sandbox carries it: it reaches no telephone and no network outside.',
      'Times are those of America/Sao_Paulo.',
    ],
  });
  const refused = await use('send_sms', { dest: '11987650409', text: 'Oi' });
  const why = async () => await use('get_message_status', { cdls_id: refused.cdls_id, lang: 'pt' });
  await expect.poll(async () => (await why()).state).toBe('failed');
  expect(await why()).toMatchObject({
    explanation: expect.arrayContaining([expect.stringContaining('o SMS para 5511987650409: ')]),
    next: expect.stringMatching(/antes de enviar de novo\.$/),
  });
  expect(await use('get_msgapp_templates', { app_id: 1 })).toMatchObject({ success: true });
  for (const [channel, key, dest] of [
    ['msgapp', 'v8l_wa_number', '5511987650000'],
    ['pagechat', 'v8l_fb_page_id', '7015550100'],
    ['photodm', 'v8l_ig_account_id', '17841400000000100'],
  ] as const) {
    const { lines } = await use(`get_${channel}_lines`);
    expect(lines).toEqual([expect.objectContaining({ [key]: expect.any(String), active: true })]);
    expect(JSON.stringify(lines)).not.toMatch(/key|secret|token/);
    const sent = await use(`send_${channel}`, { app_id: lines[0].v8l_id, dest, mdata: 'Oi' });
    const told = await use('get_message_status', { cdls_id: String(sent.cdls_id) });
    expect(told).toMatchObject({ success: true, channel, dest });
  }
});

test('a Brazilian number without 55 does not go abroad in a chat app', async () => {
  const send = (dest: string) => use('send_msgapp', { app_id: 1, dest, mdata: `Oi, ${dest}` });
  const destOf = async (sent: { cdls_id: string }) =>
    (await use('get_message_status', { cdls_id: sent.cdls_id })).dest;
  for (const dest of ['11987650000', '(11) 98765-0000', '011987650000', '1132654321']) {
    const sent = await send(dest);
    expect(sent).toMatchObject({
      success: true,
      warning: expect.stringContaining('taken for the Brazilian'),
    });
    expect(await destOf(sent)).toMatch(/^5511(987650000|32654321)$/);
  }
  expect(await destOf(await send('+15550783881'))).toBe('15550783881');
  expect(await send('51987654321')).toMatchObject({
    ...{ success: false, status_code: 230 },
    error:
      'dest 51987654321 is a number of Brazil and of another country: write 5551987654321 or +51987654321',
  });
});

test('uses every tool that is listed, and the list is short', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  const bytesOf = (some: typeof tools): number => Buffer.byteLength(JSON.stringify(some));
  const later =
    /^(get_(call_digits|audios|skipped_records|message_status|(pagechat|photodm)_lines)|create_audio|cancel_call)$/;
  const first = tools.filter(({ name }) => !later.test(name));
  // These 18 took 63,287 bytes once; now they take half of it.
  expect([first.length, Math.max(31_643, bytesOf(first))]).toEqual([18, 31_643]);
  expect([tools.length, Math.max(38_400, bytesOf(tools))]).toEqual([26, 38_400]);
});

test('another account finds nothing of all this', async () => {
  const { rows: calls } = await bed.on.database.pool.query<{ id: string }>('SELECT id::text FROM calls');
  const { rows: sent } = await bed.on.database.pool.query<{ id: string }>('SELECT id::text FROM messages');
  const { rows: made } = await bed.on.database.pool.query<{ id: string }>('SELECT id::text FROM campaigns');
  const asked = [
    ...calls.map(({ id }) => ['cancel_call', { cd_id: `a_${id}` }] as const),
    ...sent.map(({ id }) => ['get_message_status', { cdls_id: id }] as const),
    ...made.map(({ id }) => ['get_skipped_records', { cp_id: Number(id) }] as const),
  ];
  expect(asked.length).toBeGreaterThan(8);
  for (const [name, given] of asked)
    expect((await bed.call(name, given, bed.stranger)).structuredContent).toMatchObject({ status_code: 404 });
  for (const name of ['get_call_digits', 'get_audios', 'get_pagechat_lines', 'get_photodm_lines'])
    expect(JSON.stringify((await bed.call(name, {}, bed.stranger)).structuredContent)).toMatch(/:\[\]/);
});
