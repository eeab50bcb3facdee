import { connect, type Socket } from 'node:net';
import type { Context } from 'koa';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type Http, startHttpServer } from '../../src/http/startHttpServer.ts';
import { eventually } from '../helpers/patience.ts';

let http: Http;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await http.close(0);
});

/** Keeps the process busy, as code does that is new to it. */
const beBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/** A service that is busy for 25 ms with every request but those for its health. */
const aService = async (): Promise<string[]> => {
  const begun: string[] = [];
  const answers = (ctx: Context): void => {
    begun.push(ctx.path);
    if (ctx.path !== '/healthz') beBusy(25);
    ctx.body = ctx.path;
  };
  http = await startHttpServer([answers], { port: 0, host: '127.0.0.1' }, pino({ level: 'silent' }));
  return begun;
};

/** One whose connection the service has taken: it was answered once. */
const aClient = async () => {
  const socket = connect(http.port, '127.0.0.1');
  sockets.push(socket);
  let said = '';
  socket.on('data', (piece) => (said += piece.toString()));
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await eventually(() => expect(said).toContain('200 OK'));
  said = '';
  return {
    ask: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
    end: () => socket.destroy(),
    said: () => said,
  };
};

test('of requests that come at one moment few are begun before the question for health is answered', async () => {
  const begun = await aService();
  const clients = await Promise.all(Array.from({ length: 40 }, aClient));
  const balancer = await aClient();
  begun.length = 0;
  clients.forEach((client, index) => client.ask(`/${index}`));
  balancer.ask('/healthz');
  await eventually(() => expect(balancer.said()).toContain('200 OK'));
  expect(begun.indexOf('/healthz')).toBeLessThan(5);
  await eventually(() => expect(begun).toHaveLength(41));
  for (const client of clients) await eventually(() => expect(client.said()).toContain('200 OK'));
});

test('those that wait are begun in the order in which they came, and those of clients that have gone not at all', async () => {
  const begun = await aService();
  const clients = await Promise.all(Array.from({ length: 6 }, aClient));
  begun.length = 0;
  clients[0]!.ask('/first');
  await eventually(() => expect(begun).toEqual(['/first']));
  clients.forEach((client, index) => client.ask(`/${index}`));
  clients[4]!.end();
  await eventually(() => expect(begun).toContain('/5'));
  expect(begun.slice(1)).toEqual(['/0', '/1', '/2', '/3', '/5']);
});
