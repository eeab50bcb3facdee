import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHostsFile } from '../../../src/providers/dns/hosts.ts';
import { type DnsLookupsOptions, openDnsLookups } from '../../../src/providers/dns/cachingDnsLookup.ts';
import type { LookupAllAddresses, DnsLookups } from '../../../src/providers/contracts/dns.ts';
import { type NameServer, startNameServer } from '../../helpers/nameServer.ts';

let server: NameServer;
let folder: string;
let clock: number;
const opened: DnsLookups[] = [];

beforeEach(async () => {
  server = await startNameServer();
  folder = mkdtempSync(join(tmpdir(), 'ramal-names-'));
  clock = 0;
  server.names.set('a.test', ['192.0.2.1', '2001:db8::1']);
});
afterEach(async () => {
  for (const names of opened.splice(0)) names.stop();
  await server.close();
  rmSync(folder, { recursive: true });
});

const open = (options: DnsLookupsOptions = {}): DnsLookups => {
  const names = openDnsLookups({
    ...{ servers: [server.address], timeoutMs: 200, now: () => clock },
    hosts: openHostsFile(join(folder, 'hosts'), () => clock),
    ...options,
  });
  opened.push(names);
  return names;
};

const find = (
  lookup: LookupAllAddresses,
  host: string,
  options: Partial<LookupAllOptions> = {},
): Promise<string[]> =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true, ...options }, (error, addresses: LookupAddress[]) =>
      error ? reject(error) : resolve(addresses.map(({ address }) => address)),
    );
  });
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'found',
    ({ code }: NodeJS.ErrnoException) => code,
  );

describe('a name', () => {
  it('leads to its addresses of both kinds, or of the one that is asked for', async () => {
    const lookup = open().of('1');
    expect(await find(lookup, 'a.test')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await find(lookup, 'A.test.')).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(await find(lookup, 'a.test', { family: 6 })).toEqual(['2001:db8::1']);
    expect(server.asked.toSorted()).toEqual(['a.test A', 'a.test AAAA']);
  });

  it('that does not exist, or has no address, is not found; one whose server is silent is given up', async () => {
    server.names.set('empty.test', []);
    const lookup = open().of('1');
    expect(await codeOf(find(lookup, 'none.test'))).toBe('ENOTFOUND');
    expect(await codeOf(find(lookup, 'empty.test'))).toBe('ENOTFOUND');
    expect(await codeOf(find(lookup, 'a.slow.test'))).toBe('ETIMEOUT');
  });

  it('is found where the name server tells one kind of address only', async () => {
    server.answers = (_, kind) => kind === 'A';
    expect(await find(open().of('1'), 'a.test')).toEqual(['192.0.2.1']);
  });

  it('in the file of hosts is not asked for, and the file is read again when it was changed', async () => {
    writeFileSync(join(folder, 'hosts'), '# ours\n192.0.2.9 Gateway.Test  other # the gateway\n::1 a.test\n');
    const lookup = open().of('1');
    expect(await find(lookup, 'gateway.test')).toEqual(['192.0.2.9']);
    expect(await find(lookup, 'a.test')).toEqual(['::1']);
    writeFileSync(join(folder, 'hosts'), '192.0.2.10 gateway.test');
    clock = 6_000;
    expect(await find(lookup, 'gateway.test')).toEqual(['192.0.2.10']);
    expect(server.asked).toEqual([]);
  });

  it('that is an address, or localhost, is not asked for', async () => {
    const lookup = open().of('1');
    expect(await find(lookup, '192.0.2.7')).toEqual(['192.0.2.7']);
    expect(await find(lookup, '2001:db8::7')).toEqual(['2001:db8::7']);
    expect(await find(lookup, 'localhost')).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).toEqual([]);
  });

  it('is believed as long as its owner says, within bounds, and that there is none for five seconds', async () => {
    const lookup = open().of('1');
    const askedAfter = async (ms: number, host: string): Promise<number> => {
      clock += ms;
      server.asked = [];
      await codeOf(find(lookup, host));
      return server.asked.length;
    };
    server.ttl = 30;
    expect([await askedAfter(0, 'a.test'), await askedAfter(29_999, 'a.test')]).toEqual([2, 0]);
    server.ttl = 0;
    expect([await askedAfter(2, 'a.test'), await askedAfter(4_999, 'a.test')]).toEqual([2, 0]);
    server.ttl = 86_400;
    expect([await askedAfter(2, 'a.test'), await askedAfter(59_999, 'a.test')]).toEqual([2, 0]);
    expect(await askedAfter(2, 'a.test')).toBe(2);
    expect([await askedAfter(0, 'no.test'), await askedAfter(4_999, 'no.test')]).toEqual([2, 0]);
    expect(await askedAfter(2, 'no.test')).toBe(2);
  });
});

describe('an asker', () => {
  const dead = (count: number): string[] => Array.from({ length: count }, (_, nth) => `h${nth}.slow.test`);

  it('has eight questions at a time, and asks the same once', async () => {
    const lookup = open().of('1');
    const all = [...dead(40), ...dead(40)].map((host) => codeOf(find(lookup, host)));
    await expect.poll(() => new Set(server.asked).size).toBe(16);
    expect(new Set(await Promise.all(all.slice(0, 8)))).toEqual(new Set(['ETIMEOUT']));
    for (const names of opened) names.stop();
    await Promise.all(all);
  });

  it('whose names lie behind a silent server keeps up its own only', async () => {
    const names = open({ timeoutMs: 60_000 });
    for (const host of dead(40)) void codeOf(find(names.of('1'), host));
    expect(await find(names.of('2'), 'a.test')).toHaveLength(2);
    await names.prepare('3', 'a.test');
    expect(await find(names.lookup, 'a.test')).toHaveLength(2);
  });

  it('that wants a thousand more is told that it is too much', async () => {
    const names = open({ timeoutMs: 60_000 });
    const all = dead(1_009).map((host) => codeOf(find(names.of('1'), host)));
    expect(await all.at(-1)).toBe('EBUSY');
  });

  it('who prepared a name is the one whose question it is when a connection looks it up', async () => {
    const names = open({ timeoutMs: 60_000 });
    for (const host of dead(8)) void codeOf(names.prepare('1', host));
    void codeOf(names.prepare('1', 'a.test'));
    const found = codeOf(find(names.lookup, 'a.test'));
    const other = await find(names.lookup, 'localhost');
    expect(other).toHaveLength(2);
    expect(server.asked.filter((name) => name.startsWith('a.test'))).toEqual([]);
    names.stop();
    expect(await find(open().of('2'), 'a.test')).toHaveLength(2);
    expect(await found).toBe('ECANCELLED');
  });
});
