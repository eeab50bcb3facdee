/** An SMS gateway over HTTP. Below `/odd` it answers nonsense while it is told to; else it takes messages, and refuses some. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from '../dice.ts';
import type { Ledger } from '../evidence.ts';
import { jsonOf } from '../world/ask.ts';
import { answerNonsense } from './nonsense.ts';
import { bodyOf } from './receiver.ts';
import { refusedEnding, tagIn } from './smsc.ts';

export interface Gateway {
  port: number;
  odd: boolean;
  /** Answers of nonsense so far. */
  oddAnswers: number;
  stop(): void;
}

/** What an SMS route says of it. `place`: `good` or `odd`. */
export const gatewaySettings = (host: string, port: number, place: string): object => ({
  url: `http://${host}:${port}/${place}`,
  body: '{"to":"{to}","message":"{text}"}',
  id: { path: 'id' },
  error: { path: 'error' },
  timeout_ms: 5_000,
});

export const startGateway = async (dice: Dice, ledger: Ledger): Promise<Gateway> => {
  let taken = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { to = '', message = '' } = jsonOf<{ to: string; message: string }>(await bodyOf(request));
    const tag = tagIn(message);
    const seen = { kind: 'submitted', carrier: 'gateway', tag, receipts: false } as const;
    if (gateway.odd && request.url?.startsWith('/odd')) {
      gateway.oddAnswers += 1;
      ledger.add({ ...seen, result: 'silent' });
      answerNonsense(response, dice);
      return;
    }
    const refused = to.endsWith(refusedEnding);
    ledger.add({ ...seen, result: refused ? 'refused' : 'taken' });
    taken += 1;
    response.writeHead(refused ? 422 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(refused ? { error: 'no such number' } : { id: `g${taken}` }));
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => request.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const gateway: Gateway = {
    port: (server.address() as AddressInfo).port,
    odd: false,
    oddAnswers: 0,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
};
