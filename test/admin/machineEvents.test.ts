/** What operators may tell machines: each kind names its events, with the schema of what they say, and holds them to it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

let texts = 0;
const scheduledCall = async (): Promise<string> => {
  const block = new Date(Date.now() + 3 * 86_400_000).toISOString();
  return (await on.post('MakeTTSCall', { dest: '11987650012', text: `Oi ${(texts += 1)}`, block })).body
    .return.cd_id;
};

test('a call names the events that operators may send it, with what each says', async () => {
  const id = await scheduledCall();
  const { events } = (await on.admin('GET', `/machines/${id}`)).body;
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['cancel', 'retryNow', 'resolveUnknown']);
  expect(events[0].schema.properties).toEqual({});
  expect(events[2].schema.properties.outcome.enum).toContain('unreachable');
});

test('each event says in which states the machine takes it', async () => {
  const id = await scheduledCall();
  const { events } = (await on.admin('GET', `/machines/${id}`)).body;
  const takenIn = Object.fromEntries(
    events.map(({ type, taken_in }: { type: string; taken_in: string[] }) => [type, taken_in]),
  );
  expect(takenIn['cancel']).toEqual(expect.arrayContaining(['scheduled', 'dialing.ringing']));
  // Its SMS is sent, and nothing stops that any more.
  expect(takenIn['cancel']).not.toContain('texting');
  expect(takenIn['retryNow'].toSorted()).toEqual(['deferred', 'postponed', 'retrying', 'scheduled']);
  expect(takenIn['resolveUnknown']).toEqual(['checking']);
});

test('an event is held to its schema, and says nothing that is not in it', async () => {
  const id = await scheduledCall();
  const send = (path: string, body: object) => on.admin('POST', `/machines/${path}/events`, body);
  expect(await send(id, { type: 'resolveUnknown', outcome: 'perhaps' })).toMatchObject({
    http: 400,
    body: { field: 'outcome' },
  });
  expect((await send(id, { type: 'cancel', why: 'campaign' })).http).toBe(200);
  const { history } = (await on.admin('GET', `/machines/${id}`)).body;
  const cancelled = history.find(({ event }: { event: string }) => event === 'cancel');
  expect(cancelled.payload).not.toHaveProperty('why');
});

test('who sends an event that changes nothing is told so', async () => {
  const id = await scheduledCall();
  const send = async (type: string) => (await on.admin('POST', `/machines/${id}/events`, { type })).body;
  const see = async () => (await on.admin('GET', `/machines/${id}`)).body;
  await expect.poll(async () => (await see()).state).toBe('scheduled');
  const before = (await see()).revision;
  expect(await send('resolveUnknown')).toEqual({ outcome: 'stepped', state: 'scheduled', ignored: true });
  expect((await see()).revision).toBe(before);
  expect(await send('cancel')).toEqual({ outcome: 'stepped', state: 'ended' });
});

test('a queue is changed by those who may change queues, and by no event', async () => {
  const agent = { name: 'Bot', kind: 'websocket', url: 'ws://bot.example/audio', concurrent_limit: 3 };
  const { body: made } = await on.admin('POST', `/accounts/${demoAccount}/agents`, agent);
  const path = `/machines/a_${made.ccba_id}`;
  const of = `?account=${demoAccount}`;
  const see = async () => (await on.admin('GET', `${path}${of}`)).body;
  const { context: before, events } = await see();
  expect(events).toEqual([]);
  const members = [{ member: 'ana', endpoint: { kind: 'number', number: '5511900000000' } }];
  const change = { type: 'lineChanged', strategy: 'random', members, active: true };
  for (const event of [change, { type: 'lineRemoved' }])
    expect(await on.admin('POST', `${path}/events${of}`, event)).toMatchObject({
      http: 400,
      body: { field: 'type', error: expect.stringContaining('a line takes no events from operators') },
    });
  expect((await see()).context).toEqual(before);
});
