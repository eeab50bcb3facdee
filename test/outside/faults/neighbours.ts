/** A customer whose gateway, SMSC, receiver and name servers are broken, and who goes on using them. */
import { diceOf } from '../dice.ts';
import { newTag } from '../actors/customer.ts';
import type { World } from '../world.ts';
import { pause } from '../world/ports.ts';
import type { Fault } from './fault.ts';

/** Numbers of the neighbour by the first digit after the area: which of its routes they take. */
export const routes = { oddGateway: '0', oddSmsc: '1', silentGateway: '2' } as const;

/** A number of the neighbour's that takes this route. */
const numberBy = (route: keyof typeof routes, nth: number): string =>
  `1198${routes[route]}${String(nth % 10_000).padStart(4, '0')}00`;

const sendSms = ({ wish, neighbour }: World, route: keyof typeof routes, nth: number): void => {
  const tag = newTag();
  const body = { dest: numberBy(route, nth), message: `To you ${tag} all`, ctid: tag, httpdup: 0 };
  void wish(neighbour, 'sms', tag, body);
};

const placeCall = ({ wish, neighbour }: World, rurl: string): void => {
  const tag = newTag();
  const body = { dest: '11981230000', text: 'Hello', ctid: tag, httpdup: 0, rurl, rurl_events: 'all' };
  void wish(neighbour, 'call', tag, body);
};

/** Messages a fault sends, calls it places. */
const some = 12;

export const gatewayNonsense: Fault = async (world, { lastsMs, seed }) => {
  const { gateway } = world;
  const before = gateway.oddAnswers;
  gateway.odd = true;
  for (let nth = 0; nth < some; nth += 1) sendSms(world, 'oddGateway', seed + nth);
  await pause(lastsMs);
  gateway.odd = false;
  return { count: gateway.oddAnswers - before };
};

export const smscNonsense: Fault = async (world, { lastsMs, seed }) => {
  const { oddSmsc } = world;
  const before = oddSmsc.oddAnswers;
  oddSmsc.odd = true;
  for (let nth = 0; nth < some; nth += 1) sendSms(world, 'oddSmsc', seed + nth);
  await pause(lastsMs);
  oddSmsc.odd = false;
  return { count: oddSmsc.oddAnswers - before };
};

export const receiverNonsense: Fault = async (world, { lastsMs }) => {
  const { oddReceiver } = world;
  const before = oddReceiver.oddAnswers;
  oddReceiver.odd = true;
  for (let nth = 0; nth < some; nth += 1)
    placeCall(world, `http://127.0.0.1:${oddReceiver.port}/calls/${nth}`);
  await pause(lastsMs);
  oddReceiver.odd = false;
  return { count: oddReceiver.oddAnswers - before };
};

const hosts = 40;

export const silentNames: Fault = async (world, { lastsMs, seed }) => {
  const { names, oddReceiver } = world;
  const before = names!.unanswered;
  const dice = diceOf(seed, 'hosts');
  names!.silent = true;
  for (let nth = 0; nth < hosts; nth += 1)
    placeCall(world, `http://h${dice.between(0, 999_999)}.silent.test:${oddReceiver.port}/calls`);
  for (let nth = 0; nth < 3; nth += 1) sendSms(world, 'silentGateway', seed + nth);
  await pause(lastsMs);
  names!.silent = false;
  return { count: names!.unanswered - before };
};
