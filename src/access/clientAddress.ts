/** Who is really asking, behind proxies that the operator trusts. */
import type { IncomingMessage } from 'node:http';
import { inCidr } from '../rules/addresses.ts';

/**
 * The socket's address, or, while that is a trusted proxy, the next one leftwards in `X-Forwarded-For`.
 * `trusted`: CIDRs.
 */
export const clientAddress = (request: IncomingMessage, trusted: readonly string[]): string => {
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((hop) => hop.trim());
  let address = request.socket.remoteAddress ?? '';
  while (trusted.some((cidr) => inCidr(address, cidr))) {
    const before = hops.pop();
    if (!before) break;
    address = before;
  }
  return address;
};
