/** Strangers, and a customer with a good token, who send bytes that are no request, or never the rest of one. */
import { connect } from 'node:net';
import { diceOf } from '../dice.ts';
import type { World } from '../world.ts';
import { pause } from '../world/ports.ts';
import type { Fault } from './fault.ts';
import { hostileBytes } from './bytes.ts';

/** Sends bytes to a node from an address and hears the first of its answer; never throws. */
const send = (world: World, nth: number, bytes: Buffer, from: string, door: string): Promise<void> =>
  new Promise((resolve) => {
    const node = world.nodes[nth % world.nodes.length]!;
    const { hostname: host, port } = new URL(node.url);
    const began = performance.now();
    const socket = connect({ host, port: Number(port), localAddress: from });
    let said = '';
    const end = (): void => {
      clearTimeout(patience);
      socket.destroy();
      const http = Number(/^HTTP\/1\.[01] (\d{3})/.exec(said)?.[1] ?? 0);
      const about = { by: 'hostile', door, tag: '', node: node.name, http, code: '' };
      const ms = Math.round(performance.now() - began);
      world.ledger.add({ kind: 'answered', ...about, ms, said: said.slice(-200) });
      resolve();
    };
    const patience = setTimeout(end, 1_000);
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (piece: Buffer) => {
      if (said.length < 4_000) said += piece.toString('latin1');
      if (said.includes('\r\n\r\n') && !said.startsWith('HTTP/1.1 100')) setTimeout(end, 20);
    });
    socket.on('connect', () => socket.write(bytes));
  });

const atOnce = 10;

export const hostileRequests: Fault = async (world, { lastsMs, seed }) => {
  const dice = diceOf(seed, 'hostile');
  const until = performance.now() + lastsMs;
  let count = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      count += 1;
      const { door, bytes } = hostileBytes(dice, world.neighbour.token);
      const from = `127.0.${dice.between(1, 3)}.${dice.between(1, 250)}`;
      await send(world, dice.between(0, world.nodes.length - 1), bytes, from, door);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return { count };
};

const addresses = 6;
const connectionsEach = 40;

/** Forty connections from each of six addresses announce a body and say no more. */
export const silentBodies: Fault = async ({ nodes, neighbour }, { lastsMs, node: nth, seed }) => {
  const dice = diceOf(seed, 'silence');
  const { hostname: host, port } = new URL(nodes[nth]!.url);
  const sockets = Array.from({ length: addresses * connectionsEach }, (_, index) => {
    const socket = connect({ host, port: Number(port), localAddress: `127.0.9.${1 + (index % addresses)}` });
    const [type, token] = dice.pick([
      ['application/json', ''],
      ['multipart/form-data; boundary=b', ''],
      ['application/json', `Authorization: Bearer ${neighbour.token}\r\n`],
    ]);
    const head = `POST /api/v2/MakeSMS.php HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${token}`;
    socket.on('error', () => {});
    socket.on('connect', () =>
      socket.write(`${head}Content-Length: ${dice.pick([900, 1_900_000])}\r\n\r\n{`),
    );
    return socket;
  });
  await pause(lastsMs);
  for (const socket of sockets) socket.destroy();
  return { count: sockets.length };
};

const readers = 60;
const requestsEach = 10;

/** Long answers are asked for, many on each connection, and nothing of them is read after the first piece. */
export const unreadAnswers: Fault = async ({ nodes, neighbour }, { lastsMs, node: nth }) => {
  const { hostname: host, port } = new URL(nodes[nth]!.url);
  const body = JSON.stringify({ tsid: neighbour.token, maxreg: -1 });
  const calls = `POST /api/v2/GetCallStatus.php HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const page = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
  const sockets = Array.from({ length: readers }, (_, index) => {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.8.1' });
    socket.on('error', () => {});
    socket.once('data', () => socket.pause());
    socket.on('connect', () => socket.write((index % 3 === 0 ? page : calls).repeat(requestsEach)));
    return socket;
  });
  await pause(lastsMs);
  for (const socket of sockets) socket.destroy();
  return { count: readers * requestsEach };
};
