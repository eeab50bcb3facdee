import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecordsPushCallback } from '../../../machines/delivery/input.ts';
import { openDeliveryDispatcher } from '../../../src/providers/delivery/deliveryDispatcher.ts';
import type {
  WebhookAccount,
  Push,
  CallRecordPushPosition,
} from '../../../src/providers/delivery/webhook/webhookAccountTypes.ts';
import { type WebhookTransport, webhookTransport } from '../../../src/providers/delivery/webhook.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { names } from '../../helpers/names.ts';

let receiver: Receiver;
let transport: WebhookTransport;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Where calls were read from, in the order it was done. */
let read: (CallRecordPushPosition | undefined)[];
let total: number;

/** Calls `total` to 1, newest first. */
const aPush: Push = {
  ...{ method: 'POST', type: 'form' },
  openLogin: () => ({}),
  answer: async function* () {
    yield '{"calls":[]}';
  },
  calls: async function* (resume) {
    read.push(resume);
    for (let id = resume ? resume.id - 1 : total; id > 0; id -= 1) yield { id, fields: { cd_id: `a_${id}` } };
  },
};
const account: WebhookAccount = {
  ...{ url: '', method: 'POST', type: 'json' },
  openLogin: () => ({}),
  openSecrets: () => ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  eventOf: async () => ({ id: 'evt', fields: {} }),
  pushOf: () => aPush,
};

beforeEach(async () => {
  receiver.reset();
  read = [];
  await transport?.stop();
  transport = webhookTransport({
    names,
    ...{ findAccount: async () => account, allowed: ['127.0.0.0/8'], temporary: tmpdir(), now: Date.now },
  });
});
afterAll(() => transport.stop());

const subject = (): CallRecordsPushCallback => ({
  ...{
    what: 'push',
    url: receiver.url,
    eventId: 'push_a_3_77',
    query: {},
    limit: -1,
    numtype: '',
    origin: 'api',
  },
});

/** What the machine hears of one attempt. */
const attempt = async (resume?: string) => {
  const dispatcher = openDeliveryDispatcher({ callback: transport });
  const performed = await dispatcher.performers.deliver({
    ...{ id: 'a.3.77.1.0', name: 'deliver', attempt: 1, seen: {}, signal: new AbortController().signal },
    machine: { shard: 'a', account: 3, id: 77, kind: 'delivery' },
    params: { purpose: 'callback', subject: subject(), attempt: 2, ...(resume && { resume }) },
  });
  return performed!.events![0];
};
const ids = () => receiver.heard.map(({ body }) => new URLSearchParams(body).get('cd_id'));

describe('a push by forms', () => {
  it('tells after every 500 calls how far it is, and goes on from there', async () => {
    total = 1_100;
    expect(await attempt()).toEqual({ type: 'partly', attempt: 2, resume: '601 500' });
    expect(await attempt('601 500')).toEqual({ type: 'partly', attempt: 2, resume: '101 1000' });
    expect(await attempt('101 1000')).toEqual({ type: 'delivered', attempt: 2 });
    expect(ids()).toEqual(Array.from({ length: 1_100 }, (_, n) => `a_${1_100 - n}`));
    expect(read).toEqual([undefined, { id: 601, count: 500 }, { id: 101, count: 1_000 }]);
    expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1_100);
  });

  it('that fails in the middle is tried from the call that failed, and no call that arrived is sent again', async () => {
    total = 10;
    receiver.answer = (_, response) => response.writeHead(receiver.heard.length === 4 ? 503 : 200).end();
    expect(await attempt()).toEqual({
      ...{ type: 'notDelivered', attempt: 2, message: 'it answered HTTP 503', resume: '8 3' },
    });
    expect(await attempt('8 3')).toEqual({ type: 'delivered', attempt: 2 });
    expect(ids()).toEqual(['a_10', 'a_9', 'a_8', 'a_7', 'a_7', 'a_6', 'a_5', 'a_4', 'a_3', 'a_2', 'a_1']);
    const [failed, again] = receiver.heard.slice(3);
    expect(again!.headers['webhook-id']).toBe(failed!.headers['webhook-id']);
  });

  it('that fails at its first call keeps what an earlier attempt had reached', async () => {
    total = 10;
    receiver.answer = (_, response) => response.writeHead(500).end();
    expect(await attempt()).toEqual({ type: 'notDelivered', attempt: 2, message: 'it answered HTTP 500' });
    expect(await attempt('8 3')).toMatchObject({ type: 'notDelivered', resume: '8 3' });
  });

  it('waits its turn behind others without having failed, and keeps what it has brought', async () => {
    total = 3;
    receiver.answer = (_, response) => {
      if (new URLSearchParams(receiver.heard.at(-1)!.body).get('cd_id') === 'a_3') response.end();
    };
    const quit = new AbortController();
    const others = Array.from({ length: 7 }, () => blocking(AbortSignal.any([quit.signal])));
    await expect.poll(() => transport.counts().inFlight).toBe(7);
    const slow = attempt();
    await expect.poll(() => ids()).toContain('a_2');
    const more = Array.from({ length: 512 }, () => blocking(AbortSignal.any([quit.signal])));
    await expect.poll(() => transport.counts().waiting).toBe(512);
    expect(await attempt()).toMatchObject({ type: 'deferred', attempt: 2 });
    receiver.answer = (_, response) => response.end();
    quit.abort(new Error('over'));
    await Promise.all([...others, ...more]);
    receiver.sockets.forEach((socket) => socket.destroy());
    expect(await slow).toMatchObject({ type: 'notDelivered', resume: '3 1' });
  });
});

/** An event that its receiver does not answer. */
const blocking = (signal: AbortSignal) =>
  transport
    .carry({
      machine: { shard: 'a', account: 3, id: 78, kind: 'delivery' },
      subject: { what: 'written', url: receiver.url, eventId: 'evt', contentType: 'text/plain', body: 'x' },
      ...{ attempt: 1, signal },
    })
    .catch(() => 'over');
