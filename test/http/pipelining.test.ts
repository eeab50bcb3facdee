import { once } from 'node:events';
import { connect } from 'node:net';
import type { Context } from 'koa';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type Http, startHttpServer } from '../../src/http/startHttpServer.ts';
import { eventually } from '../helpers/patience.ts';

const log = pino({ level: 'silent' });
const requests = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

/** A service whose answers wait until they are let go, by their path. */
const aService = async () => {
  const begun: string[] = [];
  const held = new Map<string, () => void>();
  const answers = async (ctx: Context): Promise<void> => {
    begun.push(ctx.path);
    let body = '';
    for await (const piece of ctx.req) body += String(piece);
    await new Promise<void>((resolve) => held.set(ctx.path, resolve));
    ctx.body = `${ctx.path}${body}\n`;
  };
  const http: Http = await startHttpServer([answers], { port: 0, host: '127.0.0.1' }, log);
  const letGo = async (path: string): Promise<void> => {
    await eventually(() => expect([...held.keys()]).toContain(path));
    held.get(path)!();
  };
  return { http, begun, letGo };
};

let http: Http;
afterEach(() => http.close(0));

const aClient = (bytes: string) => {
  const socket = connect(http.port, '127.0.0.1');
  socket.write(bytes);
  let said = '';
  socket.on('data', (piece) => (said += piece.toString()));
  return { socket, bodies: () => [...said.matchAll(/\n(\/\S*)\n/g)].map(([, body]) => body) };
};

test('requests of one connection are begun one after the other, and other connections do not wait for them', async () => {
  const service = await aService();
  ({ http } = service);
  const { socket, bodies } = aClient(requests(3));
  await eventually(() => expect(service.begun).toEqual(['/1']));
  const other = aClient(requests(1, 9));
  await service.letGo('/9');
  await eventually(() => expect(other.bodies()).toEqual(['/9']));
  expect(service.begun).toEqual(['/1', '/9']);
  for (const path of ['/1', '/2', '/3']) await service.letGo(path);
  await eventually(() => expect(bodies()).toEqual(['/1', '/2', '/3']));
  socket.destroy();
  other.socket.destroy();
});

test('a request keeps its body while it waits', async () => {
  const service = await aService();
  ({ http } = service);
  const body = 'x'.repeat(200_000);
  const { socket, bodies } = aClient(requests(1));
  socket.write(`POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await service.letGo('/1');
  await service.letGo('/2');
  await eventually(() => expect(bodies()).toEqual(['/1', `/2${body}`]));
  socket.destroy();
});

test('more than 64 that wait are begun at once: what waits then is their answers', async () => {
  const service = await aService();
  ({ http } = service);
  const { socket, bodies } = aClient(requests(70));
  await eventually(() => expect(service.begun).toHaveLength(6));
  expect(service.begun).toEqual(['/1', '/66', '/67', '/68', '/69', '/70']);
  for (let path = 66; path <= 70; path++) await service.letGo(`/${path}`);
  for (let path = 1; path <= 65; path++) await service.letGo(`/${path}`);
  await eventually(() => expect(bodies()).toHaveLength(70));
  expect(bodies()).toEqual(Array.from({ length: 70 }, (_, index) => `/${index + 1}`));
  socket.destroy();
});

test('nothing is begun any more for a connection that is gone', async () => {
  const service = await aService();
  ({ http } = service);
  const { socket } = aClient(requests(3));
  await eventually(() => expect(service.begun).toEqual(['/1']));
  socket.destroy();
  await once(socket, 'close');
  const other = aClient(requests(1, 9));
  await service.letGo('/9');
  await eventually(() => expect(other.bodies()).toEqual(['/9']));
  await service.letGo('/1');
  other.socket.destroy();
  expect(service.begun).toEqual(['/1', '/9']);
});
