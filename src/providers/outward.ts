/**
 * The way to addresses that a customer named, by http or https. The address that is checked is the one that is
 * connected to, because the check stands in the name look-up of the connection itself; a literal address, which is
 * never looked up, is checked before.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { mayReach } from '../rules/addresses.ts';

/** The name leads into private networks only. The message completes "the address …". */
export class AddressRefused extends Error {
  constructor() {
    super(closed);
    this.name = 'AddressRefused';
  }
}

/** Why an address inside is refused; completes "the address …". */
export const closed = 'points into a private network';

/** The address, or what is wrong with it, which completes "the address …". `allowed`: CIDRs that the operator opened. */
export const readAddress = (written: string, allowed: readonly string[]): URL | string => {
  const url = URL.canParse(written.trim()) ? new URL(written.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not a http or https address';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !mayReach(host, allowed) ? closed : url;
};

/** A look-up for connections that finds only addresses that may be reached; `AddressRefused` when there are others only. */
export const guardedLookup =
  (allowed: readonly string[]): LookupFunction =>
  (host, options, found) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const open = error ? [] : addresses.filter(({ address }) => mayReach(address, allowed));
      const [first] = open;
      if (!first) found(error ?? new AddressRefused(), '');
      else if (options.all) found(null, open);
      else found(null, first.address, first.family);
    });
  };

/** Whether an error, or one that caused it, says so. */
export const isRefusedAddress = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressRefused) return true;
  return false;
};
