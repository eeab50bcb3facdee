/** One request to a gateway over kept-alive connections, and whether it can have been heard. */
import type { Agent, buildConnector } from 'undici';
import { guardedLookup, isRefusedAddress } from '../../outward.ts';
import { closed, readOutwardUrl } from '../../../rules/outwardUrl.ts';

export interface GatewayRequest {
  url: string;
  method: 'POST' | 'PUT' | 'GET';
  headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  body: string;
  timeoutMs: number;
}

export type GatewayReply =
  | { heard: 'yes'; status: number; retryAfter: string; text: string }
  /** There was no connection: it surely did not hear. */
  | { heard: 'no'; why: string }
  /** Cut, or too slow after it may have heard. */
  | { heard: 'perhaps'; why: string };

export interface Exchange {
  ask(request: GatewayRequest): Promise<GatewayReply>;
  close(): Promise<void>;
}

const connectMs = 5_000;
/** What is read of an answer, bytes. */
const mostBytes = 65_536;

/** Nothing is written before a connection stands. */
class Unconnected extends Error {}

/** `allowed`: private networks (CIDRs) that the operator opened. */
export const openExchange = (allowed: readonly string[], connections: number): Exchange => {
  let agent: Agent | undefined;

  const send = async (
    url: URL,
    { method, headers, body, timeoutMs }: GatewayRequest,
  ): Promise<GatewayReply> => {
    // Loaded with the first message: most services send none this way.
    const undici = await import('undici');
    agent ??= new undici.Agent({ connections, connect: connectorOf(undici.buildConnector, allowed) });
    const reply = await undici.request(url, {
      ...{ method, headers, dispatcher: agent },
      body: body === '' ? null : body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const retryAfter = reply.headers['retry-after'];
    return {
      ...{ heard: 'yes', status: reply.statusCode, text: await readUpTo(reply.body) },
      retryAfter: typeof retryAfter === 'string' ? retryAfter : '',
    };
  };

  return {
    ask: async (request) => {
      const url = readOutwardUrl(request.url, allowed);
      if (typeof url === 'string') return { heard: 'no', why: `its address ${url}` };
      try {
        return await send(url, request);
      } catch (error) {
        return failureOf(error);
      }
    },
    close: async () => agent?.destroy(),
  };
};

const connectorOf = (build: typeof buildConnector, allowed: readonly string[]): buildConnector.connector => {
  const connect = build({ timeout: connectMs, lookup: guardedLookup(allowed) });
  return (options, connected) =>
    connect(options, (error, socket) => {
      if (error) connected(new Unconnected('no connection', { cause: error }), null);
      else connected(null, socket);
    });
};

const failureOf = (error: unknown): GatewayReply => {
  if (isRefusedAddress(error)) return { heard: 'no', why: `its address ${closed}` };
  const { cause, code, name } = error as NodeJS.ErrnoException;
  if (error instanceof Unconnected) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'no connection';
    return { heard: 'no', why: `it cannot be reached (${why})` };
  }
  if (name === 'TimeoutError' || /TIMEOUT/.test(code ?? ''))
    return { heard: 'perhaps', why: 'it did not answer in time' };
  return { heard: 'perhaps', why: `the connection broke (${code ?? name})` };
};

/** What comes after is not wanted, and its connection neither. */
const readUpTo = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostBytes).toString('utf8');
};
