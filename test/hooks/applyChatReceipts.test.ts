import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Pool, QueryConfig } from 'pg';
import type { MessageInput } from '../../machines/message/input.ts';
import type { MessageReceiptEvent, DeliveredOrReadUpToEvent } from '../../src/hooks/chatHookEventTypes.ts';
import { readPageMessagingHook } from '../../src/hooks/read/pageChatOrPhotoDmHook.ts';
import { openAcknowledgementWaits } from '../../src/hooks/acknowledgementWaits.ts';
import { applyMessageReceipts } from '../../src/hooks/applyChatReceipts.ts';
import type { ChatHookHandlerDeps } from '../../src/hooks/scope.ts';
import type { ChatSenderLine } from '../../src/providers/contracts/chat.ts';
import { type HookBed, startHookBed } from './bed.ts';
import { aboutMessages, pageHook, phone } from './bodies.ts';
import { demoAccount } from '../helpers/service.ts';
import { passes } from '../helpers/milestones.ts';
import { until } from '../helpers/patience.ts';

const page = '201100000000001';
const person = '7015550100';
const to = '5511987650000';

let bed: HookBed;
let line: number;
let pageLine: number;
let said = 0;
beforeAll(async () => {
  bed = await startHookBed();
  line = await bed.line({ v8l_class: 'msgapp', v8l_wa_app_name: phone, v8l_wa_number: '15550783881' });
  pageLine = await bed.line({ v8l_class: 'pagechat', v8l_fb_page_id: page });
  await bed.on.admin('PATCH', `/accounts/${demoAccount}`, { price_1: 0.25 });
});
afterAll(() => bed.stop());
afterEach(() => bed.upstream.check());

const sendMsgapp = async (): Promise<string> => {
  said += 1;
  const answer = await bed.on.post('MakeMsgapp', { dest: to, app_id: line, mdata: `message ${said}` });
  return answer.body.return.cdls_id;
};
const sendPage = (dest = person) => {
  said += 1;
  return bed.on.post('MakePageChat', { dest, app_id: pageLine, mdata: `message ${said}` });
};
const sentPage = async (dest = person): Promise<string> => (await sendPage(dest)).body.return.cdls_id;

/** Upstream's seconds; the day of the test is of no importance, but for its order. */
const now = Math.floor(Date.now() / 1000) - 60;
const status = (message: { provider_id: string }, word: string, after: number, more: object = {}) => ({
  ...{ id: message.provider_id, status: word, timestamp: String(now + after), recipient_id: to },
  ...more,
});
const statuses = (...all: object[]) => aboutMessages({ statuses: all });
const tell = (...all: object[]) => bed.hook('msgapp', line, statuses(...all));

const stepsOf = async (id: string): Promise<string[]> =>
  (await bed.on.service.engine.history({ shard: 'a', account: demoAccount, id: Number(id) }, 0, 50)).map(
    ({ event }) => event,
  );
const entriesOf = async (id: string): Promise<string[]> =>
  (
    await bed.database.pool.query<{ entry: string }>(
      'SELECT entry FROM ledger WHERE machine_id = $1 ORDER BY id',
      [id],
    )
  ).rows.map(({ entry }) => entry);
const balance = async (): Promise<number> =>
  Number(
    (
      await bed.database.pool.query<{ amount: string }>(
        "SELECT amount::text FROM balances WHERE account_id = $1 AND name = 'balance'",
        [demoAccount],
      )
    ).rows[0]!.amount,
  );

/** What its upstream answers to the next message; it does so when it is told to. */
const answersLate = (answer: { status: number; json: unknown }): (() => void) => {
  let tellIt = (): void => {};
  const when = new Promise<void>((resolve) => (tellIt = resolve));
  bed.upstream.next({ ...answer, when });
  return tellIt;
};
/** In which a receipt that is told meanwhile comes first, milliseconds; short beside the patience of a hook. */
const aWhile = 300;

