/** A customer who takes callbacks: a real HTTP server that keeps what it heard, and can be made to refuse. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeardEvent {
  headers: IncomingHttpHeaders;
  /** The flat object that was posted. */
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are compared with literals, key by key
  body: any;
}

export interface EventReceiver {
  url: string;
  /** Every request, in the order in which they came. */
  heard: HeardEvent[];
  /** HTTP status of its answers. Default 200. */
  status: number;
  /** Takes no more connections. */
  stop(): Promise<void>;
}

export const startEventReceiver = async (): Promise<EventReceiver> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += String(chunk)));
    request.on('end', () => {
      receiver.heard.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    heard: [],
    status: 200,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
};

/** What it heard of each call or message, each event once, in the order in which the first copies came. */
export const eventsOf = ({ heard }: EventReceiver): Map<string, HeardEvent['body'][]> => {
  const seen = new Set<string>();
  const events = new Map<string, HeardEvent['body'][]>();
  for (const { headers, body } of heard) {
    const id = String(headers['webhook-id']);
    if (seen.has(id)) continue;
    seen.add(id);
    const about = String(body.cdls_id ?? body.cd_id);
    events.set(about, [...(events.get(about) ?? []), body]);
  }
  return events;
};
