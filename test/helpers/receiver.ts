/** A customer's address: a real HTTP server on loopback that keeps what it heard. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Heard {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  /** `http://127.0.0.1:<port>` */
  url: string;
  heard: Heard[];
  /** Connections that are open now. */
  sockets: Set<Socket>;
  /** How many there ever were. */
  connections: number;
  /** Called when a request begins. Default: hears the whole of it, then calls `answer`. */
  take: RequestListener;
  /** Called when the whole request was heard. Default: 200. */
  answer: RequestListener;
  /** It has heard nothing, and does as by default. */
  reset(): void;
  close(): void;
}

export const startReceiver = async (): Promise<Receiver> => {
  const hear: RequestListener = (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      receiver.heard.push({ method, path, headers, body: Buffer.concat(pieces).toString() });
      receiver.answer(request, response);
    });
  };
  const untouched = (): Pick<Receiver, 'heard' | 'connections' | 'take' | 'answer'> => ({
    ...{ heard: [], connections: 0, take: hear },
    answer: (_, response) => response.end('thanks'),
  });
  const receiver: Receiver = {
    ...{ url: '', sockets: new Set(), ...untouched() },
    reset: () => void Object.assign(receiver, untouched()),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => receiver.take(request, response));
  server.on('connection', (socket) => {
    receiver.connections += 1;
    receiver.sockets.add(socket);
    socket.once('close', () => receiver.sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
};

/** Whether the receivers' own library takes it, with this secret and now. */
export const verifies = (secret: string, { headers, body }: Heard): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
};
