import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}/groups`;

test('a group is made, read, renamed and deleted, by its own account only', async () => {
  const made = await on.admin('POST', path, { name: 'Spring' });
  expect(made).toMatchObject({ http: 201, body: { name: 'Spring', cdcs_id: demoAccount } });
  const id = made.body.cdg_id;
  expect((await on.admin('GET', `${path}/${id}`)).body).toEqual(made.body);
  const changed = { ...made.body, name: 'Summer' };
  expect((await on.admin('PATCH', `${path}/${id}`, { name: 'Summer' })).body).toEqual(changed);
  const next = (await on.admin('POST', path, { name: 'Autumn' })).body;
  expect((await on.admin('GET', path)).body).toEqual({ groups: [changed, next], cursor: null });
  expect((await on.admin('GET', `${path}?cursor=${id}`)).body.groups).toEqual([next]);
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
    expect((await on.admin(method, `/accounts/2/groups/${id}`, body)).http).toBe(404);
    expect((await on.admin(method, `${path}/99999999999`, body)).http).toBe(404);
  }
  expect((await on.admin('DELETE', `${path}/${id}`)).http).toBe(204);
  expect((await on.admin('GET', `${path}/${id}`)).http).toBe(404);
});

test('a group that something belongs to stays', async () => {
  const id = (await on.admin('POST', path, { name: 'Used' })).body.cdg_id;
  await on.database.pool.query(
    `INSERT INTO audios (account_id, id, type, group_id, created_at, expires_at)
     VALUES ($1, 1, 'tts', $2, 0, 0)`,
    [demoAccount, id],
  );
  expect((await on.admin('DELETE', `${path}/${id}`)).http).toBe(409);
  expect((await on.admin('GET', `${path}/${id}`)).http).toBe(200);
});

test('a name is needed', async () => {
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(121) }, { name: 'a\0b' }]) {
    expect(await on.admin('POST', path, body)).toMatchObject({ http: 400, body: { field: 'name' } });
  }
});
