/** Customers who take callbacks: one answers at once, one after seconds, and one is not there. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const SLOW_MS = 5_000;

export interface Receivers {
  healthy: string;
  slow: string;
  /** Nobody listens there: connections are refused. */
  dead: string;
  /** Events heard by the healthy one, each once. */
  heard(): number;
  stop(): void;
}

export const startReceivers = async (): Promise<Receivers> => {
  const events = new Set<string>();
  const healthy = await listening((id) => {
    events.add(id);
    return 0;
  });
  const slow = await listening(() => SLOW_MS);
  const dead = await listening(() => 0);
  await new Promise((closed) => dead.close(closed));
  return {
    healthy: healthy.url,
    slow: slow.url,
    dead: dead.url,
    heard: () => events.size,
    stop: () => {
      for (const server of [healthy, slow]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
};

/** `answersAfter`: is told the event's id; milliseconds. */
const listening = async (answersAfter: (id: string) => number): Promise<Server & { url: string }> => {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const ms = answersAfter(String(request.headers['webhook-id']));
      if (ms === 0) response.end();
      else setTimeout(() => response.end(), ms);
    });
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
};
