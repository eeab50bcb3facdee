import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import smpp, { type Session } from 'smpp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { smppCarrier } from '../../../../src/providers/sms/smpp.ts';
import { limitSmppReadRate } from '../../../../src/providers/sms/smpp/limitReadRate.ts';
import { names } from '../../../helpers/names.ts';
import { aRoute, quietLog, tryCarrier } from '../carrier.ts';

/** `enquire_link`: whoever hears it answers. */
const question = Buffer.from([0, 0, 0, 16, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 1]);
const questions = 600_000;

let server: Server;
let connected: (socket: Socket) => void;
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => server.close(resolve));
});
const port = (): number => (server.address() as AddressInfo).port;

test('an SMSC that asks without end and reads nothing is read no further than its answers may wait', async () => {
  let heard = 0;
  let inTurn = 0;
  let mostInTurn = 0;
  let mostUnwritten = 0;
  let peer!: Socket;
  connected = (socket) => {
    peer = socket.pause();
    for (let sent = 0; sent < questions; sent += 10_000) socket.write(Buffer.alloc(160_000, question));
  };
  const session: Session = smpp.connect({ host: '127.0.0.1', port: port() });
  limitSmppReadRate(session);
  session.on('error', () => {});
  session.on('enquire_link', (pdu) => {
    heard += 1;
    mostInTurn = Math.max(mostInTurn, (inTurn += 1));
    if (inTurn === 1) setImmediate(() => (inTurn = 0));
    session.send(pdu.response());
    mostUnwritten = Math.max(mostUnwritten, session.socket.writableLength);
  });
  await expect.poll(() => session.socket.writableLength).toBeGreaterThan(512 * 1_024);
  for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
  const before = heard;
  for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
  expect(heard).toBe(before);
  expect(before).toBeLessThan(questions);
  expect(mostUnwritten).toBeLessThanOrEqual(512 * 1_024 + 100 * 16);
  // Ours and the next, which begins as ours ends.
  expect(mostInTurn).toBeLessThanOrEqual(200);
  // It loses nothing by that: who reads at last is answered all.
  let answered = 0;
  peer.on('data', (piece: Buffer) => (answered += piece.length));
  peer.resume();
  await expect.poll(() => answered / 16).toBe(questions);
  session.destroy();
});

const bound = Buffer.from([0, 0, 0, 17, 0x80, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0]);

test.each([
  ['a unit of 4 GB', Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ['a unit of 17 kB', Buffer.from([0, 0, 0x44, 0, 0, 0, 0, 0x15])],
  ['a unit shorter than its head', Buffer.from([0, 0, 0, 9, 1, 2, 3, 4, 5])],
  ['a unit of 4 bytes', Buffer.from([0, 0, 0, 4])],
  ['zeros', Buffer.alloc(100_000)],
  ['noise', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 251))],
  // A receipt whose texts end nowhere, and a value that is longer than its unit.
  [
    'half a receipt',
    Buffer.concat([Buffer.from([0, 0, 0, 20, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 7]), Buffer.from('abcd')]),
  ],
  [
    'a value too long',
    Buffer.from([0, 0, 0, 20, 0, 0, 0, 0x15, 0, 0, 0, 0, 0, 0, 0, 8, 0x04, 0x27, 0xff, 0xff]),
  ],
])('after %s the link stands or is made anew, and nothing is thrown', async (_what, nonsense) => {
  let links = 0;
  connected = (socket) => {
    links += 1;
    socket.once('data', () => socket.write(Buffer.concat([bound, nonsense])));
  };
  const settings = {
    host: '127.0.0.1',
    port: port(),
    system_id: 'ramal',
    reconnect_ms: 10,
    enquire_ms: 200,
  };
  const { carrier } = tryCarrier(
    smppCarrier({ names, log: quietLog }),
    aRoute('smpp', settings, '{"password":"x"}'),
  );
  // It does not answer whether the link stands either, so a link that is left standing is lost by that.
  await expect.poll(() => links).toBeGreaterThan(1);
  for (const socket of sockets) socket.destroy();
  await carrier.stop();
});