/** The message that its upstream has not answered to. */
const onItsWay = async (): Promise<string> => {
  const accepted = `SELECT id::text AS id FROM messages WHERE state = 'accepted'`;
  const { id } = await until(async () => (await bed.database.pool.query<{ id: string }>(accepted)).rows[0]);
  return id;
};

describe('receipts of Msgapp', () => {
  test('reach the log in order, though they come in disorder, and twice', async () => {
    const id = await sendMsgapp();
    const sent = await bed.message(id);
    const [read, delivered, taken] = [
      status(sent, 'read', 20),
      status(sent, 'delivered', 10),
      status(sent, 'sent', 5),
    ];
    for (const one of [read, read, taken, delivered, read, delivered, taken])
      expect((await tell(one)).http).toBe(200);
    expect(await bed.message(id)).toMatchObject({
      state: 'read',
      delivered_at: (now + 10) * 1000,
      read_at: (now + 20) * 1000,
      finished: true,
      refunded: false,
    });
    expect(await stepsOf(id)).toEqual(['started', 'acknowledged', 'receipt', 'receipt']);
  });

  test('all at once, in one hook and in several, end the same', async () => {
    const id = await sendMsgapp();
    const sent = await bed.message(id);
    const all = [status(sent, 'read', 3), status(sent, 'delivered', 2), status(sent, 'sent', 1)];
    const answers = await Promise.all([
      tell(...all),
      tell(...all.toReversed()),
      ...all.map((one) => tell(one)),
    ]);
    expect(answers.map(({ http }) => http)).toEqual([200, 200, 200, 200, 200]);
    const { state, delivered_at, read_at } = await bed.message(id);
    expect([state, delivered_at, read_at]).toEqual(['read', (now + 2) * 1000, (now + 3) * 1000]);
  });

  test('of failure say why, and give back what the message cost, once', async () => {
    const before = await balance();
    const id = await sendMsgapp();
    expect(await balance()).toBe(before - 2_500);
    const failed = status(await bed.message(id), 'failed', 1, {
      errors: [{ code: 131_026, title: 'Message undeliverable', error_data: { details: 'not on the app' } }],
    });
    expect((await tell(failed)).http).toBe(200);
    expect((await tell(failed, failed)).http).toBe(200);
    expect(await bed.message(id)).toMatchObject({
      state: 'failed',
      outcome_code: '131026',
      outcome_text: 'not on the app',
      refunded: true,
    });
    expect(await entriesOf(id)).toEqual(['charge', 'refund']);
    expect(await balance()).toBe(before);
  });

  test('say what the upstream counts a message as, which operators see beside its own price', async () => {
    const id = await sendMsgapp();
    const pricing = {
      billable: false,
      pricing_model: 'PMP',
      category: 'utility',
      type: 'free_customer_service',
    };
    expect((await tell(status(await bed.message(id), 'sent', 1, { pricing }))).http).toBe(200);
    expect((await bed.on.admin('GET', `/accounts/${demoAccount}/messages/${id}`)).body).toMatchObject({
      pricing: { billable: false, model: 'PMP', category: 'utility', type: 'free_customer_service' },
      cdls_value: '0,250',
    });
  });

  test('find a message whose acknowledgement was lost by our own reference', async () => {
    bed.upstream.next({ cut: 'unanswered' });
    const id = await sendMsgapp();
    expect(await bed.message(id)).toMatchObject({ state: 'unknown', provider_id: '' });
    const receipt = status({ provider_id: 'wamid.lost' }, 'delivered', 1);
    await tell({ ...receipt, biz_opaque_callback_data: `a.${demoAccount}.${id}` });
    expect(await bed.message(id)).toMatchObject({ state: 'delivered', provider_id: 'wamid.lost' });
  });

  test('of failure tell what became of a message whose acknowledgement was lost', async () => {
    bed.upstream.next({ cut: 'unanswered' });
    const id = await sendMsgapp();
    const lost = { provider_id: 'wamid.lost' };
    const reference = { biz_opaque_callback_data: `a.${demoAccount}.${id}` };
    expect((await tell(status(lost, 'failed', 0, reference))).http).toBe(200);
    const { body } = await bed.on.admin('GET', `/accounts/${demoAccount}/messages/${id}`);
    expect(body).toMatchObject({
      ...{ status: 'failed', refunded: true },
      ...{ cdls_return_id: 'wamid.lost', cdls_status_delivery: 'failed' },
    });
  });

  test('that overtake the acknowledgement wait for it, so that the log keeps both', async () => {
    const json = { messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.late' }] };
    const acknowledge = answersLate({ status: 200, json });
    const sending = sendMsgapp();
    const id = await onItsWay();
    const overtaking = status({ provider_id: 'wamid.late' }, 'delivered', 1);
    const telling = tell({ ...overtaking, biz_opaque_callback_data: `a.${demoAccount}.${id}` });
    setTimeout(acknowledge, aWhile);
    expect((await telling).http).toBe(200);
    expect(await bed.message(await sending)).toMatchObject({
      state: 'delivered',
      provider_id: 'wamid.late',
      raw_answer: expect.stringContaining('wamid.late') as string,
    });
  });

  test('come by any line of the same number, and find the message all the same', async () => {
    const twin = await bed.line({ v8l_class: 'msgapp', v8l_wa_app_name: phone });
    const id = await sendMsgapp();
    const delivered = status(await bed.message(id), 'delivered', 1);
    expect((await bed.hook('msgapp', twin, statuses(delivered))).http).toBe(200);
    expect((await bed.message(id)).state).toBe('delivered');
  });

  test('of messages that nobody here sent are acknowledged', async () => {
    expect((await tell(status({ provider_id: 'wamid.anothers' }, 'read', 1))).http).toBe(200);
    const odd = [
      '',
      'x',
      `a.${demoAccount}`,
      `a.${demoAccount}.1.2`,
      `a.${demoAccount}.9007199254740993`,
      'a.3.-1',
    ];
    for (const reference of odd) {
      const receipt = status({ provider_id: 'wamid.anothers' }, 'read', 1);
      expect((await tell({ ...receipt, biz_opaque_callback_data: reference })).http).toBe(200);
    }
  });

  test('touch no message of another account, whatever reference or id they name', async () => {
    const other: number = (await bed.on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    const theirLine = await bed.line({ v8l_class: 'msgapp', v8l_wa_app_name: phone }, other);
    const theirs = await aMessage(theirLine, other);
    const sent = await bed.message(theirs, other);
    const forged = status(sent, 'failed', 1, { errors: [{ code: 1, title: 'forged' }] });
    for (const reference of [`a.${other}.${theirs}`, `a.${demoAccount}.${theirs}`, ''])
      expect((await tell({ ...forged, biz_opaque_callback_data: reference })).http).toBe(200);
    expect(sent).toMatchObject({ state: 'acknowledged', account_id: other });
    expect(await bed.message(theirs, other)).toEqual(sent);
  });

  test('that fit no message are asked for again while the shard is not open: the database may have forgotten it', async () => {
    const { engine } = bed.on.service;
    const stray = status({ provider_id: 'wamid.of-a-message-that-is-written-again' }, 'delivered', 1);
    engine.suspect('a', 'may lack commits');
    try {
      await expect.poll(async () => (await tell(stray)).http).toBe(503);
    } finally {
      engine.suspect('a', undefined);
    }
    await expect.poll(async () => (await tell(stray)).http).toBe(200);
  });

  test('a thousand of them are taken in one hook', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => aMessage(line)));
    const rows = await Promise.all(ids.map((id) => bed.message(id)));
    const all = ['read', 'delivered', 'sent', 'read', 'delivered'].flatMap((word, after) =>
      rows.map((sent, n) => ({
        ...status(sent, word, after),
        ...(n % 2 === 0 && { biz_opaque_callback_data: `a.${demoAccount}.${sent.id}` }),
      })),
    );
    expect(all).toHaveLength(1_000);
    expect((await tell(...all)).http).toBe(200);
    const counted = await bed.database.pool.query(
      'SELECT state, finished, count(*)::int AS count FROM messages WHERE id = ANY($1) GROUP BY state, finished',
      [ids],
    );
    expect(counted.rows).toEqual([{ state: 'read', finished: true, count: 200 }]);
  });
});

