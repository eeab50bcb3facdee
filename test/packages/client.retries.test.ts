/** What the client does when it is not answered, or told to come again: against a real server that does so. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ClientOptions, Ramal, UnexpectedAnswer } from '../../packages/client/src/index.ts';

type Reaction = (response: ServerResponse, request: IncomingMessage) => void;

const says =
  (http: number, code: string, headers: Record<string, string> = {}): Reaction =>
  (response) => {
    const status = http < 400 ? 'OK' : 'not now';
    response
      .writeHead(http, headers)
      .end(JSON.stringify({ return: { status, status_code: code, cdls_id: '17' } }));
  };
const hangsUp: Reaction = (_, request) => request.socket.destroy();
const served = says(200, '0');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that reacts so to one request after the other, and a client of it. */
const against = async (reactions: Reaction[], options: Partial<ClientOptions> = {}) => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume().on('end', () => reactions.shift()!(response, request));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ramal = new Ramal({ url, token: 'DEMO0token0DEMO0token0DEMO0tok', ...options });
  return { ramal, seen, keys: () => seen.map(({ headers }) => headers['idempotency-key']) };
};

const sms = { dest: '11987650000', message: 'x' };

test('a request that creates is sent again under one key after 503, 429 and a lost connection', async () => {
  const bed = await against([says(503, '503', { 'Retry-After': '0' }), hangsUp, says(429, '429'), served]);
  expect((await bed.ramal.makeSMS(sms)).return.cdls_id).toBe('17');
  expect(bed.keys()).toHaveLength(4);
  expect(new Set(bed.keys()).size).toBe(1);
  expect(bed.keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
});

test('it waits as long as Retry-After says, and gives up when that is too long', async () => {
  const bed = await against([says(503, '503', { 'Retry-After': '2' }), served]);
  const began = performance.now();
  await bed.ramal.makeSMS(sms);
  expect(performance.now() - began).toBeGreaterThan(1_990);

  const later = await against([says(429, '429', { 'Retry-After': '31' })]);
  await expect(later.ramal.makeSMS(sms)).rejects.toMatchObject({ http: 429, retryAfterSeconds: 31 });
  expect(later.seen).toHaveLength(1);
});

test('it stops after so many attempts, with what it heard last', async () => {
  const bed = await against([says(503, '503'), says(503, '503')], { retries: 1 });
  await expect(bed.ramal.makeSMS(sms)).rejects.toMatchObject({ code: '503' });
  expect(bed.seen).toHaveLength(2);
});

test('a refusal is not asked for twice', async () => {
  const bed = await against([says(400, '240')]);
  await expect(bed.ramal.makeSMS(sms)).rejects.toMatchObject({ code: '240', retryAfterSeconds: undefined });
  expect(bed.seen).toHaveLength(1);
});

test('a change without a key is repeated only when it was certainly not made', async () => {
  const tooMany = await against([says(429, '429'), served]);
  await tooMany.ramal.changeCampaign({ cp_id: 1, active: 0 });
  const lost = await against([hangsUp]);
  await expect(lost.ramal.changeCampaign({ cp_id: 1, active: 0 })).rejects.toThrow('fetch failed');
  const away = await against([says(503, '503')]);
  await expect(away.ramal.changeCampaign({ cp_id: 1, active: 0 })).rejects.toMatchObject({ code: '503' });
  expect([tooMany, lost, away].map(({ seen }) => seen.length)).toEqual([2, 1, 1]);
  expect(tooMany.keys()).toEqual([undefined, undefined]);
});

test('what is no answer of the service is told apart', async () => {
  const page: Reaction = (response) => response.writeHead(404).end('<h1>Not here</h1>');
  const bed = await against([page]);
  const error: unknown = await bed.ramal.getTTSVoices().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnexpectedAnswer);
  expect(error).toMatchObject({ http: 404, text: '<h1>Not here</h1>' });
});

test('whoever asks may end it, also while it waits', async () => {
  const bed = await against([says(503, '503', { 'Retry-After': '20' })]);
  const ending = new AbortController();
  const asked = bed.ramal.makeSMS(sms, { signal: ending.signal });
  await expect.poll(() => bed.seen.length).toBe(1);
  ending.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('an attempt that takes too long is given up, and made again', async () => {
  const silent: Reaction = () => {};
  const bed = await against([silent, served], { timeoutMs: 300 });
  expect((await bed.ramal.makeSMS(sms)).return.status).toBe('OK');
  expect(bed.seen).toHaveLength(2);
});
