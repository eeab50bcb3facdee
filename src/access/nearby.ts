/** Who asks from nearby: from this machine, a private network, or one that the operator lists. */
import type { IncomingMessage } from 'node:http';
import { inCidr, parseIpAddress } from '../lib/ipAddressRanges.ts';
import { clientAddress } from './clientAddress.ts';

/** Loopback, private and link-local networks. */
const privateNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
];

/** Headers in which a proxy may name its client in another way than `X-Forwarded-For`. */
export const alternateForwardingHeaders: readonly string[] = [
  'forwarded',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/**
 * The client must be near, and so must be whatever stands between, unless it is a trusted proxy. Whether a proxy is
 * trusted or not, the addresses that it names count: one that stands on a private address lets in no client that asked
 * it from elsewhere. A request that names its client in another way is not near. `listed`, `trusted`: CIDRs.
 */
export const isPrivateNetworkRequest = (
  request: IncomingMessage,
  { listed, trusted }: { listed: readonly string[]; trusted: readonly string[] },
): boolean => {
  const { headers, socket } = request;
  if (alternateForwardingHeaders.some((name) => headers[name] !== undefined)) return false;
  const forwarded = headers['x-forwarded-for'];
  const hops = forwarded === undefined ? [] : String(forwarded).split(',');
  const path = [...hops, socket.remoteAddress ?? ''].map((hop) => parseIpAddress(hop.trim()));
  const near = [...privateNetworks, ...listed];
  const passed = [...near, ...trusted];
  return (
    isIn(parseIpAddress(clientAddress(request, trusted)), near) &&
    path.every((address) => isIn(address, passed))
  );
};

const isIn = (address: string | undefined, networks: readonly string[]): boolean =>
  address !== undefined && networks.some((cidr) => inCidr(address, cidr));
