/** Templates on the built-in upstream: submitted, reviewed, sent and deleted with no account anywhere. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aTemplate, codeOf } from './templates.ts';

let on: TestService;
let line: number;

const path = `/accounts/${demoAccount}/templates`;

beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '20' });
  const { lines } = (await on.admin('GET', `/accounts/${demoAccount}/lines`)).body;
  line = lines.find(({ v8l_class }: { v8l_class: string }) => v8l_class === 'msgapp').v8l_id;
});
afterAll(() => on.stop());

const store = async (body: object = {}): Promise<number> =>
  (await on.admin('POST', path, { v8l_id: line, ...aTemplate(), ...body })).body.cwt_id;
const row = async (id: number) => (await on.admin('GET', `${path}/${id}`)).body;
const create = (id: number) =>
  on.post('CreateMsgappTemplate', { template_id: id, app_id: line, action: 'create' });
const becomes = async (id: number, status: string): Promise<void> => {
  await expect.poll(async () => (await row(id)).cwt_status).toBe(status);
};
const changes = async (id: number): Promise<string[]> =>
  (await row(id)).changes.map(({ by, status }: Record<string, string>) => `${by} ${status}`);

describe('a template on the sandbox', () => {
  test('is submitted, PENDING, APPROVED by a hook, listed, and sent', async () => {
    const id = await store();
    const made = await create(id);
    expect(codeOf(made)).toEqual([201, '0']);
    expect(JSON.parse(made.body.return.meta_raw_response)).toMatchObject({ status: 'PENDING' });
    await becomes(id, 'APPROVED');
    expect(await changes(id)).toEqual(['submit PENDING', 'hook APPROVED']);
    const check = await on.post('CheckTemplateStatus', { template_id: id, v8l_id: line });
    expect(check.body.return.result).toMatchObject({ previous_status: 'PENDING', status_changed: true });
    const { templates } = (await on.post('GetMsgappTemplates', { app_id: line })).body;
    expect(templates.map(({ cwt_id }: { cwt_id: number }) => cwt_id)).toContain(id);
    const { cwt_name: name } = await row(id);
    const sent = await on.post('MakeMsgapp', {
      ...{ dest: '5511987650000', app_id: line, mtype: 'template' },
      template: {
        ...{ name, language: { code: 'pt_BR' } },
        components: [{ type: 'body', parameters: ['Ana', '17'].map((text) => ({ type: 'text', text })) }],
      },
    });
    expect(codeOf(sent)).toEqual([200, '0']);
  });

  test('is REJECTED with its reason kept when its name asks for it, and cannot be sent', async () => {
    const id = await store({ cwt_name: `reject_me_${Date.now()}` });
    await create(id);
    await becomes(id, 'REJECTED');
    expect(await row(id)).toMatchObject({ cwt_rejection_reason: 'INVALID_FORMAT' });
    const { cwt_name: name } = await row(id);
    const template = { name, language: { code: 'pt_BR' } };
    const sent = await on.post('MakeMsgapp', {
      dest: '5511987650000',
      app_id: line,
      mtype: 'template',
      template,
    });
    expect(codeOf(sent)).toEqual([400, '132001']);
  });

  test.each(['meta_only', 'both', 'local_only'])('is deleted %s', async (mode) => {
    const id = await store();
    await create(id);
    await becomes(id, 'APPROVED');
    const deleted = await on.post('DeleteMsgappTemplate', {
      template_id: id,
      v8l_id: line,
      delete_mode: mode,
    });
    expect(deleted.body.return.result).toMatchObject({ deleted: true, delete_mode: mode });
    const left = await on.admin('GET', `${path}/${id}`);
    if (mode === 'meta_only') expect(left.body).toMatchObject({ cwt_status: 'DELETED' });
    else expect(left.http).toBe(404);
  });
});

describe('the sandbox without a hook', () => {
  test('is asked by the schedule: APPROVED by a poll', async () => {
    const id = await store();
    // No hook is believed where there is no secret to sign it.
    await on.admin('PATCH', `/accounts/${demoAccount}/lines/${line}`, { app_secret: '' });
    await create(id);
    expect(await changes(id)).toEqual(['submit PENDING']);
    await expect
      .poll(async () => {
        await on.admin('POST', `/machines/a_${id}/events?account=${demoAccount}`, { type: 'checkNow' });
        return changes(id);
      })
      .toEqual(['submit PENDING', 'poll APPROVED']);
  });
});
