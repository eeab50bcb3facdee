/**
 * Requests that no client library would send, to every door, byte by byte: each is answered, none with a 500, and the
 * service goes on.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../helpers/raw.ts';
import {
  adminToken,
  demoAccount,
  demoToken,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ramal-hostile-'));
let on: TestService;
beforeAll(async () => {
  on = await startTestService({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await on.stop();
  rmSync(dataDir, { recursive: true });
});
// Whatever came before.
afterEach(async () => {
  const { ok } = await fetch(`${on.url}/healthz`);
  if (!ok) throw new Error('the service does not serve any more');
});

/** The statuses of what came back. */
const ask = async (bytes: string, halfClose = false): Promise<number[]> => {
  const { statuses } = await sendRaw(on.url, bytes, { halfClose });
  return statuses;
};

const asAdmin = `Authorization: Bearer ${adminToken}\r\n`;
const asDemo = `Authorization: Bearer ${demoToken}\r\n`;
const head = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;

describe('addresses', () => {
  const digits = '9'.repeat(1_000);
  const ids = [
    '%00',
    '%ff',
    '%',
    '%E0%A4%A',
    '%2e%2e%2f',
    '-1',
    '1e3',
    '0x10',
    '9007199254740993',
    '2147483648',
    digits,
  ];
  const places = [
    (id: string) => `/admin/api/accounts/${id}`,
    (id: string) => `/admin/api/accounts/3/tokens/${id}`,
    (id: string) => `/admin/api/accounts/${id}/machines?kind=call`,
    (id: string) => `/admin/api/machines/a_${id}`,
    (id: string) => `/admin/api/machines/${id}/explain`,
    (id: string) => `/admin/api/sms-routes/${id}`,
    (id: string) => `/admin/api/accounts/3/lists/${id}/rejects`,
    (id: string) => `/hooks/msgapp/${id}`,
    (id: string) => `/hooks/sms/${id}?token=x`,
    (id: string) => `/media/${id}/prompt.wav`,
    (id: string) => `/media/3/${id}.wav?e=1&s=${'A'.repeat(43)}`,
    (id: string) => `/docs/${id}`,
    (id: string) => `/sandbox/graph/v22.0/${id}`,
    (id: string) => `/api/v2/${id}.php`,
    (id: string) => `/mcp/${id}`,
    (id: string) => `/${id}`,
  ];
  test.each(ids)('an id of %s is known nowhere', async (id) => {
    for (const place of places) {
      const [status, ...more] = await ask(head('GET', place(id), asAdmin));
      expect([place(id).slice(0, 60), more]).toEqual([place(id).slice(0, 60), []]);
      expect([200, 400, 401, 404, 405]).toContain(status);
    }
  });

  test.each(['state', 'after', 'before', 'kind', 'limit', 'actor', 'from', 'to', 'cursor', 'number'])(
    'any value of the query parameter %s is refused in order, or taken',
    async (name) => {
      const values = [
        '%00',
        '%ff',
        '%',
        '',
        digits,
        '-1',
        '1e400',
        'NaN',
        'a'.repeat(4_000),
        '%F0%9F%98%80',
        '%ED%A0%80',
      ];
      for (const path of [
        '/admin/api/machines',
        '/admin/api/audit',
        '/admin/api/accounts/3/messages',
        '/admin/api/accounts/3/deliveries',
      ])
        for (const value of values) {
          const [status] = await ask(head('GET', `${path}?${name}=${value}`, asAdmin));
          expect([path, name, value.slice(0, 9), status! < 500]).toEqual([
            path,
            name,
            value.slice(0, 9),
            true,
          ]);
        }
    },
  );

  test.each([
    ['an address that cannot be read', 'http://[::1', 400],
    ['another host', 'http://elsewhere.example/healthz', 200],
    ['no host', 'http:///healthz', 200],
    ['all of it', '*', 404],
    ['two slashes', '//evil.example/docs/', 404],
    ['a percent sign', '/%', 404],
    ['a long query', `/healthz?${'a=%00&'.repeat(2_500)}`, 200],
    ['a query that is too long', `/healthz?${'a'.repeat(20_000)}`, 431],
  ])('%s', async (_, address, status) => {
    expect(await ask(head('GET', address))).toEqual([status]);
  });
});

test('every method at every door is answered', async () => {
  const methods = [
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'M-SEARCH',
    'DELETE',
    'PATCH',
    'PUT',
    'HEAD',
    'SOURCE',
    'UNLINK',
  ];
  const paths = ['/healthz', '/metrics', '/openapi.json', '/admin/api/accounts', '/api/v2/MakeSMS.php', '/mcp', '/hooks/sms/1',
    '/hooks/msgapp/1', '/media/3/x.wav', '/docs', '/docs/viewer.js', '/sandbox/graph/v22.0/1', '/nothing']; // prettier-ignore
  for (const method of methods)
    for (const path of paths) {
      const [status] = await ask(head(method, path, `${asAdmin}Content-Length: 0\r\n`));
      expect([method, path, status! >= 200 && status! < 500]).toEqual([method, path, true]);
    }
});

