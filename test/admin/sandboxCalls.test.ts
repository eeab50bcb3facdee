/** Calls of the sandbox that are placed by hand, and the telephone of the called person. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const place = (body: object) => on.admin('POST', `/accounts/${demoAccount}/sandbox-calls`, body);
const phone = async (id: string) => (await on.admin('GET', `/machines/${id}/phone`)).body;
const act = (id: string, body: object) => on.admin('POST', `/machines/${id}/phone`, body);
const rings = (id: string) => expect.poll(async () => (await phone(id)).state).toBe('ringing');

test('a person answers, hears the menu, presses a key, hears what it says, and the call ends', async () => {
  const { http, body } = await place({
    ...{ dest: '11987699000', text: 'Press 1 to confirm, 2 to change.' },
    keys: [
      { key: '1', says: 'Thank you.' },
      { key: '2', says: 'We shall call again.' },
    ],
  });
  expect(http).toBe(201);
  await rings(body.id);
  expect(await act(body.id, { do: 'answer' })).toMatchObject({
    http: 200,
    body: { state: 'up', inHand: true },
  });
  await expect.poll(async () => (await phone(body.id)).hears?.audio.length).toBe(1);
  const [audio] = (await phone(body.id)).hears.audio;
  // Links name the public address of the service.
  const { pathname, search } = new URL(audio);
  const heard = await fetch(on.url + pathname + search);
  expect([heard.status, heard.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  const before = (await phone(body.id)).hears.playback;
  expect((await act(body.id, { do: 'press', key: '2' })).http).toBe(200);
  await expect.poll(async () => (await phone(body.id)).hears?.playback).not.toBe(before);
  await act(body.id, { do: 'hangUp' });
  await on.ended(body.id);
  const { record, history } = (await on.admin('GET', `/machines/${body.id}`)).body;
  expect(record).toMatchObject({ sandbox: true, status: 'OK' });
  expect(JSON.stringify(history)).toContain('"digit":"2"');
});

test('a person who rejects it is busy', async () => {
  const { body } = await place({ dest: '11987699000', text: 'Oi' });
  await rings(body.id);
  expect((await act(body.id, { do: 'reject' })).body.state).toBe('ended');
  await on.ended(body.id);
  expect((await on.admin('GET', `/machines/${body.id}`)).body.record.status).toBe('BUSY');
});

test('what the operation refuses is refused in its words, with its code', async () => {
  expect(await place({ dest: '12', text: 'Oi' })).toMatchObject({
    http: 400,
    body: { field: 'dest', code: '203' },
  });
});

test('a key without press, two answers for one key and other machines are refused', async () => {
  const keys = [
    { key: '1', says: 'a' },
    { key: '1', says: 'b' },
  ];
  expect(await place({ dest: '11987699000', text: 'Oi', keys })).toMatchObject({
    http: 400,
    body: { field: 'keys' },
  });
  const { body } = await place({ dest: '11987699000', text: 'Oi' });
  expect(await act(body.id, { do: 'press' })).toMatchObject({ http: 400, body: { field: 'key' } });
  expect(await act(body.id, { do: 'answer', key: '1' })).toMatchObject({ http: 400, body: { field: 'key' } });
  expect(await act(body.id, { do: 'press', key: '12' })).toMatchObject({ http: 400, body: { field: 'key' } });
  const { body: scheduled } = await on.post('MakeTTSCall', {
    ...{ dest: '11987650000', text: 'Oi' },
    block: new Date(Date.now() + 86_400_000).toISOString(),
  });
  expect((await act(scheduled.return.cd_id, { do: 'answer' })).http).toBe(409);
});

test('an operator sees the telephone and does nothing with it', async () => {
  const { body } = await place({ dest: '11987699000', text: 'Oi' });
  await rings(body.id);
  const { key } = (await on.admin('POST', '/operators', { name: 'Ana', role: 'operator' })).body;
  const as = { authorization: `Bearer ${key}` };
  expect((await on.admin('GET', `/machines/${body.id}/phone`, undefined, as)).body.state).toBe('ringing');
  expect((await on.admin('POST', `/machines/${body.id}/phone`, { do: 'answer' }, as)).http).toBe(403);
});
