/**
 * One request over a connection of its own, by node's client. A receiver that says "100 Continue" without having been
 * asked to is heard out, as HTTP wants it (RFC 9110, 15.2); undici breaks such a connection off.
 */
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';

export interface OutgoingNodeHttpRequest {
  url: URL;
  method: 'POST' | 'GET';
  headers: Readonly<Record<string, string>>;
  /** Null: none. */
  body: string | Readable | null;
  signal: AbortSignal;
  lookup: LookupFunction;
}

/** Its final answer. Throws the signal's reason, and what node throws. */
export const requestOverNodeHttp = async ({
  url,
  body,
  ...options
}: OutgoingNodeHttpRequest): Promise<IncomingMessage> => {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent: false });
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => reject(reasonOf(error, options.signal)));
    if (body === null || typeof body === 'string') outgoing.end(body ?? '');
    // What goes wrong with it is told by the request.
    else pipeline(body, outgoing, () => {});
  });
};

const reasonOf = (error: Error, signal: AbortSignal): Error =>
  signal.aborted ? (signal.reason as Error) : error;