const post = (headers: string, body: string, path = '/api/v2/MakeSMS.php'): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${asDemo}${headers}\r\n${body}`;

test.each<[what: string, bytes: string, statuses: number[], halfClose?: boolean]>([
  ['HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
  ['a method that is none', 'FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['HTTP/2 as known beforehand', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a tunnel', 'CONNECT localhost:80 HTTP/1.1\r\nHost: a\r\n\r\n', []],
  [
    'an upgrade',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
    [200],
  ],
  ['an expectation', post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'), [100, 400]],
  ['another expectation', post('Expect: wonders\r\nContent-Length: 2\r\n', '{}'), [417]],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), [400]],
  ['a length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), [400]],
  ['a length that is none', post('Content-Length: 1e1\r\n', '{}'), [400]],
  ['NUL in a header', head('GET', '/healthz', 'X: a\0b\r\n'), [400]],
  ['too many headers', head('GET', '/healthz', 'X: y\r\n'.repeat(300)), [200]],
  ['too long headers', head('GET', '/healthz', `X: ${'y'.repeat(20_000)}\r\n`), [431]],
  ['a head that ends in the middle', 'GET /healthz HTTP/1.1\r\nHo', [400], true],
  ['a body that ends in the middle', post('Content-Length: 20\r\n', '{"dest":'), [400], true],
  [
    'chunks with trailers',
    post('Transfer-Encoding: chunked\r\n', '2;x=y\r\n{}\r\n0\r\n__proto__: b\r\nX: c\r\n\r\n'),
    [400],
  ],
  ['chunks without end', post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n'), [400], true],
  [
    'chunks of a size beyond all numbers',
    post('Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\n{}\r\n'),
    [400],
  ],
  [
    'several at once',
    head('GET', '/healthz').replace('Connection: close\r\n', '').repeat(4) + head('GET', '/healthz'),
    [200, 200, 200, 200, 200],
  ],
  ['rubbish after one', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\0\xff\0\xff', [400]],
])('%s is answered as HTTP wants it', async (_, bytes, statuses, halfClose) => {
  expect(await ask(bytes, halfClose)).toEqual(statuses);
});

test('every header with bytes that are no text is taken for what it is, at every door', async () => {
  const names = ['Authorization', 'Accept', 'Content-Type', 'Content-Encoding', 'Cookie', 'Host', 'Idempotency-Key', 'If-None-Match', 'Origin',
    'Range', 'X-Hub-Signature-256', 'Mcp-Protocol-Version', '__proto__', 'Transfer-Encoding']; // prettier-ignore
  const values = ['\xff', '', ',;=', 'multipart/form-data; boundary=', 'bytes=--', 'x'.repeat(8_000)];
  const paths = ['/api/v2/MakeSMS.php', '/api/v2/CreateAudioFile.php', '/mcp', '/admin/api/accounts', '/admin/api/sessions',
    '/hooks/msgapp/1', '/hooks/sms/1?token=x', '/sandbox/graph/v22.0/1/messages', '/media/3/x.wav']; // prettier-ignore
  for (const name of names)
    for (const value of values)
      for (const path of paths) {
        const body = name === 'Transfer-Encoding' ? '' : 'Content-Length: 2\r\n';
        const mine = name === 'Authorization' ? '' : path.startsWith('/admin') ? asAdmin : asDemo;
        const host = name === 'Host' ? '' : 'Host: localhost\r\n';
        const bytes = `POST ${path} HTTP/1.1\r\n${host}Connection: close\r\n${mine}${body}${name}: ${value}\r\n\r\n{}`;
        const { statuses } = await sendRaw(on.url, bytes);
        expect([name, value.slice(0, 20), path, statuses.length > 0 && statuses[0]! < 500]).toEqual([
          name,
          value.slice(0, 20),
          path,
          true,
        ]);
      }
});

test('what is thrown under a door is its 500, with the id of the request', async () => {
  const broken = async (path: string, init: RequestInit = {}): Promise<string> => {
    const answer = await fetch(`${on.url}${path}`, init);
    expect([path, answer.status]).toEqual([path, 500]);
    const text = await answer.text();
    expect(text).toContain(`internal error, incident ${answer.headers.get('x-request-id')}`);
    return text;
  };
  // A token that is not known yet is looked up.
  const bearer = { Authorization: `Bearer ${'x'.repeat(30)}`, 'Content-Type': 'application/json' };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await on.without('tokens', async () => {
    await broken('/api/v2/GetCallStatus.php', { method: 'POST', headers: bearer, body: '{}' });
    await broken('/api/v2/CreateAudioFile.php', { method: 'POST', headers: bearer, body: '{}' });
    await broken('/mcp', { method: 'POST', headers: bearer, body: JSON.stringify(call) });
  });
  await on.without('tariffs', () =>
    broken(`/admin/api/accounts/${demoAccount}/tariffs`, {
      headers: { Authorization: `Bearer ${adminToken}` },
    }),
  );
  const made = await on.post('CreateAudioFile', { text: 'Oi' });
  const listed = await on.admin('GET', `/accounts/${demoAccount}/audios`);
  const { pathname, search } = new URL((listed.body.audios as { url: string }[])[0]!.url);
  expect(made.http).toBe(200);
  const file = join(dataDir, pathname);
  rmSync(file);
  mkdirSync(file);
  await on.broken(() => broken(pathname + search));
});
