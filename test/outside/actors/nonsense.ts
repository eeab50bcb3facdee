/** Answers over HTTP that are none: what gateways and receivers send on their bad days. */
import type { ServerResponse } from 'node:http';
import type { Dice } from '../dice.ts';

type Nonsense = (response: ServerResponse, dice: Dice) => void;

const json = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);

/** Letters that do not compress, so that they fit no index. */
const letters = (dice: Dice, count: number): string =>
  Array.from({ length: count }, () => dice.between(0, 35).toString(36)).join('');

const answers: Record<string, Nonsense> = {
  longId: (response, dice) => json(response, `{"id":"${letters(dice, 9_000)}"}`),
  ratherLongId: (response, dice) => json(response, `{"id":"${letters(dice, 300)}"}`),
  objectForId: (response) => json(response, '{"id":{"a":[1,{"b":null}]}}'),
  listForId: (response) => json(response, '{"id":["a","b"]}'),
  numberForId: (response) => json(response, '{"id":1e308}'),
  noId: (response) => json(response, '{"id":null}'),
  noObject: (response) => json(response, 'null'),
  badText: (response) => json(response, String.raw`{"id":"a\u0000b\ud800c"}`),
  badBytes: (response) => void response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xc3, 0x28])),
  html: (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>OK</h1>'),
  empty: (response) => void response.writeHead(200).end(),
  depth: (response) => json(response, '['.repeat(200_000)),
  megabytes: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write('{"id":"');
    const piece = 'x'.repeat(1_000_000);
    let left = 30;
    const more = (): void => {
      for (; left > 0 && !response.destroyed; left -= 1) if (!response.write(piece)) break;
      if (left > 0 && !response.destroyed) response.once('drain', more);
      else response.end('"}');
    };
    more();
  },
  half: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' });
    response.write('{"id":"half', () => response.destroy());
  },
  cut: (response) => void response.destroy(),
  noHttp: (response) => void response.socket?.end(Buffer.from([0, 255, 0, 72, 84, 84, 80, 13, 10, 13, 10])),
  drip: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  },
  headers: (response) => {
    for (let nth = 0; nth < 300; nth += 1) response.setHeader(`X-Filling-${nth}`, 'y'.repeat(500));
    response.writeHead(200).end('{"id":"h"}');
  },
  /** Until the other side loses patience. */
  never: () => {},
};

const names = Object.keys(answers);

/** Sends one of them. */
export const answerNonsense = (response: ServerResponse, dice: Dice): void => {
  response.on('error', () => {});
  answers[dice.pick(names)]!(response, dice);
};
