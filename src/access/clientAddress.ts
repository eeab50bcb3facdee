/** Who is really asking, behind proxies that the operator trusts. */
import type { IncomingMessage } from 'node:http';
import { inCidr, parseIpAddress } from '../lib/ipAddressRanges.ts';

/**
 * The socket's address, or, while that is a trusted proxy, the next one leftwards in `X-Forwarded-For`. What stands
 * there and is no address is not believed: the proxy itself counts then. `trusted`: CIDRs.
 */
export const clientAddress = (request: IncomingMessage, trusted: readonly string[]): string => {
  const socket = request.socket.remoteAddress ?? '';
  let address = parseIpAddress(socket) ?? socket;
  if (trusted.length === 0) return address;
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  while (trusted.some((cidr) => inCidr(address, cidr))) {
    const before = parseIpAddress(hops.pop()?.trim() ?? '');
    if (before === undefined) break;
    address = before;
  }
  return address;
};
