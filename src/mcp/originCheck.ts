/**
 * Origin and Host checks against cross-site requests and DNS rebinding. A request of a page of another origin is
 * refused; so is, on the loopback address, a host name that is not the service's own.
 */
import type { IncomingMessage } from 'node:http';
import { inCidr } from '../lib/ipAddressRanges.ts';
import { parseUrl } from '../lib/parseUrl.ts';

export interface OriginCheckSettings {
  /** Where the service says it is. */
  publicUrl: string;
  /** CIDRs of proxies: they name the host that they were asked for. */
  trustedProxies: readonly string[];
}

/** A sentence for why a request is refused; undefined: it is not. */
export const foreignOriginRefusal = (
  request: IncomingMessage,
  house: OriginCheckSettings,
): string | undefined => {
  const { origin, host = '' } = request.headers;
  const own = new URL(house.publicUrl);
  if (origin !== undefined && !isOwnOrigin(origin, host, own))
    return 'the Origin is not this service: pages of other origins are not served';
  if (!isLocal(request, house) || isLocalName(host) || nameOf(host) === own.hostname) return undefined;
  return 'the Host is not this service: set PUBLIC_URL to the address it is reached under';
};

const isOwnOrigin = (origin: string, host: string, own: URL): boolean => {
  const url = parseUrl(origin);
  if (!url) return false;
  return url.origin === own.origin || (/^https?:$/.test(url.protocol) && url.host === host);
};

/** Asked on the loopback address, and not by a proxy that we know. */
const isLocal = (
  { socket: { localAddress = '', remoteAddress = '' } }: IncomingMessage,
  house: OriginCheckSettings,
) => isLoopback(localAddress) && !house.trustedProxies.some((cidr) => inCidr(remoteAddress, cidr));

const isLoopback = (address: string): boolean => inCidr(address, '127.0.0.0/8') || inCidr(address, '::1');

const isLocalName = (host: string): boolean => {
  const name = nameOf(host);
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[(.+)\]$/, '$1'));
};

/** The host without its port; empty for none that is one. */
const nameOf = (host: string): string => parseUrl(`http://${host}`)?.hostname ?? '';
