/** The HTTP server: every endpoint on one port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Koa, { type Context, type Middleware } from 'koa';
import type { Log } from '../log.ts';
import { handleResponseError, catchRequestErrors } from './catchRequestErrors.ts';
import { serializePipelinedRequests } from './pipelining.ts';
import { closeSlowConnections, type Pace } from './closeSlowRequestSenders.ts';
import { createEventLoopRequestScheduler } from './eventLoopRequestScheduler.ts';
import { closeStalledResponseReaders } from './closeStalledReaders.ts';

export interface Http {
  port: number;
  /**
   * Takes no new connections, lets what is being answered finish, and closes the rest after `withinMs`. A request whose client
   * has gone is waited for as well: what it does still needs the database.
   */
  close(withinMs: number): Promise<void>;
}

/**
 * How long a client may take, milliseconds; then it is answered 408, where it is answered at all, and its connection is
 * closed.
 */
export interface HttpTimeouts {
  /** For the headers of a request. */
  headersMs: number;
  /** For a whole request: a list of 100 MB comes in over 3 Mbit/s. */
  requestMs: number;
  /** For an answer, without a byte of it being taken. */
  unreadMs: number;
  /** Between looks at who took too long. */
  lookMs: number;
  /** For the bytes of a body (`closeSlowRequestSenders.ts`). */
  pace?: Partial<Pace>;
}

export interface HttpListenOptions {
  port: number;
  host: string | undefined;
  /** CIDRs of proxies: they hold connections for many clients. Default none. */
  trustedProxies?: readonly string[];
  /** What is said to a request whose body did not come in time. Default: nothing. */
  tooSlow?: (request: IncomingMessage) => string;
}

const usual: HttpTimeouts = { headersMs: 20_000, requestMs: 300_000, unreadMs: 30_000, lookMs: 5_000 };
/** Of one request; more are not read. */
const mostHeaders = 200;

/** Listens. Doors are asked in order. Rejects with a sentence when the port is taken. */
export const startHttpServer = async (
  endpoints: readonly Middleware[],
  at: HttpListenOptions,
  log: Log,
  patience: HttpTimeouts = usual,
): Promise<Http> => {
  const app = new Koa();
  Object.assign(app.context, {
    onerror(this: Context, error: unknown) {
      handleResponseError(this, error, log);
    },
  });
  for (const endpoint of [catchRequestErrors(log), ...endpoints]) app.use(endpoint);
  const answer = app.callback();
  /** What Koa itself cannot bear cuts this one connection. */
  const answerOrCut = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await answer(request, response);
    } catch (error) {
      log.error({ err: error }, 'a request could not be answered');
      response.destroy();
    }
  };
  const answering = new Set<Promise<void>>();
  const turns = createEventLoopRequestScheduler((request, response) => {
    const one = answerOrCut(request, response).then(() => void answering.delete(one));
    answering.add(one);
  });
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.lookMs,
    },
    serializePipelinedRequests(turns.answer),
  );
  server.on('connection', turns.connected);
  server.maxHeadersCount = mostHeaders;
  closeStalledResponseReaders(server, patience);
  const { trustedProxies: proxies = [], tooSlow: sentence } = at;
  closeSlowConnections(server, { pace: patience.pace ?? {}, lookMs: patience.lookMs, proxies, sentence });
  // Longer than the idle time of common proxies, so that they never reuse a connection we are closing.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(cannotListen(error, at), { cause: error })));
    server.listen(at.port, at.host, resolve);
  });
  // Connections that cannot be taken, for want of file descriptors: the others are served.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be taken'));
  const close = async (withinMs: number): Promise<void> => {
    await closeServer(server, withinMs);
    await Promise.race([Promise.all(answering), delay(withinMs, undefined, { ref: false })]);
  };
  return { port: (server.address() as AddressInfo).port, close };
};

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
