/** Who asks from this very machine, with nothing in between. */
import type { IncomingMessage } from 'node:http';
import { inCidr, parseIpAddress } from '../lib/ipAddressRanges.ts';
import { alternateForwardingHeaders } from './nearby.ts';

/** Headers by which a proxy names itself or its client, beside those that begin with `x-forwarded-`. */
const forwarding: ReadonlySet<string> = new Set([...alternateForwardingHeaders, 'via']);

/** A connection on the loopback address, and no sign of a proxy, which may stand on this machine for others. */
export const isDirectLoopback = ({ headers, socket }: IncomingMessage): boolean => {
  const address = parseIpAddress(socket.remoteAddress ?? '');
  if (address === undefined || Object.keys(headers).some(isForwarding)) return false;
  return inCidr(address, '127.0.0.0/8') || inCidr(address, '::1/128');
};

const isForwarding = (name: string): boolean => name.startsWith('x-forwarded-') || forwarding.has(name);

const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether the request was meant for this machine by name and port. A page from elsewhere whose name was made to lead here
 * (DNS rebinding) asks over the same connection, under its own name.
 */
export const namesThisMachine = ({ headers, socket }: IncomingMessage): boolean => {
  const port = socket.localPort;
  const host = headers.host?.toLowerCase();
  return ownNames.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
};

/** Whether a browser says that a page of another origin asks. Programs say nothing. */
export const isOfAnotherOrigin = ({ headers }: IncomingMessage): boolean => {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
};
