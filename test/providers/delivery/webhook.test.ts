import { tmpdir } from 'node:os';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerbatimBodyCallback } from '../../../machines/delivery/input.ts';
import type { DeliveryAttemptTask } from '../../../src/providers/contracts/delivery.ts';
import type { WebhookAccount, Push } from '../../../src/providers/delivery/webhook/webhookAccountTypes.ts';
import {
  type WebhookTransport,
  webhookTransport,
  type WebhookTransportOptions,
} from '../../../src/providers/delivery/webhook.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { names } from '../../helpers/names.ts';

const at = Date.UTC(2026, 10, 20, 12);
let receiver: Receiver;
let url: string;
const transports: WebhookTransport[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  url = receiver.url.replace('127.0.0.1', 'localhost');
});
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.stop()));
  receiver.close();
});

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** An account without wishes of its own. */
const anAccount: WebhookAccount = {
  ...{ url: '', method: 'POST', type: 'json' },
  openLogin: () => ({}),
  openSecrets: () => [secret],
  pushOf: () => {
    throw new Error('nothing is pushed here');
  },
  eventOf: async ({ id, event: name }) => ({
    id: `evt_${id}`,
    fields: { event: name, final: true, dur: 12, dest: 'é&=' },
  }),
};

const aTransport = (
  changes: Partial<WebhookTransportOptions> = {},
  account: Partial<WebhookAccount> = {},
): WebhookTransport => {
  const transport = webhookTransport({
    names,
    findAccount: async () => ({ ...anAccount, ...account }),
    allowed: ['127.0.0.0/8', '::1'],
    temporary: tmpdir(),
    now: () => at,
    ...changes,
  });
  transports.push(transport);
  return transport;
};

const event: VerbatimBodyCallback = {
  what: 'written',
  url: '',
  eventId: 'evt_1',
  contentType: 'application/json',
  body: '{"event":"message.received","text":"olá"}',
};

const anAttempt = (
  changes: Partial<VerbatimBodyCallback> = {},
  signal = new AbortController().signal,
): DeliveryAttemptTask => ({
  machine: { shard: 'a', account: 3, id: 77, kind: 'delivery' },
  subject: { ...event, url, ...changes },
  attempt: 1,
  signal,
});

const failure = async (transport: WebhookTransport, one: DeliveryAttemptTask) => {
  const { name, reason, message, afterMs } = await transport.carry(one).then(
    () => {
      throw new Error('it was carried');
    },
    (error: Error & { reason?: string; afterMs?: number }) => error,
  );
  return { name, message, ...(reason && { reason }), ...(afterMs !== undefined && { afterMs }) };
};

