/** A receiver of callbacks on this machine: takes each, looks at its signature, and hands it on. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookSignature } from '../rules/deliveries/webhookSignature.ts';
import { cliRefusedFailure } from './failure.ts';

/** A longer callback is refused, bytes; results of calls come a thousand records at a time. */
const mostBytes = 4_000_000;
/** An older signature may be another's copy, seconds. */
const toleranceSeconds = 300;

export interface ReceivedCallback {
  /** Epoch milliseconds. */
  at: number;
  /** `webhook-id`: the same when it comes again. */
  id: string;
  /** The secret of the account signed it, just now. */
  verified: boolean;
  method: string;
  /** Path and query. */
  path: string;
  /** What was sent: JSON where it is some. */
  body: unknown;
}

export interface LocalCallbackServer {
  port: number;
  close(): Promise<void>;
}

export interface LocalCallbackServerOptions {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** `whsec_…` */
  secret: string;
  /** Hears of each, in turn. */
  hear(received: ReceivedCallback): void;
}

/** Opens it. Throws a `CommandFailure` when the port is taken. */
export const openLocalCallbackServer = ({
  host,
  port,
  secret,
  hear,
}: LocalCallbackServerOptions): Promise<LocalCallbackServer> =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      take(request, response, secret).then(
        (received) => received && hear(received),
        // It broke off; it comes again.
        () => response.destroy(),
      );
    });
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? cliRefusedFailure(`port ${port} of ${host} is taken`, 'Name another one with --port.')
          : cliRefusedFailure(`nothing can listen at ${host}, port ${port}: ${error.message}`),
      ),
    );
    server.listen(port, host, () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      }),
    );
  });

/** Undefined: it was too long. What is not signed is refused, as a receiver should. */
const take = async (
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
): Promise<ReceivedCallback | undefined> => {
  const body = await read(request);
  if (body === undefined) {
    response.writeHead(413, { Connection: 'close' }).end();
    return undefined;
  }
  const verified = await isSigned(request, body, secret);
  response.writeHead(verified ? 204 : 401).end();
  const { method = '', url: path = '' } = request;
  return { at: Date.now(), id: headerOf(request, 'webhook-id'), verified, method, path, body: parsed(body) };
};

const read = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    if ((length += piece.length) > mostBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const isSigned = async (request: IncomingMessage, body: Buffer, secret: string): Promise<boolean> => {
  const [id, written] = [headerOf(request, 'webhook-id'), headerOf(request, 'webhook-timestamp')];
  const timestamp = Number(written);
  if (!/^\d{1,12}$/.test(written) || Math.abs(Date.now() / 1000 - timestamp) > toleranceSeconds) return false;
  const right = Buffer.from(await webhookSignature([secret], { id, timestamp }, [body]));
  return headerOf(request, 'webhook-signature')
    .split(' ')
    .map((shown) => Buffer.from(shown))
    .some((shown) => shown.length === right.length && timingSafeEqual(shown, right));
};

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? '');

const parsed = (body: Buffer): unknown => {
  const text = body.toString();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