/** A message that its upstream has taken. */
const aMessage = async (by: number, account: number = demoAccount): Promise<number> => {
  const { engine } = bed.on.service;
  const ref = { shard: 'a', account, id: engine.mintId('a') };
  const text = { type: 'text', text: { body: 'x' } };
  const body = { messaging_product: 'whatsapp', recipient_type: 'individual', to, ...text };
  const submission = { channel: 'msgapp', line: by, body } as const;
  const input: MessageInput = {
    ...{ channel: 'msgapp', routes: [{ by: 'chat', submission }], destination: to, sender: '' },
    ...{ contentType: 'text', body: '', correlation: '', related: '', campaignId: '', callId: '' },
    ...{ segments: 1, price: 0, refund: [] },
  };
  await engine.start({ kind: 'message', ...ref, input });
  await passes(engine, ref, 'answered');
  return ref.id;
};

describe('receipts of PageChat', () => {
  const told = (...messaging: object[]) => bed.hook('pagechat', pageLine, pageHook(page, ...messaging));
  const from = (contact: string) => ({
    sender: { id: contact },
    recipient: { id: page },
    timestamp: Date.now(),
  });

  test('name delivered messages, and say up to when a person has read', async () => {
    const [first, second] = [await sentPage(), await sentPage()];
    const mids = [(await bed.message(first)).provider_id, (await bed.message(second)).provider_id];
    const until = Number((await bed.message(second)).acknowledged_at);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const third = await sentPage();
    const others = await sentPage('7015550199');
    const delivery = { ...from(person), delivery: { mids, watermark: until } };
    const read = { ...from(person), read: { watermark: until } };
    for (const one of [delivery, read, read, delivery]) expect((await told(one)).http).toBe(200);
    const states = await Promise.all([first, second, third, others].map((id) => bed.message(id)));
    expect(states.map(({ state }) => state)).toEqual(['read', 'read', 'acknowledged', 'acknowledged']);
    expect(states[0]).toMatchObject({ delivered_at: until, read_at: expect.any(Number) as number });
  });

  test('find a message by a watermark alone', async () => {
    const id = await sentPage('7015550101');
    await told({ ...from('7015550101'), delivery: { watermark: Date.now() } });
    expect((await bed.message(id)).state).toBe('delivered');
  });

  test('whose message is on its way are waited for, and else brought again until it has come', async () => {
    const contact = '7015550102';
    const acknowledge = answersLate({ status: 200, json: { recipient_id: contact, message_id: 'm_slow' } });
    const sending = sendPage(contact);
    await onItsWay();
    const delivery = { ...from(contact), delivery: { mids: ['m_slow'], watermark: Date.now() } };
    // Somebody else's receipts do not wait.
    expect((await told({ ...delivery, sender: { id: '7015550103' } })).http).toBe(200);
    expect(await told(delivery)).toMatchObject({ http: 503, retryAfter: '5' });
    // The second one is patient enough.
    const again = told(delivery);
    setTimeout(acknowledge, aWhile);
    expect((await again).http).toBe(200);
    expect(await bed.message((await sending).body.return.cdls_id)).toMatchObject({
      state: 'delivered',
      provider_id: 'm_slow',
    });
  });

  test.each(['delivery', 'read'] as const)(
    'a %s is not lost when the acknowledgement comes while its message is looked for',
    async (word) => {
      const contact = `70155502${word.length}`;
      const mid = `m_between_${word}`;
      const acknowledge = answersLate({ status: 200, json: { recipient_id: contact, message_id: mid } });
      const sending = sendPage(contact);
      const id = await onItsWay();
      const { engine } = bed.on.service;
      const [first] = readPageMessagingHook(
        pageHook(page, { ...from(contact), [word]: { mids: [mid], watermark: Date.now() + 60_000 } }),
      );
      /** The first question is answered, and then everything happens before the next one. */
      let asked = 0;
      const between = Object.create(bed.database.pool, {
        query: {
          value: async (question: QueryConfig) => {
            const answer = await bed.database.pool.query(question);
            asked += 1;
            if (asked > 1) return answer;
            acknowledge();
            await passes(engine, { shard: 'a', account: demoAccount, id: Number(id) }, 'answered');
            return answer;
          },
        },
      }) as Pool;
      const log = { info: () => {}, warn: () => {} };
      const waits = openAcknowledgementWaits();
      const scope = { engine, database: () => between, log, waits } as unknown as ChatHookHandlerDeps;
      const line = { id: pageLine, shard: 'a', account: demoAccount, class: 'pagechat' } as ChatSenderLine;
      await applyMessageReceipts(scope, line, [
        first!.event as MessageReceiptEvent | DeliveredOrReadUpToEvent,
      ]);
      await sending;
      expect((await bed.message(id)).state).toBe(word === 'read' ? 'read' : 'delivered');
    },
  );

  test('of one account that wait for acknowledgements leave places for those of others', async () => {
    const contact = '7015550333';
    const acknowledge = answersLate({ status: 200, json: { recipient_id: contact, message_id: 'm_crowd' } });
    const sending = sendPage(contact);
    await onItsWay();
    const waitsFor: number[] = [];
    let hurry = (): void => {};
    const hurried = new Promise<'reached'>((resolve) => (hurry = () => resolve('reached')));
    const { engine } = bed.on.service;
    const waits = openAcknowledgementWaits();
    const scope = {
      ...{ database: () => bed.database.pool, log: { info: () => {}, warn: () => {} }, waits },
      engine: {
        now: (shard: string) => engine.now(shard),
        standsOpen: async () => true,
        waitFor: ({ id }: { id: number }) => {
          waitsFor.push(id);
          return hurried;
        },
      },
    } as unknown as ChatHookHandlerDeps;
    const sender = { id: pageLine, shard: 'a', account: demoAccount, class: 'pagechat' } as ChatSenderLine;
    const [early] = readPageMessagingHook(
      pageHook(page, { ...from(contact), delivery: { mids: ['m_crowd'], watermark: Date.now() + 60_000 } }),
    );
    const answers: string[] = [];
    const hooks = Array.from({ length: 30 }, () =>
      applyMessageReceipts(scope, sender, [early!.event as MessageReceiptEvent]).then(
        () => answers.push('taken'),
        (error: Error) => answers.push(error.message),
      ),
    );
    await expect.poll(() => [waitsFor.length, answers.length]).toEqual([15, 15]);
    expect(new Set(answers)).toEqual(new Set(['too many hooks wait for acknowledgements already']));
    const another = waits.enter('a.2');
    expect(another).toBeTypeOf('function');
    another!();
    acknowledge();
    await sending;
    hurry();
    await Promise.all(hooks);
    expect(waits.enter(`a.${demoAccount}`)).toBeTypeOf('function');
  });

  test('that are echoes of what the page sent are no messages', async () => {
    const echo = { ...from(page), message: { mid: 'm_echo', text: 'hi', is_echo: true } };
    expect((await told(echo)).http).toBe(200);
    const { rows } = await bed.database.pool.query(
      "SELECT 1 FROM inbound_messages WHERE upstream_id = 'm_echo'",
    );
    expect(rows).toEqual([]);
  });
});
