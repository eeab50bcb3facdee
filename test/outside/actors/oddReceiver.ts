/** The neighbour's receiver of callbacks: it takes them all, except while it answers nonsense. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from '../dice.ts';
import { answerNonsense } from './nonsense.ts';

export interface OddReceiver {
  port: number;
  odd: boolean;
  oddAnswers: number;
  stop(): void;
}

export const startOddReceiver = async (dice: Dice): Promise<OddReceiver> => {
  const server = createServer((request, response) => {
    request.on('error', () => {});
    request.resume();
    if (!receiver.odd) {
      response.writeHead(204).end();
      return;
    }
    receiver.oddAnswers += 1;
    answerNonsense(response, dice);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const receiver: OddReceiver = {
    port: (server.address() as AddressInfo).port,
    odd: false,
    oddAnswers: 0,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
};
