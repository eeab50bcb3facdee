import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { startHttpServer } from '../../src/http/startHttpServer.ts';
import { openLog } from '../../src/log.ts';
import { eventually } from '../helpers/patience.ts';

const log = pino({ level: 'silent' });

test('a port that is taken is named', async () => {
  const first = await startHttpServer([], { port: 0, host: '127.0.0.1' }, log);
  await expect(startHttpServer([], { port: first.port, host: '127.0.0.1' }, log)).rejects.toThrow(
    `PORT ${first.port} of HOST 127.0.0.1 is taken by another program`,
  );
  await first.close(0);
});

test('an address that is not ours is named', async () => {
  await expect(startHttpServer([], { port: 0, host: '192.0.2.1' }, log)).rejects.toThrow(
    /^PORT 0 of HOST 192\.0\.2\.1 cannot be listened on: .*EADDRNOTAVAIL/,
  );
});

test('a client that hangs up in the middle of its body is no news', async () => {
  const lines: string[] = [];
  const told = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  let ended: (() => void) | undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  const reads = async (ctx: { req: AsyncIterable<unknown> }) => {
    try {
      for await (const _ of ctx.req);
    } finally {
      ended?.();
    }
  };
  const http = await startHttpServer([reads], { port: 0, host: '127.0.0.1' }, told);
  const client = connect(http.port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n');
  client.end();
  client.resume();
  await once(client, 'close');
  await over;
  await http.close(0);
  expect(lines).toEqual([]);
});

test('a request whose client has gone is waited for: what it does still needs the database', async () => {
  const events = new EventEmitter();
  const done = once(events, 'done');
  const works = async () => {
    events.emit('asked');
    await done;
  };
  const http = await startHttpServer([works], { port: 0, host: '127.0.0.1' }, log);
  const asked = once(events, 'asked');
  const client = connect(http.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await asked;
  client.destroy();
  await once(client, 'close');
  const closed = vi.fn<() => void>();
  const closing = http.close(60_000).then(closed);
  const another = connect(http.port, '127.0.0.1');
  const [refused] = (await once(another, 'error')) as [NodeJS.ErrnoException];
  expect(refused.code).toBe('ECONNREFUSED');
  expect(closed).not.toHaveBeenCalled();
  events.emit('done');
  await closing;
});

test.each([
  ['chunks that are none', 'Transfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n'],
  ['more than it announced', 'Content-Length: 2\r\n\r\n{}{}'],
])('a client that sends %s is no news, and its token stands in no log', async (_, rest) => {
  const lines: string[] = [];
  const told = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const reads = async (ctx: Context) => {
    for await (const part of ctx.req) ctx.body = String(part);
  };
  const http = await startHttpServer([reads], { port: 0, host: '127.0.0.1' }, told);
  const client = connect(http.port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer hunter2\r\n${rest}`);
  let answer = '';
  client.on('data', (part) => (answer += part.toString()));
  await once(client, 'close');
  await http.close(0);
  expect(answer).toContain('HTTP/1.1 400 Bad Request');
  expect(lines).toEqual([]);
});

test('what Node says of a request that it could not read is kept out of the log', () => {
  const lines: string[] = [];
  const told = openLog('info', { write: (line: string) => void lines.push(line) });
  told.error({ err: Object.assign(new Error('broken'), { rawPacket: Buffer.from('hunter2') }) }, 'broken');
  expect(lines.join()).toContain('"rawPacket":"[secret]"');
});

test('a client that never ends its headers, or its body, is cut off and keeps nobody waiting', async () => {
  const reads = async (ctx: Context) => {
    for await (const _ of ctx.req);
    ctx.body = 'whole';
  };
  const patience = { headersMs: 200, requestMs: 300, unreadMs: 30_000, lookMs: 20 };
  const http = await startHttpServer([reads], { port: 0, host: '127.0.0.1' }, log, patience);
  const slow = async (begin: string): Promise<string> => {
    const client = connect(http.port, '127.0.0.1');
    let told = '';
    client.on('data', (part) => (told += part.toString()));
    client.on('error', () => {});
    client.write(begin);
    await once(client, 'close');
    return told.split('\r\n')[0]!;
  };
  const slowly = Array.from({ length: 50 }, () => slow('POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '));
  slowly.push(slow('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'));
  expect(await (await fetch(`http://127.0.0.1:${http.port}/`, { method: 'POST', body: 'x' })).text()).toBe(
    'whole',
  );
  expect(new Set(await Promise.all(slowly))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  await http.close(0);
});

describe('an answer that waits to be taken', () => {
  const patience = { headersMs: 20_000, requestMs: 300_000, unreadMs: 300, lookMs: 20 };
  /** Larger than what two kernels keep between them. */
  const bytes = 100_000_000;
  const part = Buffer.alloc(64 * 1024, 'a');

  const serving = async (unreadMs = patience.unreadMs) => {
    const letGo: string[] = [];
    const http = await startHttpServer(
      [
        async (ctx) => {
          if (ctx.path === '/thinks') await new Promise((resolve) => setTimeout(resolve, 900));
          const whole = { '/whole': Buffer.alloc(bytes, 'a'), '/thinks': Buffer.from('thought') }[ctx.path];
          ctx.res.once('close', () => letGo.push(ctx.path));
          ctx.body = whole ?? Readable.from(Array.from({ length: bytes / part.length }, () => part));
        },
      ],
      { port: 0, host: '127.0.0.1' },
      log,
      { ...patience, unreadMs },
    );
    return { http, letGo, url: `http://127.0.0.1:${http.port}` };
  };

  const ask = async (port: number, path: string): Promise<Socket> => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(client, 'data');
    return client;
  };

  test.each(['/parts', '/whole'])('is let go when nothing of it is: %s', async (path) => {
    const { http, letGo } = await serving();
    const client = await ask(http.port, path);
    client.pause();
    await eventually(() => expect(letGo).toEqual([path]));
    client.resume();
    if (!client.destroyed) await once(client, 'close');
    expect(client.bytesRead).toBeLessThan(bytes);
    await http.close(0);
  });

  test.each(['/parts', '/whole'])(
    'goes on while something of it is, however little at a time: %s',
    async (path) => {
      // Long enough that a machine that is busy elsewhere does not keep the reader from reading.
      const unreadMs = 2_000;
      const { http } = await serving(unreadMs);
      const client = await ask(http.port, path);
      client.on('data', () => {
        client.pause();
        setTimeout(() => client.resume(), 2);
      });
      await once(client, 'data');
      const began = client.bytesRead;
      const from = performance.now();
      await eventually(() => expect(performance.now() - from).toBeGreaterThan(1.5 * unreadMs));
      expect(client.destroyed).toBe(false);
      expect(client.bytesRead).toBeGreaterThan(began);
      client.destroy();
      await http.close(0);
    },
  );

  test('is not one that is still being made', async () => {
    const { http, url } = await serving();
    expect(await (await fetch(`${url}/thinks`)).text()).toBe('thought');
    await http.close(0);
  });
});

test('a body that falls silent is cut off, and one that goes on is read', async () => {
  const reads = async (ctx: Context) => {
    for await (const _ of ctx.req);
    ctx.body = 'whole';
  };
  const patience = {
    headersMs: 60_000,
    requestMs: 60_000,
    lookMs: 20,
    unreadMs: 60_000,
    pace: { silentMs: 300 },
  };
  const http = await startHttpServer([reads], { port: 0, host: '127.0.0.1' }, log, patience);
  const client = connect(http.port, '127.0.0.1');
  let told = '';
  client.on('data', (part) => (told += part.toString()));
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd');
  await expect.poll(() => told).toContain('whole');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n');
  await once(client, 'close');
  await http.close(0);
  expect(told).toContain('HTTP/1.1 408 Request Timeout');
});
