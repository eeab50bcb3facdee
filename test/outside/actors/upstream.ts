/** The upstream of chat lines: it takes what a line sends and names it. It brings no receipts. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ledger } from '../evidence.ts';
import { bodyOf } from './receiver.ts';
import { tagIn } from './smsc.ts';

export interface Upstream {
  /** For `GRAPH_URL`. */
  url: string;
  stop(): void;
}

export const startUpstream = async (ledger: Ledger): Promise<Upstream> => {
  let taken = 0;
  const take = async (request: IncomingMessage): Promise<string> => {
    const body = await bodyOf(request);
    if (!request.url?.endsWith('/messages')) return '{}';
    taken += 1;
    const seen = { kind: 'submitted', carrier: 'upstream', receipts: false } as const;
    ledger.add({ ...seen, tag: tagIn(body), result: 'taken' });
    const id = `wamid.${taken}`;
    return JSON.stringify({ messaging_product: 'whatsapp', contacts: [], messages: [{ id }] });
  };
  const server = createServer((request, response) => {
    take(request).then(
      (answer) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer),
      () => request.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
