/** The graph API over HTTP, on kept-alive connections. Redirects are not followed: a token goes nowhere else. */
import { buildConnector, Pool } from 'undici';
import type { LookupAllAddresses } from '../contracts/dns.ts';
import { unrestrictedDnsLookup } from '../ssrfGuard.ts';
import { readUpTo } from '../readUpTo.ts';
import { type GraphApiTransport, GraphApiUnreachable } from './graphApiClient.ts';

export interface GraphApiHttpOptions {
  /** `GRAPH_URL`: where the API is, without its version. */
  url: string;
  /** Finds the addresses of its host. */
  lookup: LookupAllAddresses;
  /** A larger answer is cut there, and is then no JSON. Bytes; default 1 MiB. */
  maxAnswerBytes?: number;
}

export interface Web {
  transport: GraphApiTransport;
  close(): Promise<void>;
}

/** Until a connection stands, milliseconds. */
const connectMs = 5_000;
/** More requests than that wait for each other. */
const CONNECTIONS = 128;

export const openGraphApiHttp = ({ url, lookup, maxAnswerBytes = 2 ** 20 }: GraphApiHttpOptions): Web => {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, { connections: CONNECTIONS, connect: connector(connectMs, lookup) });
  return {
    async transport({ method, path, query, headers, body, timeoutMs, signal }) {
      const {
        statusCode,
        headers: answered,
        body: content,
      } = await pool.request({
        ...{ method, query, headers, signal },
        path: base + path,
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      return { status: statusCode, headers: answered, text: await readUpTo(content, maxAnswerBytes) };
    },
    close: () => pool.destroy(),
  };
};

/** What fails here was never heard: nothing is written before a connection stands. */
const connector = (timeout: number, lookup: LookupAllAddresses): buildConnector.connector => {
  const connect = buildConnector({ timeout, lookup: unrestrictedDnsLookup(lookup) });
  return (options, connected) =>
    connect(options, (error, socket) => {
      if (error) connected(new GraphApiUnreachable('no connection', { cause: error }), null);
      else connected(null, socket);
    });
};
