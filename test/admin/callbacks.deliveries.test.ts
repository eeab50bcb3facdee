/** What operators see of callbacks and do about those that were not delivered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallbackBed, startCallbackBed } from '../helpers/callbackBed.ts';
import type { Receiver } from '../helpers/receiver.ts';
import { demoAccount, type TestService } from '../helpers/service.ts';

let bed: CallbackBed;
let on: TestService;
let receiver: Receiver;
beforeAll(async () => {
  bed = await startCallbackBed();
  ({ on, receiver } = bed);
});
afterAll(() => bed.stop());

const deliveries = `/accounts/${demoAccount}/deliveries`;
let calls = 0;

/** A call that has ended; its name. */
const aCall = async (given: object = {}): Promise<string> => {
  calls += 1;
  const wish = { rurl: receiver.url, dest: '11987650001', text: `call ${calls}`, ...given };
  const { body } = await on.post('MakeTTSCall', wish);
  expect(body.return.status_code).toBe('0');
  await on.ended(body.return.cd_id);
  return body.return.cd_id;
};

const find = async (query: string) => (await on.admin('GET', `${deliveries}?${query}`)).body.deliveries;
const deliveryOf = async (call: string) => (await find(`about=${call}`))[0];
const reaches = async (call: string, state: string): Promise<void> => {
  await expect.poll(async () => (await deliveryOf(call))?.state).toBe(state);
};
const explained = async (call: string) => (await on.admin('GET', `/machines/${call}/explain`)).body;
const returl = async (call: string) => (await on.admin('GET', `/machines/${call}`)).body.record.cd_returl;

const refuse = (status: number): void => {
  receiver.answer = (_, response) => response.writeHead(status).end();
};
const take = (): void => refuse(200);

describe('the callbacks of a call', () => {
  test('are found by the call, and stand in its record and its explanation', async () => {
    take();
    const call = await aCall({ rurl_events: 'all' });
    await reaches(call, 'delivered');
    expect(await deliveryOf(call)).toMatchObject({
      ...{ purpose: 'callback', about_id: Number(call.split('_')[1]), result: 1, waiting: 0, finished: true },
      target: receiver.url + '/',
    });
    expect(await returl(call)).toBe(1);
    const { callbacks, sentences } = await explained(call);
    expect(callbacks).toMatchObject({ state: 'delivered', cd_returl: 1, waiting: 0 });
    expect(sentences).toContain(`Its callbacks were delivered to ${receiver.url}/, the last at attempt 1.`);
  });

  test('stand nowhere when nobody is told', async () => {
    const call = await aCall({ rurl: '' });
    expect(await deliveryOf(call)).toBeUndefined();
    expect((await on.admin('GET', `/machines/${call}`)).body.record).not.toHaveProperty('cd_returl');
    expect(await explained(call)).not.toHaveProperty('callbacks');
  });

  test('are found as waiting while they are written down and not yet born', async () => {
    take();
    const born = await aCall();
    await reaches(born, 'delivered');
    const locked = await on.database.pool.connect();
    let call: string;
    try {
      // A birth writes a record; whoever reads may go on.
      await locked.query('BEGIN');
      await locked.query('LOCK TABLE deliveries IN EXCLUSIVE MODE');
      call = await aCall();
      const reason = 'It is queued, and begins when its process has time: within a minute.';
      expect(await find(`about=${call}`)).toEqual([
        {
          delivery_id: expect.stringMatching(/^a_\d+$/),
          ...{ cdcs_id: demoAccount, purpose: 'callback', subject: expect.stringContaining('call') },
          ...{
            target: receiver.url + '/',
            about_id: Number(call.split('_')[1]),
            state: 'pending',
            attempts: 0,
          },
          ...{ result: 0, waiting: 0, last_error: '', last_error_in_words: { en: '', pt: '' } },
          ...{ delivered_at: null, finished: false, reason },
          ...{ created_at: expect.any(Number), next_at: expect.any(Number) },
        },
      ]);
      expect(await find('state=pending')).toHaveLength(1);
      expect((await find('')).slice(0, 2).map(({ state }: { state: string }) => state)).toEqual([
        'pending',
        'delivered',
      ]);
      expect(await find('state=pending&until=2020-01-01')).toEqual([]);
      expect(await returl(call)).toBe(0);
      const { callbacks, sentences } = await explained(call);
      expect(callbacks).toMatchObject({ state: 'pending', cd_returl: 0 });
      expect(sentences).toContain(`A callback to ${receiver.url}/ waits. ${reason}`);
    } finally {
      await locked.query('ROLLBACK');
      locked.release();
    }
    await reaches(call, 'delivered');
    expect(await find(`about=${call}`)).toMatchObject([{ state: 'delivered', reason: '' }]);
  });

  test('say how they failed, and that they wait', async () => {
    refuse(500);
    const call = await aCall();
    await reaches(call, 'retrying');
    expect(await returl(call)).toBe(0);
    expect((await explained(call)).sentences.join(' ')).toMatch(
      /on its way to .*attempt 1; the last attempt failed: it answered HTTP 500 \(fault of the server\); the next is at \d/,
    );
    take();
    const delivery = (await deliveryOf(call)).delivery_id;
    await on.admin('POST', `/machines/${delivery}/events`, { type: 'retryNow' });
    await reaches(call, 'delivered');
    expect(await returl(call)).toBe(2);
  });
});

