/**
 * Where names lead: look-ups of the hosts that we go to. Each asker, an account as a rule, has a few at a time, so that
 * names whose servers are silent keep up those only that name them. The system's own look-up (`getaddrinfo`) is no good for
 * that: it holds threads, two at a time, for as long as it likes.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';

/** All addresses of a name, as `dns.lookup` with `all` finds them. */
export type LookupAllAddresses = (
  host: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface DnsLookups {
  /** A look-up whose questions are this asker's. */
  of(asker: string): LookupAllAddresses;
  /**
   * For connections that many askers share, which cannot say for whom they look up: asks for this asker, and remembers the
   * answer for the moment until `lookup` is called. Settles when the name was found; rejects as the look-up would.
   */
  prepare(asker: string, host: string): Promise<void>;
  /** What was found lately; else the question is that of who prepared this name last. */
  lookup: LookupAllAddresses;
  stop(): void;
}
