/** MakePageChat and MakePhotoDm (spec 4.20, 4.21) through the REST door, against a strict upstream over HTTP. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GraphServer, graphError, graphToken, startGraphServer } from '../helpers/graphServer.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let upstream: GraphServer;
let on: TestService;

const pageId = '7015550100';
const photoId = '17841400000000100';
const to = '90015550100';
const link = 'https://files.example/a.png';

const makeLine = async (body: object): Promise<number> =>
  (await on.admin('POST', `/accounts/${demoAccount}/lines`, { v8l_wa_api_key: graphToken, ...body })).body
    .v8l_id;
const lines: Record<string, number> = {};

beforeAll(async () => {
  upstream = await startGraphServer();
  on = await startTestService({ GRAPH_URL: upstream.url });
  lines['MakePageChat'] = await makeLine({ v8l_class: 'pagechat', v8l_fb_page_id: pageId });
  lines['MakePhotoDm'] = await makeLine({ v8l_class: 'photodm', v8l_ig_account_id: photoId });
});
afterAll(async () => {
  await on.stop();
  await upstream.stop();
});
afterEach(() => upstream.check());

const send = (
  operation: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<RestAnswer> =>
  on.post(operation, { app_id: lines[operation], dest: to, mdata: 'We have your message', ...body }, headers);

const logOf = async ({ body }: RestAnswer) =>
  (await on.database.prisma.message.findFirst({
    where: { account_id: demoAccount, id: body.return.cdls_id },
  }))!;

const addressed = (message: object) => ({ recipient: { id: to }, messaging_type: 'RESPONSE', message });

describe.each([
  ['MakePageChat', 'pagechat', pageId, 2_000],
  ['MakePhotoDm', 'photodm', photoId, 1_000],
])('%s', (operation, channel, edge) => {
  test('sends text by default and answers with numbers [4.20/success] [4.21/success] [4.20/dest] [4.21/dest] [4.20/msg_id] [4.21/msg_id] [4.20/mdata] [4.21/mdata]', async () => {
    const answer = await send(operation, { msg_id: 'm-1' });
    expect(answer.http).toBe(200);
    expect(answer.body.return).toEqual({
      status: 'OK',
      status_code: 200,
      messageId: expect.stringMatching(/^m_\d+$/),
      cdls_id: expect.any(Number),
      warning: expect.stringContaining('24 hours'),
    });
    expect(upstream.seen).toMatchObject([
      { path: `${edge}/messages`, body: addressed({ text: 'We have your message' }) },
    ]);
    expect(await logOf(answer)).toMatchObject({
      ...{ channel, sender: edge, destination: to, related: 'm-1', content_type: 'text', price: 0n },
      ...{ state: 'acknowledged', provider_id: answer.body.return.messageId },
    });
  });

  test.each(['image', 'audio', 'video'])(
    'sends an attachment: %s [4.20/mtype] [4.21/mtype]',
    async (mtype) => {
      await send(operation, { mtype, mdata: link, app_id: undefined, v8l_id: lines[operation] });
      const attachment = { type: mtype, payload: { url: link } };
      expect(upstream.seen[0]!.body).toEqual(addressed({ attachment }));
    },
  );

  test('tells a failure with ERROR, 400, and where to look [4.20/failure]', async () => {
    upstream.next(graphError(400, 10, '(#10) outside the allowed window', { error_subcode: 2018278 }));
    const answer = await send(operation);
    expect(answer.http).toBe(400);
    expect(answer.body.return).toEqual({
      status: 'ERROR',
      status_code: 400,
      messageId: '',
      cdls_id: expect.any(Number),
      warning: expect.stringContaining('24 hours'),
    });
    expect(await logOf(answer)).toMatchObject({
      state: 'failed',
      outcome_code: '10',
      raw_answer: expect.stringContaining('2018278'),
    });
  });

  test('an Idempotency-Key is answered as before, warning and all, also when it failed', async () => {
    for (const [key, failure] of [
      ['taken', undefined],
      ['failed', graphError(400, 10, 'closed')],
    ] as const) {
      if (failure) upstream.next(failure);
      const headers = { 'Idempotency-Key': `${operation} ${key}` };
      const [first, again] = [await send(operation, {}, headers), await send(operation, {}, headers)];
      expect(first.body.return.warning).toContain('24 hours');
      expect([again.http, again.body]).toEqual([first.http, first.body]);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    }
    expect(upstream.seen).toHaveLength(2);
    const key = { 'Idempotency-Key': `${operation} raced` };
    const raced = await Promise.all([1, 2, 3, 4].map(() => send(operation, { mdata: 'raced' }, key)));
    expect(new Set(raced.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('does not warn who is written to within 24 hours of their last word [4.20/window] [8/reply window]', async () => {
    const hour = 3_600_000;
    const key = { account_id: demoAccount, line_id: lines[operation]!, contact: to };
    const heardBefore = (hours: number) =>
      on.database.prisma.conversation.upsert({
        where: { account_id_line_id_contact: key },
        create: { ...key, heard_at: Date.now() - hours * hour },
        update: { heard_at: Date.now() - hours * hour },
      });
    await heardBefore(23);
    expect((await send(operation)).body.return.warning).toBeUndefined();
    await heardBefore(25);
    expect((await send(operation)).body.return.warning).toContain('24 hours');
    await on.database.prisma.conversation.deleteMany({ where: key });
  });

  test('an answer that never comes is ERROR, and the message is not sent again', async () => {
    upstream.next({ cut: 'unanswered' });
    const answer = await send(operation);
    expect([answer.http, answer.body.return.status_code, answer.body.return.messageId]).toEqual([
      400,
      400,
      '',
    ]);
    expect(answer.body.return.status).toBe('ERROR');
    expect(answer.body.return.warning).toMatch(/24 hours.*; outcome unknown, do not send again$/);
    expect(await logOf(answer)).toMatchObject({ state: 'unknown', outcome_code: 'unknown' });
    const path = `/accounts/${demoAccount}/messages/${answer.body.return.cdls_id}`;
    expect((await on.admin('GET', path)).body).toMatchObject({ status: 'unknown' });
    expect(upstream.seen).toHaveLength(1);
  });

  test('a tool says of such a message that nobody knows, and nothing else', async () => {
    const { token } = (
      await on.admin('POST', `/accounts/${demoAccount}/tokens`, {
        permissions: { enabled: true, apis: { pagechat: true, photodm: true } },
      })
    ).body;
    const name = operation === 'MakePageChat' ? 'send_pagechat' : 'send_photodm';
    const call = async () => {
      const params = { name, arguments: { app_id: lines[operation], dest: to, mdata: 'hello' } };
      const response = await fetch(`${on.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return ((await response.json()) as { result: { error: string } }).result.error;
    };
    upstream.next({ cut: 'unanswered' }, graphError(400, 10, 'closed'));
    expect(await call()).toContain('it is not known whether the upstream took the message');
    expect(await call()).toContain('the upstream refused the message');
  });

  test.each([
    ['no app_id', { app_id: undefined }, 210],
    ['no dest', { dest: '' }, 220],
    ['no mdata', { mdata: '' }, 225],
    ['a dest of blanks', { dest: '  ' }, 220],
    ['an mdata of blanks', { mdata: ' \n' }, 225],
    ['a line of nobody', { app_id: 9_999_999 }, 230],
    ['a line that can be none', { app_id: 0 }, 230],
    ['a line that can be none, as text', { app_id: '-3' }, 230],
    ['a file that is no address', { mtype: 'image', mdata: 'a.png' }, 299],
    ['an unknown mtype', { mtype: 'sticker' }, 299],
    ['text that is too long', { mdata: 'é'.repeat(2_001) }, 299],
    ['what is longer than anything', { mdata: 'x'.repeat(40_001) }, 299],
  ])(
    'refuses %s [7/pagechat/210..225] [7/photodm/210..225] [4.20/app_id] [4.21/app_id]',
    async (_, body, code) => {
      const answer = await send(operation, body);
      expect([answer.http, answer.body.return.status_code]).toEqual([400, code]);
      expect(answer.body.return).toMatchObject({ messageId: '', cdls_id: 0 });
      expect(upstream.seen).toEqual([]);
    },
  );

  test('refuses a line of the other class, an inactive one, and one without a token [7/pagechat/230..234] [7/photodm/230..233]', async () => {
    const other = operation === 'MakePageChat' ? 'MakePhotoDm' : 'MakePageChat';
    const where = { v8l_class: channel, v8l_fb_page_id: pageId, v8l_ig_account_id: photoId };
    const inactive = await makeLine({ ...where, active: 0 });
    const mute = await makeLine({ ...where, v8l_wa_api_key: '' });
    const codes = [];
    for (const app_id of [lines[other], inactive, mute])
      codes.push((await send(operation, { app_id })).body.return.status_code);
    expect(codes).toEqual([230, 230, 233]);
  });

  test('refusals of access are numbers, too', async () => {
    const answer = await on.post(operation, { tsid: 'short' });
    expect([answer.http, answer.body.return.status_code]).toEqual([401, 100]);
  });
});

test('a document is a file, and its caption stays here [4.20/mcaption]', async () => {
  for (const mtype of ['file', 'document']) await send('MakePageChat', { mtype, mdata: link, mcaption: 'x' });
  const attachment = { type: 'file', payload: { url: link } };
  expect(upstream.seen.map(({ body }) => body.message)).toEqual([{ attachment }, { attachment }]);
  expect((await send('MakePhotoDm', { mtype: 'file', mdata: link })).body.return.status_code).toBe(299);
});

test('a page takes 2,000 characters, a photo account 1,000 bytes', async () => {
  expect((await send('MakePageChat', { mdata: 'é'.repeat(2_000) })).http).toBe(200);
  expect((await send('MakePhotoDm', { mdata: 'é'.repeat(500) })).http).toBe(200);
  expect((await send('MakePhotoDm', { mdata: 'é'.repeat(501) })).body.return.status_code).toBe(299);
});

test('a line without its page is 234; one without its photo account is 230, and says so', async () => {
  const page = await makeLine({ v8l_class: 'pagechat' });
  const photo = await makeLine({ v8l_class: 'photodm' });
  expect((await send('MakePageChat', { app_id: page })).body.return.status_code).toBe(234);
  const answer = await send('MakePhotoDm', { app_id: photo });
  expect(answer.body.return).toMatchObject({
    status_code: 230,
    status: expect.stringContaining('v8l_ig_account_id'),
  });
});

test('a page that is slow is answered WR, with a number', async () => {
  upstream.next({ status: 200, json: { recipient_id: to, message_id: 'm_late' }, afterMs: 4_400 });
  const answer = await send('MakePageChat');
  expect([answer.http, answer.body.return]).toEqual([
    200,
    expect.objectContaining({ status: 'WR', status_code: 1, messageId: '', cdls_id: expect.any(Number) }),
  ]);
  await expect.poll(() => logOf(answer)).toMatchObject({ provider_id: 'm_late' });
});
