/** Whatever is thrown under a request is answered, logged once under the id of the request, and goes no further. */
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type Http, startHttpServer } from '../../src/http/startHttpServer.ts';
import { sendRaw } from '../helpers/raw.ts';

let http: Http;
let lines: { level: number; incident?: string; err?: { message: string } }[] = [];
afterEach(async () => {
  await http.close(0);
  lines = [];
});

const serve = async (door: Middleware): Promise<string> => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  http = await startHttpServer([door], { port: 0, host: '127.0.0.1' }, log);
  return `http://127.0.0.1:${http.port}`;
};

const thrown: [string, () => unknown][] = [
  ['an error', () => new Error('the inside')],
  [
    'an error that Koa would show',
    () => Object.assign(new Error('the inside'), { status: 418, expose: true }),
  ],
  ['a file that is missing', () => Object.assign(new Error('the inside'), { code: 'ENOENT' })],
  ['an error that cannot be changed', () => Object.freeze(new Error('the inside'))],
  ['an error with headers that are none', () => Object.assign(new Error('x'), { headers: { 'a b': '\n' } })],
  ['a text', () => 'the inside'],
  ['nothing', () => undefined],
  ['null', () => null],
  ['an abort', () => new DOMException('the inside', 'AbortError')],
];
test.each(thrown)('%s that is thrown is a 500 with the id of the request', async (_, make) => {
  const url = await serve((ctx) => {
    ctx.set('ETag', '"of another answer"');
    throw make();
  });
  const answer = await fetch(url);
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  expect([answer.status, await answer.json()]).toEqual([500, { error: `internal error, incident ${id}` }]);
  expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  expect(lines.map(({ incident }) => incident)).toEqual([id]);
});

test('a database that is away is a 503, and no news', async () => {
  const url = await serve(() => {
    throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  });
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(lines).toEqual([]);
});

/** A body that gives so many pieces and breaks. */
const breaking =
  (pieces: number): Middleware =>
  (ctx: Context) => {
    ctx.body = Readable.from(
      (async function* () {
        for (let n = 0; n < pieces; n += 1) yield `piece ${n}`;
        // Until what came before has left.
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('the disk is gone');
      })(),
    );
  };

test.each([0, 2])(
  'a stream that breaks after %i pieces cuts the connection, and stands in the log once',
  async (pieces) => {
    const url = await serve(breaking(pieces));
    const { text } = await sendRaw(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(text).not.toMatch(/0\r\n\r\n$/);
    expect(lines.map(({ err }) => err!.message)).toEqual(['the disk is gone']);
    const [, id] = /X-Request-Id: (\w+)/.exec(text) ?? [];
    expect(id).toBe(pieces === 0 ? undefined : lines[0]!.incident);
  },
);

test('an answer that cannot be written is a 500', async () => {
  const circle: { own?: object } = {};
  circle.own = circle;
  const url = await serve((ctx) => void (ctx.body = circle));
  const answer = await fetch(url);
  const id = answer.headers.get('x-request-id');
  expect([answer.status, await answer.json()]).toEqual([500, { error: `internal error, incident ${id}` }]);
  expect(lines.map(({ incident }) => incident)).toEqual([id]);
});

test('no two requests have the same id', async () => {
  const url = await serve((ctx) => void (ctx.body = 'x'));
  const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const { text, statuses } = await sendRaw(url, request.repeat(1_999) + last);
  expect(statuses).toHaveLength(2_000);
  expect(new Set([...text.matchAll(/X-Request-Id: (\w+)/g)].map(([, id]) => id)).size).toBe(2_000);
});
