/** The names of this machine, for providers under test. */
import type { DnsLookups } from '../../src/providers/contracts/dns.ts';
import { openDnsLookups } from '../../src/providers/dns/cachingDnsLookup.ts';

export const names: DnsLookups = openDnsLookups({ system: true });
export const lookup = names.of('test');
