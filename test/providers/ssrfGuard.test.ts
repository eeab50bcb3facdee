import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookAccount } from '../../src/providers/delivery/webhook/webhookAccountTypes.ts';
import { type WebhookTransport, webhookTransport } from '../../src/providers/delivery/webhook.ts';
import type { FileDownloader } from '../../src/providers/contracts/download.ts';
import { openFileDownloader } from '../../src/providers/download/web.ts';
import type { LookupAllAddresses } from '../../src/providers/contracts/dns.ts';
import { newWebhookSecret } from '../../src/rules/deliveries/webhookSignature.ts';
import { type Receiver, startReceiver } from '../helpers/receiver.ts';

/** A name server of ours: what a name says now, and how often it was asked. */
const names = new Map<string, string[][]>();
let asked: string[] = [];
const lookup: LookupAllAddresses = (host, _, found) => {
  asked.push(host);
  const answers = names.get(host) ?? [];
  const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  if (addresses.length === 0)
    return found(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
  found(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

let inside: Receiver;
let folder: string;
const open: { stop(): Promise<void> }[] = [];
beforeAll(async () => {
  inside = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'ramal-outward-'));
});
beforeEach(() => {
  names.clear();
  asked = [];
  inside.reset();
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.stop()));
  inside.close();
  rmSync(folder, { recursive: true });
});

const account: WebhookAccount = {
  ...{ url: '', method: 'POST', type: 'json' },
  openLogin: () => ({}),
  openSecrets: () => [newWebhookSecret()],
  eventOf: async ({ event: name }) => ({ id: 'evt_1', fields: { event: name } }),
  pushOf: () => {
    throw new Error('nothing is pushed here');
  },
};

const transportOf = (allowed: string[]): WebhookTransport => {
  const transport = webhookTransport({
    ...{ findAccount: async () => account, allowed, temporary: folder, now: Date.now },
    names: { lookup, prepare: async () => {} },
  });
  open.push(transport);
  return transport;
};
const downloadsOf = (allowed: string[]): FileDownloader => {
  const downloads = openFileDownloader({
    ...{ folder, allowed, maxBytes: 1_000 },
    names: { lookup, prepare: async () => {} },
  });
  open.push(downloads);
  return downloads;
};

const at = (host: string): string => `http://${host}:${new URL(inside.url).port}/`;

/** What the transport says of an address: `there`, or why not. */
const called = (url: string, transport: WebhookTransport): Promise<string> =>
  transport
    .carry({
      machine: { shard: 'a', account: 3, id: 77, kind: 'delivery' },
      subject: { what: 'written', url, eventId: 'evt_1', contentType: 'text/plain', body: 'x' },
      ...{ attempt: 1, signal: new AbortController().signal },
    })
    .then(
      () => 'there',
      (error: Error & { reason?: string }) => error.reason ?? error.message,
    );

const fetched = async (url: string, downloads: FileDownloader): Promise<string> => {
  const got = await downloads.fetch(3, url);
  if (got.outcome === 'refused') return got.why;
  await got.file.discard();
  return 'there';
};

describe('a name', () => {
  it('that leads inside is not connected to, by the transport or for a download', async () => {
    for (const [name, address] of [
      ['loopback.example', '127.0.0.1'],
      ['mapped.example', '::ffff:127.0.0.1'],
      ['nat64.example', '64:ff9b::7f00:1'],
      ['metadata.example', '169.254.169.254'],
      ['lan.example', '10.0.0.1'],
      ['zone.example', 'fe80::1%lo'],
    ] as const) {
      names.set(name, [[address]]);
      expect([name, await called(at(name), transportOf([]))]).toEqual([name, 'addressRefused']);
      expect([name, await fetched(at(name), downloadsOf([]))]).toEqual([
        name,
        'points into a private network',
      ]);
    }
    expect(inside.connections).toBe(0);
  });

  it('with several addresses, of which some lie inside, is called at the others alone', async () => {
    // 127.0.0.1 stands for the public one here; 127.0.0.2 would answer as well.
    const allowed = ['127.0.0.1/32'];
    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['::1', '10.0.0.1', '127.0.0.1'],
    ]) {
      names.set('several.example', [addresses]);
      inside.answer = ({ socket }, response) => response.end(socket.localAddress);
      expect(await called(at('several.example'), transportOf(allowed))).toBe('there');
      expect(await fetched(at('several.example'), downloadsOf(allowed))).toBe('there');
    }
    names.set('several.example', [['127.0.0.2', '10.0.0.1']]);
    expect(await called(at('several.example'), transportOf(allowed))).toBe('addressRefused');
  });

  it('that changes its mind is asked once a connection, and what it said then is what is connected to', async () => {
    // First outside, then inside: who checks and asks again would go inside.
    names.set('rebound.example', [['127.0.0.1'], ['127.0.0.2']]);
    const transport = transportOf(['127.0.0.1/32']);
    inside.answer = (_, response) => response.writeHead(200, { connection: 'close' }).end();
    expect(await called(at('rebound.example'), transport)).toBe('there');
    expect([asked, inside.heard.length]).toEqual([['rebound.example'], 1]);
    expect(await called(at('rebound.example'), transport)).toBe('addressRefused');
    expect([asked.length, inside.heard.length]).toEqual([2, 1]);
  });

  it('that nobody knows may be known later', async () => {
    expect(await called(at('nobody.example'), transportOf([]))).toBe('it cannot be reached: ENOTFOUND');
  });
});

describe('an answer that leads elsewhere', () => {
  it('is not followed, wherever it leads', async () => {
    const downloads = downloadsOf(['127.0.0.1/32']);
    names.set('redirects.example', [['127.0.0.1']]);
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'http://127.0.0.2/',
      'file:///etc/passwd',
      `${inside.url}/again`,
    ])
      for (const status of [301, 302, 303, 307, 308]) {
        inside.answer = (_, response) => response.writeHead(status, { location }).end();
        inside.heard = [];
        // The target is left alone when it fails too often; each time it is another.
        const fresh = transportOf(['127.0.0.1/32']);
        expect(await called(at('redirects.example'), fresh)).toBe(
          `it redirects (HTTP ${status}), which is not followed`,
        );
        expect(await fetched(at('redirects.example'), downloads)).toBe('redirects, which is not followed');
        expect(inside.heard.map(({ path }) => path)).toEqual(['/', '/']);
      }
  });
});
