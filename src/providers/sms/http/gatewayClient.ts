/** One request to a gateway over kept-alive connections, and whether it can have been heard. */
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { isAddressRefusedError } from '../../ssrfGuard.ts';
import { readUpTo } from '../../readUpTo.ts';
import {
  privateNetworkRefusalText,
  validateOutboundUrl,
} from '../../../rules/deliveries/checkOutboundUrl.ts';

export interface SmsGatewayRequest {
  url: string;
  method: 'POST' | 'PUT' | 'GET';
  headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  body: string;
  timeoutMs: number;
}

export type SmsGatewayRequestOutcome =
  | { heard: 'yes'; status: number; retryAfter: string; text: string }
  /** There was no connection: it surely did not hear. `passing`: there may be one later. */
  | { heard: 'no'; why: string; passing: boolean }
  /** Cut, or too slow after it may have heard. */
  | { heard: 'perhaps'; why: string };

export interface SmsGatewayClient {
  ask(request: SmsGatewayRequest): Promise<SmsGatewayRequestOutcome>;
  close(): Promise<void>;
}

const connectMs = 5_000;
/** What is read of an answer, bytes. */
const mostBytes = 65_536;

/** Nothing is written before a connection stands. */
class Unconnected extends Error {}

/** `lookup` finds addresses that may be reached only; `allowed`: private networks (CIDRs) that the operator opened. */
export const openGatewayClient = (
  lookup: LookupFunction,
  allowed: readonly string[],
  connections: number,
): SmsGatewayClient => {
  let agent: Agent | undefined;

  const send = async (
    url: URL,
    { method, headers, body, timeoutMs }: SmsGatewayRequest,
  ): Promise<SmsGatewayRequestOutcome> => {
    // Loaded with the first message: most services send none this way.
    const undici = await import('undici');
    agent ??= new undici.Agent({ connections, connect: connectorOf(undici.buildConnector, lookup) });
    const reply = await undici.request(url, {
      ...{ method, headers, dispatcher: agent },
      body: body === '' ? null : body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const retryAfter = reply.headers['retry-after'];
    return {
      ...{ heard: 'yes', status: reply.statusCode, text: await readUpTo(reply.body, mostBytes) },
      retryAfter: typeof retryAfter === 'string' ? retryAfter : '',
    };
  };

  return {
    ask: async (request) => {
      const url = validateOutboundUrl(request.url, allowed);
      if (typeof url === 'string') return { heard: 'no', why: `its address ${url}`, passing: false };
      try {
        return await send(url, request);
      } catch (error) {
        return failureOf(error);
      }
    },
    close: async () => agent?.destroy(),
  };
};

const connectorOf = (build: typeof buildConnector, lookup: LookupFunction): buildConnector.connector => {
  const connect = build({ timeout: connectMs, lookup });
  return (options, connected) =>
    connect(options, (error, socket) => {
      if (error) connected(new Unconnected('no connection', { cause: error }), null);
      else connected(null, socket);
    });
};

const failureOf = (error: unknown): SmsGatewayRequestOutcome => {
  if (isAddressRefusedError(error))
    return { heard: 'no', why: `its address ${privateNetworkRefusalText}`, passing: false };
  const { cause, code, name } = error as NodeJS.ErrnoException;
  if (error instanceof Unconnected) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'no connection';
    return { heard: 'no', why: `it cannot be reached (${why})`, passing: true };
  }
  if (name === 'TimeoutError' || /TIMEOUT/.test(code ?? ''))
    return { heard: 'perhaps', why: 'it did not answer in time' };
  return { heard: 'perhaps', why: `the connection broke (${code ?? name})` };
};
