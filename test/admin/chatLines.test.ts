/** Chat lines at the admin door (spec 2.6.1). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}/lines`;
const secrets = { v8l_wa_api_key: 'EAAGsecret', app_secret: 'app-secret', verify_token: 'verify' };
const whole = {
  v8l_class: 'msgapp',
  v8l_wa_provider: 'cloud',
  v8l_wa_app_name: '1055',
  v8l_wa_number: '15550783881',
  v8l_wa_business_id: '1022',
  v8l_fb_page_id: '7015',
  v8l_ig_account_id: '1784',
  forward_url: 'https://me.example/in',
};

const make = (body: object): Promise<RestAnswer> => on.admin('POST', path, body);
const rowOf = async (id: number) => (await on.database.prisma.chatLine.findFirst({ where: { id } }))!;

test('a line is kept under the names of the interface; its credentials are sealed and never told', async () => {
  const made = await make({ ...whole, ...secrets });
  const id = made.body.v8l_id;
  expect([made.http, made.body]).toEqual([
    201,
    {
      ...whole,
      v8l_id: expect.any(Number),
      cdcs_id: demoAccount,
      active: true,
      sandbox: false,
      ...{ has_api_key: true, has_app_secret: true, has_verify_token: true },
      ...{ quality: '', quality_at: null, messaging_limit: '', messaging_limit_at: null },
      created_at: expect.any(Number),
    },
  ]);
  const read = await on.admin('GET', `${path}/${id}`);
  expect(read.body).toEqual(made.body);
  expect((await on.admin('GET', path)).body.lines).toContainEqual(made.body);
  const row = await rowOf(id);
  for (const secret of Object.values(secrets)) {
    expect(JSON.stringify(read.body)).not.toContain(`"${secret}"`);
    expect([row.api_key, row.app_secret, row.verify_token]).not.toContain(secret);
  }
});

test('a line may be incomplete, and be completed; an empty credential is none', async () => {
  const { body } = await make({ v8l_class: 'photodm' });
  expect(body).toMatchObject({ v8l_wa_provider: '', active: true, has_api_key: false });
  const change = (fields: object) => on.admin('PATCH', `${path}/${body.v8l_id}`, fields);
  expect((await change({ v8l_wa_api_key: 'k', active: 0 })).body).toMatchObject({
    has_api_key: true,
    active: false,
  });
  expect((await change({ v8l_ig_account_id: '5' })).body).toMatchObject({ has_api_key: true });
  expect((await change({ v8l_wa_api_key: '' })).body).toMatchObject({ has_api_key: false });
  expect((await rowOf(body.v8l_id)).api_key).toBe('');
});

test.each([
  [{}, 'v8l_class'],
  [{ v8l_class: 'mail' }, 'v8l_class'],
  [{ v8l_class: 'msgapp', v8l_wa_provider: 'other' }, 'v8l_wa_provider'],
  [{ v8l_class: 'msgapp', v8l_wa_app_name: '10/../55' }, 'v8l_wa_app_name'],
  [{ v8l_class: 'msgapp', v8l_wa_number: '+155' }, 'v8l_wa_number'],
  [{ v8l_class: 'msgapp', v8l_wa_api_key: 'two\r\nlines' }, 'v8l_wa_api_key'],
  [{ v8l_class: 'msgapp', forward_url: 'http://169.254.169.254/' }, 'forward_url'],
  [{ v8l_class: 'msgapp', forward_url: 'mailto:me' }, 'forward_url'],
  [{ v8l_class: 'msgapp', forward_url: 'https%3A%2F%2Fme.example%2Fin' }, 'forward_url'],
  [{ v8l_class: 'msgapp', forward_url: 'https://ana:secret@me.example/in' }, 'forward_url'],
  [{ v8l_class: 'msgapp', unknown: 1 }, 'unknown'],
])('%j is refused by the name of its field', async (body, field) => {
  const answer = await make(body);
  expect([answer.http, answer.body.field]).toEqual([400, field]);
});

test('a line stays of its class, and is nobody else’s', async () => {
  const { v8l_id: id } = (await make({ v8l_class: 'pagechat' })).body;
  expect((await on.admin('PATCH', `${path}/${id}`, { v8l_class: 'photodm' })).http).toBe(400);
  const other = (await on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
  expect((await on.admin('GET', `/accounts/${other}/lines/${id}`)).http).toBe(404);
  expect((await on.admin('PATCH', `/accounts/${other}/lines/${id}`, { active: 0 })).http).toBe(404);
  expect((await on.admin('DELETE', `/accounts/${other}/lines/${id}`)).http).toBe(404);
  expect((await on.admin('DELETE', `${path}/${id}`)).http).toBe(204);
  expect((await on.admin('GET', `${path}/${id}`)).http).toBe(404);
});

test('a line whose credentials another key sealed refuses to send, and says what to do', async () => {
  const { v8l_id: id } = (await make({ ...whole, ...secrets })).body;
  await on.database.prisma.chatLine.updateMany({ where: { id }, data: { api_key: 'v1.spoiled' } });
  const answer = await on.post('MakeMsgapp', { app_id: id, dest: '5511987650000', mdata: 'x' });
  expect(answer.body.return).toMatchObject({
    status_code: '260',
    status: expect.stringContaining('set them again'),
  });
});

test('a line that has just sent is switched off, moved and deleted at once', async () => {
  const { v8l_id: id } = (await make({ ...whole, ...secrets, sandbox: true })).body;
  let nth = 0;
  const send = async () => {
    const mdata = `message ${nth++}`;
    return (await on.post('MakeMsgapp', { app_id: id, dest: '5511987650000', mdata })).body.return
      .status_code;
  };
  const change = (fields: object) => on.admin('PATCH', `${path}/${id}`, fields);
  expect(await send()).toBe('0');
  await change({ active: 0 });
  expect(await send()).toBe('236');
  await change({ active: 1, v8l_wa_number: '' });
  expect(await send()).toBe('235');
  await change({ v8l_wa_number: '5511900000001' });
  expect(await send()).toBe('0');
  await on.admin('DELETE', `${path}/${id}`);
  expect(await send()).toBe('236');
});

test('what another node changed of a line that has just sent is heard of within seconds', async () => {
  const { v8l_id: id } = (await make({ ...whole, ...secrets, sandbox: true })).body;
  const send = async () =>
    (await on.post('MakeMsgapp', { app_id: id, dest: '5511987650000', mdata: 'x', httpdup: 0 })).body.return
      .status_code;
  expect(await send()).toBe('0');
  await on.database.prisma.chatLine.updateMany({ where: { id }, data: { active: false } });
  await expect.poll(send).toBe('236');
});
