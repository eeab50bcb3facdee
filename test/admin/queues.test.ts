/** Call queues of an account: made, changed and removed by the admin API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const path = `/accounts/${demoAccount}/queues`;
let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

test('a queue takes numbers and SIP URIs', async () => {
  const members = [{ number: '11987650001' }, { uri: 'sip:ana@example.com', penalty: 2, active: 0 }];
  const made = await on.admin('POST', path, { name: 'Sales', strategy: 'leastrecent', members });
  expect(made.body).toMatchObject({
    queue_id: expect.any(Number),
    strategy: 'leastrecent',
    active: true,
    members: [
      { member: '11987650001', target: '11987650001', penalty: 0, active: true },
      { member: 'sip:ana@example.com', target: 'sip:ana@example.com', penalty: 2, active: false },
    ],
  });
  const id = made.body.queue_id;
  expect((await on.admin('GET', `/machines/${id}`)).body.kind).toBe('line');
  expect((await on.admin('PATCH', `${path}/${id}`, { active: false })).body.active).toBe(false);
  expect((await on.admin('GET', path)).body.queues).toHaveLength(1);
  expect((await on.admin('POST', path, { name: 'x', members: [{ target: '?' }] })).http).toBe(400);
  expect((await on.admin('POST', path, { name: 'x', strategy: 'loudest' })).http).toBe(400);
  expect((await on.admin('DELETE', `${path}/${id}`)).http).toBe(204);
});

test('a member has one target, whichever of its names says it', async () => {
  const { http, body } = await on.admin('POST', path, {
    name: 'Two',
    members: [{ target: '11987650001', number: '11987650002' }],
  });
  expect([http, body]).toMatchObject([
    400,
    { error: expect.stringContaining('give one of target, number and uri') },
  ]);
  const members = [{ target: '11987650001', number: '11987650001' }];
  expect((await on.admin('POST', path, { name: 'One', members })).http).toBe(201);
});

test.each([
  [{ target: 'nowhere' }, 'members.1.target'],
  [{ number: 'nowhere' }, 'members.1.number'],
  [{ uri: 'nowhere' }, 'members.1.uri'],
  [{ member: 'Ana' }, 'members.1.target'],
  [{ target: '11987650001', uri: 'sip:ana@example.com' }, 'members.1.target'],
])('a member %j is refused under the name that its target was given by', async (wrong, field) => {
  const members = [{ target: '11987650002' }, wrong];
  const { http, body } = await on.admin('POST', path, { name: 'Wrong', members });
  expect([http, body.field]).toEqual([400, field]);
  expect(body.error).toMatch(new RegExp(`^${field}:? (must be|give one of)`));
});
