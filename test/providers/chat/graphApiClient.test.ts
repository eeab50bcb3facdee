/** The client of the graph API, over real sockets: what each kind of bad day is called. */
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GraphApiRequest } from '../../../src/providers/contracts/chat.ts';
import { openGraphApiClient } from '../../../src/providers/chat/graphApiClient.ts';
import { openGraphApiHttp, type Web } from '../../../src/providers/chat/graphApiHttpTransport.ts';
import { lookup } from '../../helpers/names.ts';

const token = 'EAAGtoken/With+Signs==';

/** Answers every request with these bytes, and counts them. */
let answer = '';
let heard: string[] = [];
let server: Server;
let web: Web;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard.push(data.toString('utf8'));
      if (answer !== 'silence') socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  web = openGraphApiHttp({
    lookup,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
    maxAnswerBytes: 2_000,
  });
});
afterAll(async () => {
  await web.close();
  await new Promise((resolve) => server.close(resolve));
});

const http = (status: number, body: string, headers = '') =>
  `HTTP/1.1 ${status} Status\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}connection: close\r\n\r\n${body}`;

const ask = (of: Partial<GraphApiRequest> = {}, { transport }: Pick<Web, 'transport'> = web) => {
  heard = [];
  const request = { method: 'POST', path: '1055/messages', body: { a: 1 }, token, timeoutMs: 5_000 } as const;
  return openGraphApiClient({ transport, version: 'v22.0' }).ask({ ...request, ...of });
};

const asked = async (reply: string, of: Partial<GraphApiRequest> = {}) => {
  answer = reply;
  return ask(of);
};

test('the request holds the version, the query, and the token in its header alone', async () => {
  const got = await asked(http(200, '{"ok":1}'), { query: { 'a b': 'ç&' } });
  expect(got).toEqual({ outcome: 'ok', http: 200, json: { ok: 1 }, raw: '{"ok":1}' });
  expect(heard[0]).toMatch(/^POST \/base\/v22\.0\/1055\/messages\?a%20b=%C3%A7%26 HTTP\/1\.1\r\n/);
  expect(heard[0]!.split(token)).toHaveLength(2);
  expect(heard[0]).toContain(`authorization: Bearer ${token}\r\n`);
});

test('an id beyond all numbers is read digit by digit', async () => {
  const got = await asked(http(200, '{"id":594425479261596123}'));
  expect(got).toMatchObject({ json: { id: '594425479261596123' } });
});

describe('a no', () => {
  const error = (fields: object) =>
    JSON.stringify({ error: { message: 'm', type: 'x', code: 100, ...fields } });
  test.each([
    [400, error({}), { http: 400, code: 100, text: 'm', transient: false }],
    [400, error({ error_subcode: 33 }), { code: 100, subcode: 33 }],
    [400, error({ error_data: { details: 'd' } }), { text: 'd' }],
    [400, error({ error_data: { details: 'd' }, error_user_msg: 'u' }), { text: 'u' }],
    [500, error({ is_transient: true }), { transient: true }],
    [400, error({ code: 4 }), { transient: true }],
    [200, error({ code: 131000 }), { http: 200, code: 131000 }],
    [503, '<html>no</html>', { http: 503, text: 'the upstream answered HTTP 503' }],
    [500, '', { http: 500, text: 'the upstream answered HTTP 500' }],
    [400, '{"error":"oops"}', { http: 400, text: 'the upstream answered HTTP 400' }],
    [400, '{"error":{"message":5,"code":"7"}}', { http: 400, text: 'the upstream answered HTTP 400' }],
    [401, error({ code: 190, message: `bad ${token}` }), { code: 190, text: 'bad …' }],
    [401, error({ code: 190, message: `bad ${encodeURIComponent(token)}` }), { text: 'bad …' }],
  ])('HTTP %d %s', async (status, body, expected) => {
    const got = await asked(http(status, body));
    expect(got).toMatchObject({ outcome: 'refused', ...expected });
    expect(JSON.stringify(got)).not.toContain(token);
  });

  test('with characters that no database takes is told without them', async () => {
    const sentence = await asked(http(400, '{"error":{"message":"a\\u0000b\\ud800","code":131000}}'));
    expect(sentence).toMatchObject({ code: 131000, text: 'a\uFFFDb\uFFFD' });
    const page = await asked(http(502, `<html>\u0000${'x'.repeat(500)}`));
    expect(page).toMatchObject({ outcome: 'refused', raw: expect.stringMatching(/^<html>\uFFFDx/) });
    expect(await asked(http(200, '{"message_id":"m\\u0000"}'))).toMatchObject({
      json: { message_id: 'm\uFFFD' },
    });
  });

  test('with Retry-After, in seconds or as a date', async () => {
    expect(await asked(http(429, '{}', 'retry-after: 7\r\n'))).toMatchObject({
      transient: true,
      afterMs: 7_000,
    });
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { afterMs } = (await asked(http(429, '{}', `retry-after: ${date}\r\n`))) as { afterMs?: number };
    expect(afterMs).toBeGreaterThan(50_000);
  });

  test('a redirect is not followed', async () => {
    const got = await asked(http(307, '', 'location: http://127.0.0.1:1/\r\n'));
    expect(got).toMatchObject({ outcome: 'refused', http: 307 });
    expect(heard).toHaveLength(1);
  });

  test.each([
    ['a token that fits no header', { token: 'two\r\nlines' }, 190],
    ['no token', { token: '' }, 190],
    ['an id that is none', { path: '../me/messages' }, 100],
    ['an empty id', { path: '/messages' }, 100],
  ])('%s never leaves the house', async (_, of, code) => {
    expect(await asked(http(200, '{}'), of)).toMatchObject({ outcome: 'refused', code });
    expect(heard).toEqual([]);
  });
});

describe('nobody knows', () => {
  test.each([
    ['the connection is cut', ''],
    ['it is cut in the headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['it is cut in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"messages":'],
    ['it is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['200 is no JSON', http(200, '<html></html>')],
    ['200 is a list', http(200, '[1]')],
    ['200 is larger than is read', http(200, JSON.stringify({ a: 'x'.repeat(3_000) }))],
  ])('%s', async (_, reply) => {
    expect(await asked(reply)).toMatchObject({ outcome: 'unknown' });
    expect(heard).toHaveLength(1);
  });

  test('there is no answer in time, or the caller gives up', async () => {
    const late = { outcome: 'unknown', text: 'the upstream did not answer in time' };
    expect(await asked('silence', { timeoutMs: 50 })).toEqual(late);
    const given = await asked('silence', { signal: AbortSignal.timeout(50) });
    expect(given).toMatchObject({ outcome: 'unknown' });
  });
});

test('no connection is surely not heard', async () => {
  const closed = openGraphApiHttp({ url: 'http://127.0.0.1:1', lookup });
  const nameless = openGraphApiHttp({ url: 'http://nowhere.invalid', lookup });
  expect(await ask({}, closed)).toEqual({
    outcome: 'unreachable',
    text: 'the upstream cannot be reached (ECONNREFUSED)',
  });
  expect(await ask({}, nameless)).toMatchObject({ outcome: 'unreachable' });
  await closed.close();
  await nameless.close();
});
