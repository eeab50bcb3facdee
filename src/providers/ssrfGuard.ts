/**
 * The way to addresses that a customer named, by http or https. The address that is checked is the one that is
 * connected to, because the check stands in the name look-up of the connection itself; a literal address, which is
 * never looked up, is checked before (`src/rules/deliveries/checkOutboundUrl.ts`).
 */
import type { LookupFunction } from 'node:net';
import { isAllowedOutboundAddress } from '../lib/ipAddressRanges.ts';
import { privateNetworkRefusalText } from '../rules/deliveries/checkOutboundUrl.ts';
import type { LookupAllAddresses } from './contracts/dns.ts';

/** The name leads into private networks only. The message completes "the address …". */
class AddressRefused extends Error {
  constructor() {
    super(privateNetworkRefusalText);
    this.name = 'AddressRefused';
  }
}

/** A look-up for connections that finds only addresses that may be reached; `AddressRefused` when there are others only. */
export const ssrfGuardedLookup =
  (allowed: readonly string[], lookup: LookupAllAddresses): LookupFunction =>
  (host, options, found) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const open = error ? [] : addresses.filter(({ address }) => isAllowedOutboundAddress(address, allowed));
      const [first] = open;
      if (!first) found(error ?? new AddressRefused(), '');
      else if (options.all) found(null, open);
      else found(null, first.address, first.family);
    });
  };

/** The same for hosts that the operator configured, which may lie anywhere. */
export const unrestrictedDnsLookup =
  (lookup: LookupAllAddresses): LookupFunction =>
  (host, options, found) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses;
      if (error || !first) found(error, '');
      else if (options.all) found(null, addresses);
      else found(null, first.address, first.family);
    });
  };

/** Whether an error, or one that caused it, says so. */
export const isAddressRefusedError = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressRefused) return true;
  return false;
};

/**
 * What the network did, to stand behind "it cannot be reached": the code of an error, or that a server answered that
 * does not speak HTTP, for which undici has no code. Undefined: it was not the network.
 */
export const networkErrorText = (error: unknown): string | undefined => {
  const { code, name } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && /^[A-Z0-9_]+$/.test(code)) return code;
  return name === 'HTTPParserError' ? 'what it answers is not HTTP' : undefined;
};