describe('dead letters', () => {
  const replay = (body: object = {}) => on.admin('POST', `${deliveries}/replay`, body);

  test('are listed, explained, and sent again since a moment, each once', async () => {
    refuse(410);
    const early = await aCall();
    await reaches(early, 'deadLetter');
    const between = Date.now() + 1;
    await expect.poll(() => Date.now()).toBeGreaterThan(between);
    const late = await Promise.all([aCall(), aCall(), aCall()]);
    for (const call of late) await reaches(call, 'deadLetter');
    expect(await returl(early)).toBe(-1);
    expect((await explained(early)).sentences.join(' ')).toMatch(
      /dead letter after attempt 1: it says that it is gone for good .*then replay/,
    );
    const about = (rows: { about_id: number }[]) => rows.map(({ about_id: id }) => `a_${id}`).toSorted();
    expect(about(await find('state=deadLetter'))).toEqual([early, ...late].toSorted());
    expect(about(await find(`state=deadLetter&since=${between}`))).toEqual(late.toSorted());
    expect(about(await find(`since=${new Date(between).toISOString()}&until=2100-01-01`))).toEqual(
      late.toSorted(),
    );
    expect((await on.admin('GET', `${deliveries}?state=lost`)).http).toBe(400);
    expect((await replay({ since: 'yesterday' })).http).toBe(400);

    take();
    const before = receiver.heard.length;
    const twice = await Promise.all([replay({ since: between }), replay({ since: between })]);
    for (const { body } of twice) expect(body.more).toBe(false);
    for (const call of late) await reaches(call, 'delivered');
    expect(receiver.heard.length - before).toBe(3);
    expect((await deliveryOf(early)).state).toBe('deadLetter');
    expect((await replay()).body).toMatchObject({ replayed: 1, more: false });
    await reaches(early, 'delivered');
    expect(await returl(early)).toBe(2);
  });

  test('behind one another are sent in their order', async () => {
    refuse(410);
    const call = await aCall({ rurl_events: 'queued,dialing' });
    await reaches(call, 'deadLetter');
    await expect.poll(async () => (await deliveryOf(call)).waiting).toBe(2);
    take();
    const before = receiver.heard.length;
    await replay();
    await reaches(call, 'delivered');
    const events = receiver.heard.slice(before).map(({ body }) => JSON.parse(body).event as string);
    expect(events).toEqual(['queued', 'dialing', 'failed']);
  });
});
