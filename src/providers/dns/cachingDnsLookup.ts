/** Names, looked up by name servers (c-ares) and the file of hosts. */
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { lruOf } from '../../lib/lru.ts';
import type { LookupAllAddresses, DnsLookups } from '../contracts/dns.ts';
import { type HostsFileLookup, openHostsFile } from './hosts.ts';
import { type DnsAnswer, dnsNotFoundError, openDnsResolver } from './queryAddressRecords.ts';
import { createFairDnsLookupScheduler } from './fairScheduler.ts';

export interface DnsLookupsOptions {
  /** `DNS_SERVERS`; absent: the system's. */
  servers?: readonly string[] | undefined;
  /**
   * Asks the system as well when the name servers know no such name: it knows search domains, and names of a local
   * network. Only for names that the operator configured: a slow name server of a customer's name would block the
   * system's resolver threads. Default no.
   */
  system?: boolean;
  /** Default `/etc/hosts`. */
  hosts?: HostsFileLookup;
  /** Milliseconds of any clock. Default the process's own. */
  now?: () => number;
  /** Until a name server is asked a second time, milliseconds; that one has twice as long. Default a second. */
  timeoutMs?: number;
}

/** Look-ups at a time, of one asker and of all, and waiting, of one asker. */
const bounds = { each: 8, all: 256, waiting: 1_000 };
/** How long an answer is believed, milliseconds: as its owner says within these bounds; one that there is no answer, so long. */
const shortestMs = 5_000;
const longestMs = 60_000;
const nothingMs = 5_000;
/** Names that are remembered. */
const mostNames = 10_000;
/** Addresses of a name that are tried. */
const mostAddresses = 32;

interface Known {
  until: number;
  addresses: LookupAddress[];
  /** Why there are none. */
  error?: Error;
}

export const openDnsLookups = (options: DnsLookupsOptions = {}): DnsLookups => {
  const { servers, system = false, now = () => performance.now(), timeoutMs = 1_000 } = options;
  const hosts = options.hosts ?? openHostsFile();
  const questions = openDnsResolver({ servers, timeoutMs });
  const inTurn = createFairDnsLookupScheduler(bounds);
  const known = lruOf<string, Known>(mostNames);
  const askers = lruOf<string, string>(mostNames);
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  let stopped = false;

  /** Throws what was found out when there is no answer. */
  const fresh = (host: string): LookupAddress[] | undefined => {
    const remembered = known.get(host);
    if (!remembered || remembered.until <= now()) return undefined;
    if (remembered.error) throw remembered.error;
    return remembered.addresses;
  };

  const answerTo = async (host: string): Promise<DnsAnswer> => {
    if (stopped) throw Object.assign(new Error('names are not looked up any more'), { code: 'ECANCELLED' });
    try {
      return await questions.ask(host);
    } catch (error) {
      if (system && (error as NodeJS.ErrnoException).code === 'ENOTFOUND') return bySystem(host);
      throw error;
    }
  };

  const ask = async (host: string): Promise<LookupAddress[]> => {
    const remembered = fresh(host);
    if (remembered) return remembered;
    try {
      const { addresses: all, ttl } = await answerTo(host);
      const addresses = all.slice(0, mostAddresses);
      const forMs = Math.min(longestMs, Math.max(shortestMs, ttl * 1_000));
      known.set(host, { until: now() + forMs, addresses });
      return addresses;
    } catch (error) {
      known.set(host, { until: now() + nothingMs, addresses: [], error: error as Error });
      throw error;
    }
  };

  /** What is being asked for the same asker is not asked again. */
  const find = async (asker: string, host: string): Promise<LookupAddress[]> => {
    const answer = withoutAsking(host, hosts) ?? fresh(host);
    if (answer) return answer;
    const key = `${asker} ${host}`;
    const before = underWay.get(key);
    if (before) return before;
    const asked = inTurn(asker, () => ask(host)).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };

  const lookupFor =
    (askerOf: (host: string) => string): LookupAllAddresses =>
    (written, { family }, found) => {
      const host = plain(written);
      find(askerOf(host), host)
        .then((addresses) => inFamily(addresses, family))
        .then(
          (addresses) => found(null, addresses),
          (error: NodeJS.ErrnoException) => found(error, []),
        );
    };

  return {
    of: (asker) => lookupFor(() => asker),
    prepare: async (asker, written) => {
      const host = plain(written);
      askers.set(host, asker);
      await find(asker, host);
    },
    lookup: lookupFor((host) => askers.get(host) ?? ''),
    stop: () => {
      stopped = true;
      questions.stop();
    },
  };
};

/** As names are compared. A literal address of an URL stands in brackets. */
const plain = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const withoutAsking = (host: string, hosts: HostsFileLookup): LookupAddress[] | undefined => {
  if (isIP(host) !== 0) return listed([host]);
  const written = hosts(host);
  if (written.length > 0) return listed(written);
  return /(^|\.)localhost$/.test(host) ? listed(['127.0.0.1', '::1']) : undefined;
};

const listed = (addresses: readonly string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIP(address) }));

/** Throws when it has none of the family that was asked for. */
const inFamily = (addresses: LookupAddress[], asked: LookupAllOptions['family']): LookupAddress[] => {
  const family = asked === 'IPv4' ? 4 : asked === 'IPv6' ? 6 : (asked ?? 0);
  const fitting = family === 0 ? addresses : addresses.filter((one) => one.family === family);
  if (fitting.length === 0) throw dnsNotFoundError();
  return fitting;
};

const bySystem = async (host: string): Promise<DnsAnswer> => ({
  addresses: await systemLookup(host, { all: true }),
  ttl: 0,
});
