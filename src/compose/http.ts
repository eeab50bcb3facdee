/** The HTTP server: every door on one port. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Middleware } from 'koa';
import type { Log } from '../log.ts';
import { cutUnread } from './unread.ts';

export interface Http {
  port: number;
  /** Takes no new connections, lets what is being answered finish, and closes the rest after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/**
 * How long a client may take, milliseconds; then it is answered 408, where it is answered at all, and its connection is
 * closed.
 */
export interface Patience {
  /** For the headers of a request. */
  headersMs: number;
  /** For a whole request: a list of 100 MB comes in over 3 Mbit/s. */
  requestMs: number;
  /** For an answer, without a byte of it being taken. */
  unreadMs: number;
  /** Between looks at who took too long. */
  lookMs: number;
}

const usual: Patience = { headersMs: 20_000, requestMs: 300_000, unreadMs: 30_000, lookMs: 5_000 };
/** Of one request; more are not read. */
const mostHeaders = 200;

/** Listens. Doors are asked in order. Rejects with a sentence when the port is taken. */
export const listen = async (
  doors: readonly Middleware[],
  at: { port: number; host: string | undefined },
  log: Log,
  patience: Patience = usual,
): Promise<Http> => {
  const app = new Koa();
  app.on('error', (error: Error & { code?: string }) => {
    if (!isClients(error.code ?? '')) log.error({ err: error }, 'a request failed outside its door');
  });
  for (const door of doors) app.use(door);
  const answer = app.callback();
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.lookMs,
    },
    (request, response) => void answer(request, response),
  );
  server.maxHeadersCount = mostHeaders;
  cutUnread(server, patience);
  // Longer than the idle time of common proxies, so that they never reuse a connection we are closing.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(cannotListen(error, at), { cause: error })));
    server.listen(at.port, at.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: (withinMs) => closeServer(server, withinMs) };
};

/**
 * Clients that hang up in the middle, of a body in chunks too, are no news; nor are those that do not keep to HTTP,
 * whom Node has answered. The error of one holds the whole request, with the token in it.
 */
const isClients = (code: string): boolean => hungUp.has(code) || code.startsWith('HPE_');

const hungUp = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

const cannotListen = (
  error: NodeJS.ErrnoException,
  { port, host }: { port: number; host: string | undefined },
): string => {
  const where = `PORT ${port}${host === undefined ? '' : ` of HOST ${host}`}`;
  return error.code === 'EADDRINUSE'
    ? `${where} is taken by another program`
    : `${where} cannot be listened on: ${error.message}`;
};

const closeServer = async (server: Server, withinMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(late);
};
