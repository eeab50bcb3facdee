/** One question to the name servers: both kinds of addresses of a name, with how long they may be believed. */
import { Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

export interface DnsAnswer {
  addresses: LookupAddress[];
  /** Seconds, as the name's owner says. */
  ttl: number;
}

export interface DnsResolverOptions {
  /** `DNS_SERVERS`; absent: the system's (`/etc/resolv.conf`). */
  servers?: readonly string[] | undefined;
  /** Until a name server is asked a second time, milliseconds; that one has twice as long. */
  timeoutMs: number;
}

export interface DnsResolver {
  /** Rejects with a code: `ENOTFOUND` when there is no such name, `ETIMEOUT`, `ESERVFAIL` … */
  ask(host: string): Promise<DnsAnswer>;
  stop(): void;
}

const tries = 2;
/** The addresses of the other kind are waited for so much longer, milliseconds: some name servers never tell. */
const otherKindMs = 300;

export const openDnsResolver = ({ servers, timeoutMs }: DnsResolverOptions): DnsResolver => {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const kind = async (family: 4 | 6, host: string): Promise<DnsAnswer> => {
    const records = await (family === 4
      ? resolver.resolve4(host, { ttl: true })
      : resolver.resolve6(host, { ttl: true }));
    return {
      addresses: records.map(({ address }) => ({ address, family })),
      ttl: Math.min(...records.map(({ ttl }) => ttl)),
    };
  };
  return {
    ask: async (host) => {
      const asked = [kind(4, host), kind(6, host)];
      const first = await Promise.any(asked).catch(({ errors }: AggregateError) =>
        Promise.reject(worst(errors)),
      );
      const [four, six] = await Promise.all(asked.map((one) => within(one, otherKindMs)));
      const addresses = [...(four?.addresses ?? []), ...(six?.addresses ?? [])];
      return addresses.length > 0 ? { ...first, addresses } : first;
    },
    stop: () => resolver.cancel(),
  };
};

const within = async (asked: Promise<DnsAnswer>, ms: number): Promise<DnsAnswer | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([asked.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** There is no such name only where both kinds say so. */
const worst = (errors: readonly unknown[]): unknown => {
  const all = errors as NodeJS.ErrnoException[];
  const other = all.find(({ code }) => code !== 'ENOTFOUND' && code !== 'ENODATA');
  return other ?? dnsNotFoundError(all[0]);
};

export const dnsNotFoundError = (cause?: unknown): NodeJS.ErrnoException =>
  Object.assign(new Error('there is no such name', { cause }), { code: 'ENOTFOUND' });