describe('the transport of callbacks', () => {
  it('posts the body as it stands, with the id of the event and the time of the attempt', async () => {
    await aTransport().carry(anAttempt({ url: `${url}/in?key=1` }));
    expect(receiver.heard).toMatchObject([
      {
        path: '/in?key=1',
        body: event.body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(at / 1000),
        },
      },
    ]);
  });

  it('takes any 2xx for an answer, and does not wait for the end of what is said with it', async () => {
    receiver.answer = (_, response) => response.writeHead(202).write('and so on');
    await aTransport().carry(anAttempt());
    expect(receiver.heard).toHaveLength(1);
  });

  it('does not follow a redirect, and counts every other answer as a failure that may pass', async () => {
    receiver.answer = (_, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end();
    expect(await failure(aTransport(), anAttempt())).toEqual({
      name: 'Retryable',
      message: 'it redirects (HTTP 302), which is not followed',
    });
    for (const status of [400, 404, 500]) {
      receiver.answer = (_, response) => response.writeHead(status, { 'retry-after': '60' }).end('<html>');
      expect(await failure(aTransport(), anAttempt())).toEqual({
        name: 'Retryable',
        message: `it answered HTTP ${status}`,
      });
    }
    expect(receiver.heard).toHaveLength(4);
  });

  it('hears when it should come again, in seconds or as a date', async () => {
    receiver.answer = (_, response) => response.writeHead(429, { 'retry-after': '90' }).end();
    expect(await failure(aTransport(), anAttempt())).toMatchObject({ name: 'Retryable', afterMs: 90_000 });
    const date = new Date(at + 120_000).toUTCString();
    receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': date }).end();
    expect(await failure(aTransport(), anAttempt())).toMatchObject({ name: 'Retryable', afterMs: 120_000 });
    receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': 'soon' }).end();
    expect(await failure(aTransport(), anAttempt())).toEqual({
      name: 'Retryable',
      message: 'it answered HTTP 503',
    });
  });

  it('takes 410 for a no for good', async () => {
    receiver.answer = (_, response) => response.writeHead(410).end();
    expect(await failure(aTransport(), anAttempt())).toMatchObject({ name: 'NotRetryable', reason: 'gone' });
  });

  it('tells silence, a connection that breaks and nobody there from a mistake of ours', async () => {
    receiver.answer = () => {};
    expect(await failure(aTransport({ answerMs: 100 }), anAttempt())).toMatchObject({
      name: 'Retryable',
      message: 'it did not answer within 0.1 s',
    });
    receiver.answer = (request) => request.socket.destroy();
    expect(await failure(aTransport(), anAttempt())).toMatchObject({
      name: 'Retryable',
      message: expect.stringContaining('it cannot be reached') as string,
    });
    expect(await failure(aTransport(), anAttempt({ url: 'http://nobody.invalid/' }))).toMatchObject({
      name: 'Retryable',
      message: expect.stringContaining('it cannot be reached') as string,
    });
  });

  it.each(['SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', '\u0000\u0000\u0004'])(
    'comes again to somebody who answers in another protocol: %j',
    async (greeting) => {
      const stranger = createSocketServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(greeting));
      });
      await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = stranger.address() as AddressInfo;
        expect(await failure(aTransport(), anAttempt({ url: `http://127.0.0.1:${port}/` }))).toEqual({
          name: 'Retryable',
          message: 'it cannot be reached: what it answers is not HTTP',
        });
      } finally {
        stranger.close();
      }
    },
  );

  it('hears a receiver out that says "continue" or gives hints before its answer, unasked', async () => {
    const transport = aTransport();
    receiver.answer = (_, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.writeContinue();
      setImmediate(() => response.writeHead(204).end());
    };
    await transport.carry(anAttempt());
    expect(receiver.heard.map(({ body, headers }) => [body, headers['webhook-id']])).toEqual(
      receiver.heard.map(() => [event.body, 'evt_1']),
    );
    // From then on it is asked once.
    receiver.heard = [];
    for (let n = 0; n < 3; n += 1) await transport.carry(anAttempt());
    expect(receiver.heard).toHaveLength(3);
    const saying = (status: number) => {
      receiver.answer = (_, response) => {
        response.writeContinue();
        response.writeHead(status, { 'retry-after': '90' }).end();
      };
    };
    saying(503);
    expect(await failure(transport, anAttempt())).toMatchObject({ name: 'Retryable', afterMs: 90_000 });
    saying(410);
    expect(await failure(aTransport(), anAttempt())).toMatchObject({ name: 'NotRetryable', reason: 'gone' });
    receiver.answer = (_, response) => response.writeContinue();
    expect(await failure(aTransport({ answerMs: 200 }), anAttempt())).toMatchObject({
      message: 'it did not answer within 0.2 s',
    });
    receiver.answer = (request, response) => {
      response.writeContinue();
      setImmediate(() => request.socket.destroy());
    };
    expect(await failure(transport, anAttempt())).toMatchObject({
      name: 'Retryable',
      message: 'it cannot be reached: ECONNRESET',
    });
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });

  it('sends a long body anew to a receiver that says "continue" unasked', async () => {
    const push: Push = {
      ...{ method: 'POST', type: 'json', openLogin: () => ({}) },
      answer: async function* () {
        for (let n = 0; n < 20; n += 1) yield 'x'.repeat(100_000);
      },
      calls: async function* () {},
    };
    const subject = {
      ...{ what: 'push', url, eventId: 'push_1', query: {}, limit: -1, numtype: '', origin: 'api' },
    };
    receiver.answer = (_, response) => {
      response.writeContinue();
      response.end();
    };
    const transport = aTransport({}, { pushOf: () => push });
    await transport.carry({ ...anAttempt(), subject });
    await transport.carry({ ...anAttempt(), subject });
    expect(new Set(receiver.heard.map(({ body }) => body.length))).toEqual(new Set([2_000_000]));
  });

  it('goes to no private network that was not opened, by name or by number, and sends nothing there', async () => {
    const strict = aTransport({ allowed: [] });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '[::1]', '169.254.169.254', '10.1.2.3'])
      expect([host, await failure(strict, anAttempt({ url: `http://${host}:${port}/` }))]).toEqual([
        host,
        {
          name: 'NotRetryable',
          reason: 'addressRefused',
          message: expect.stringMatching(/^the address points into a private network/),
        },
      ]);
    for (const wrong of ['ftp://example.com/', 'nonsense', `http://ana:secret@localhost:${port}/`])
      expect(await failure(aTransport(), anAttempt({ url: wrong }))).toMatchObject({
        reason: 'addressRefused',
      });
    expect(receiver.heard).toEqual([]);
  });

  it('sends away who comes too late to a slow receiver, and does not hold up another for it', async () => {
    const transport = aTransport({ answerMs: 20_000 });
    const quiet = receiver.answer;
    receiver.answer = () => {};
    const giveUp = new AbortController();
    const slow = Array.from({ length: 8 + 512 }, () =>
      transport.carry(anAttempt({}, AbortSignal.any([giveUp.signal]))).catch(() => 'over'),
    );
    await expect.poll(() => receiver.heard.length).toBe(8);
    expect(transport.counts()).toEqual({ inFlight: 8, waiting: 512, open: 0 });
    await expect(transport.carry(anAttempt())).rejects.toMatchObject({
      ...{ name: 'DeliveryPostponedError', message: 'others wait for the same receiver' },
      afterMs: expect.toSatisfy((ms: number) => ms >= 5_000 && ms <= 600_000) as number,
    });
    receiver.answer = quiet;
    // Another name of the same server is another receiver.
    await transport.carry(anAttempt({ url: url.replace('localhost', '127.0.0.1') }));
    giveUp.abort(new Error('over'));
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['over']));
    expect(transport.counts()).toEqual({ inFlight: 0, waiting: 0, open: 0 });
  });

  it('reads no more of an answer than it must, and lets go of who goes on talking', async () => {
    let closed = 0;
    receiver.answer = (request, response) => {
      request.socket.once('close', () => (closed += 1));
      const talk = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', talk);
      };
      response.writeHead(200);
      talk();
    };
    await aTransport().carry(anAttempt());
    await expect.poll(() => closed).toBe(1);
  });

  it('keeps no connection to a receiver that takes requests and never answers, but for a probe', async () => {
    let clock = 1_000;
    const transport = aTransport({ answerMs: 300, clock: () => clock });
    receiver.answer = () => {};
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => failure(transport, anAttempt())));
    const tried = outcomes.filter(({ message }) => message === 'it did not answer within 0.3 s').length;
    expect(tried).toBeLessThan(20);
    expect(outcomes.filter(({ message }) => message.includes('left alone')).length).toBe(40 - tried);
    await expect.poll(() => receiver.sockets.size).toBe(0);
    receiver.heard = [];
    clock += 5_000;
    await Promise.all(Array.from({ length: 10 }, () => failure(transport, anAttempt())));
    expect(receiver.heard.length).toBeLessThan(2);
    await expect.poll(() => receiver.sockets.size).toBe(0);
  });

  it('gives a long body the time that it takes, as long as more of it is taken', async () => {
    const part = 'x'.repeat(1_000_000);
    const push: Push = {
      ...{ method: 'POST', type: 'json', openLogin: () => ({}) },
      answer: async function* () {
        for (let n = 0; n < 40; n += 1) yield part;
      },
      calls: async function* () {},
    };
    const subject = {
      what: 'push',
      url: `${url}/slow`,
      eventId: 'push_1',
      query: {},
      limit: -1,
      numtype: '',
      origin: 'api',
    };
    let taken = 0;
    receiver.take = (request, response) => {
      request.on('data', (piece: Buffer) => {
        taken += piece.length;
        if (taken % 2_000_000 >= piece.length) return;
        request.pause();
        setTimeout(() => request.resume(), 150);
      });
      request.on('end', () => response.end());
    };
    const transport = aTransport({ answerMs: 2_000 }, { pushOf: () => push });
    await transport.carry({ ...anAttempt(), subject });
    expect(taken).toBe(40_000_000);
    // One that stops in the middle is not waited for.
    receiver.take = (request) => request.once('data', () => request.pause());
    const impatient = aTransport({ answerMs: 300 }, { pushOf: () => push });
    expect(await failure(impatient, { ...anAttempt(), subject })).toMatchObject({
      message: 'it did not answer within 0.3 s',
    });
  });
});
