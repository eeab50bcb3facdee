import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SlowClients } from '../../src/http/closeSlowRequestSenders.ts';
import { operations } from '../../src/operations/index.ts';
import { requestTimeoutBody } from '../../src/http/requestTimeoutBody.ts';
import { holdToDeclaration } from '../helpers/answers.ts';

/** The clock of the test, milliseconds. */
let now = 0;
let slow: SlowClients;
let server: Server;
let reads = true;
/** Of a request to `/held`, which is not answered by itself. */
let held: ServerResponse | undefined;
const clients: Socket[] = [];
/** Bytes of bodies that the server has read. */
let read = 0;
const requests: IncomingMessage[] = [];

beforeEach(async () => {
  now = 0;
  read = 0;
  reads = true;
  requests.length = 0;
  slow = new SlowClients({
    pace: { silentMs: 10_000, paceMs: 20_000, leastBytes: 1024, mostOfOne: 10, youngMs: 2_000 },
    groupOf: ({ remoteAddress }) => (remoteAddress === '127.0.0.9' ? undefined : remoteAddress),
    sentence: ({ url }) => JSON.stringify({ error: `${url} was silent` }),
    now: () => now,
  });
  server = createServer((request, response) => {
    requests.push(request);
    slow.requested(request, response);
    if (request.url === '/held') return void (held = response);
    if (reads) request.on('data', (chunk: Buffer) => (read += chunk.length));
    request.on('end', () => response.end('whole'));
    request.on('error', () => {});
  });
  server.on('connection', (socket) => slow.connected(socket));
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

interface Client {
  socket: Socket;
  /** What it was told; the connection is closed then. */
  told: Promise<string>;
}

const client = (localAddress = '127.0.0.1'): Client => {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  clients.push(socket);
  let told = '';
  socket.on('data', (part) => (told += part.toString()));
  socket.on('error', () => {});
  return { socket, told: once(socket, 'close').then(() => told) };
};
const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
const begun = async (length: number, bytes: string): Promise<Client> => {
  const before = read;
  const one = client();
  one.socket.write(head(length) + bytes);
  await expect.poll(() => read).toBe(before + bytes.length);
  return one;
};
/** Lets the clock go on, looking every second. */
const pass = (ms: number): void => {
  for (const until = now + ms; now < until;) {
    now += 1_000;
    slow.look();
  }
};

test('a body that is silent for ten seconds is answered 408 and cut off', async () => {
  const one = await begun(100_000, 'x'.repeat(50_000));
  pass(10_000);
  expect(slow.waiting).toBe(1);
  pass(2_000);
  expect(await one.told).toBe(
    [
      'HTTP/1.1 408 Request Timeout',
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      'Content-Length: 24',
      '',
      '{"error":"/ was silent"}',
    ].join('\r\n'),
  );
  expect(slow.waiting).toBe(0);
});

test('a body of a byte a second is cut off, one of a hundred bytes a second is not', async () => {
  const one = await begun(100_000, 'x');
  const other = await begun(100_000, 'x');
  for (let second = 0; second < 25; second += 1) {
    const before = read;
    other.socket.write('y'.repeat(100));
    if (second < 20) one.socket.write('x');
    await expect.poll(() => read).toBe(before + 100 + (second < 20 ? 1 : 0));
    pass(1_000);
  }
  expect(await one.told).toMatch(/^HTTP\/1\.1 408 /);
  expect(slow.waiting).toBe(1);
});

test('what the service has not read yet is no silence of the client', async () => {
  reads = false;
  const one = client();
  one.socket.write(head(100_000) + 'x'.repeat(50_000));
  await expect.poll(() => slow.waiting).toBe(1);
  await expect.poll(() => requests.at(-1)?.readableLength ?? 0).toBeGreaterThan(0);
  pass(60_000);
  expect([one.socket.destroyed, slow.waiting]).toEqual([false, 1]);
});

test('a whole request, one without a body, and an idle connection are let be', async () => {
  const one = client();
  one.socket.write(head(3) + 'abc');
  await once(one.socket, 'data');
  one.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(one.socket, 'data');
  pass(120_000);
  expect(one.socket.destroyed).toBe(false);
  one.socket.write(head(3) + 'abc');
  await once(one.socket, 'data');
});

test('of too many connections of one address without a whole request the oldest go, and others stay', async () => {
  const others = [client('127.0.0.2'), client('127.0.0.9')];
  await Promise.all(others.map(({ socket }) => once(socket, 'connect')));
  const held = Array.from({ length: 10 }, () => client());
  await expect.poll(() => slow.waiting).toBe(12);
  pass(3_000);
  const served = await begun(6, 'abc');
  pass(1_000);
  served.socket.write('def');
  await once(served.socket, 'data');
  expect(await held[0]!.told).toBe('');
  expect(held.slice(1).map(({ socket }) => socket.destroyed)).toEqual(Array(9).fill(false));
  expect(others.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
});

test('connections that came in one burst are not too many yet', async () => {
  const burst = Array.from({ length: 30 }, () => client());
  await expect.poll(() => slow.waiting).toBe(30);
  for (const { socket } of burst) socket.write(head(3) + 'abc');
  await Promise.all(burst.map(({ socket }) => once(socket, 'data')));
  pass(1_000);
  expect(slow.waiting).toBe(0);
});

test('a silent body behind a request that is still to be answered is cut off after that answer, not instead of it', async () => {
  const one = client();
  one.socket.write(`GET /held HTTP/1.1\r\nHost: a\r\n\r\n${head(100)}x`);
  await expect.poll(() => requests.length).toBe(2);
  pass(30_000);
  held!.end('the first');
  await expect.poll(() => one.socket.bytesRead).toBeGreaterThan(0);
  pass(11_000);
  const told = await one.told;
  expect(told.indexOf('the first')).toBeGreaterThan(0);
  expect(told.indexOf('408')).toBeGreaterThan(told.indexOf('the first'));
});

test('it is told why, in the shape of what it asked for', () => {
  const told = (url: string) => JSON.parse(requestTimeoutBody({ url })) as Record<string, object>;
  const why = expect.stringContaining('the body did not come in time');
  expect(told('/api/v2/MakeSMS.php?a=b')).toEqual({
    return: { status: why, status_code: '408', cdls_id: '0' },
  });
  expect(told('/api/v2/Nothing.php')).toEqual({ return: { status: why, status_code: '408' } });
  expect(told('/mcp')).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: why } });
  expect(told('/admin/api/accounts')).toEqual({ error: why });
  for (const { name } of operations) holdToDeclaration(name, 408, told(`/api/v2/${name}.php`));
});
