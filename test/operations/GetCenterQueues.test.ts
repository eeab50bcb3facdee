import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}/queues`;
const make = async (queue: object, at = path): Promise<number> => {
  const { http, body } = await on.admin('POST', at, queue);
  expect([http, body.error]).toEqual([201, undefined]);
  return body.queue_id;
};
const listed = async (tsid?: string) =>
  (await on.post('GetCenterQueues', tsid === undefined ? {} : { tsid })).body.queues;
const removeAll = async () => {
  for (const { queue_id } of (await on.admin('GET', path)).body.queues) {
    await on.admin('DELETE', `${path}/${queue_id}`);
  }
};

const settings = {
  type_description: 'Sales chat',
  ai_tutor: { id: 4, name: 'Coach' },
  ai_chatbot: { id: 9, name: 'Robô' },
  buttons: { button_1: 'Sold', button_8: 'Never' },
  dropdowns: { dropdown_1: ['North', 'South'], dropdown_2: ['Zebra', 'Ant'] },
  templates: ['31', 7],
};
const noButtons = Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`button_${n}`, '']));

describe('GetCenterQueues', () => {
  test('[2.7/fields] answers every field with its type and shape', async () => {
    const queue = { name: 'Sales', type: 'ch', description: 'New customers', settings };
    const queue_id = await make(queue);
    // 2026-11-21 01:30 UTC is still the day before in São Paulo.
    const created = Date.UTC(2026, 10, 21, 1, 30);
    await on.database.pool.query('UPDATE queues SET created_at = $1 WHERE id = $2', [created, queue_id]);
    const { http, body } = await on.post('GetCenterQueues', {});
    expect([http, body]).toEqual([
      200,
      {
        return: { status: 'OK', status_code: '0' },
        queues: [
          {
            queue_id,
            name: 'Sales',
            type: 'ch',
            type_description: 'Sales chat',
            description: 'New customers',
            active: true,
            created_date: '2026-11-20',
            ai_tutor: { id: 4, name: 'Coach' },
            ai_chatbot: { id: 9, name: 'Robô' },
            buttons: { ...noButtons, button_1: 'Sold', button_8: 'Never' },
            dropdowns: { dropdown_1: ['North', 'South'], dropdown_2: ['Zebra', 'Ant'] },
            templates: ['31', '7'],
          },
        ],
      },
    ]);
    expect(Object.keys(body.queues[0].buttons)).toEqual(Object.keys(noButtons));
    expect((await on.admin('GET', `${path}/${queue_id}`)).body.created_date).toBe('2026-11-20');
    await removeAll();
  });

  test('[2.7/empty] what was never set is empty, also where something else is kept', async () => {
    const id = await make({ name: 'Bare' });
    const empty = {
      type: 'ch',
      type_description: 'Chat',
      description: '',
      ai_tutor: { id: 0, name: '' },
      ai_chatbot: { id: 0, name: '' },
      buttons: noButtons,
      dropdowns: { dropdown_1: [], dropdown_2: [] },
      templates: [],
    };
    expect(await listed()).toMatchObject([empty]);
    for (const kept of ['[]', '"x"', '{"buttons": [1], "ai_tutor": 7, "templates": {"a": 1}, "colour": 2}']) {
      await on.database.pool.query('UPDATE queues SET settings = $1 WHERE id = $2', [kept, id]);
      expect(await listed()).toMatchObject([empty]);
    }
    await on.admin('PATCH', `${path}/${id}`, { type: 'vx' });
    expect(await listed()).toMatchObject([{ type: 'vx', type_description: 'vx' }]);
    await removeAll();
  });

  test('[4.11/queues] lists active queues of this account only', async () => {
    const other = (await on.admin('POST', '/accounts', { name: 'Other' })).body.cdcs_id;
    const { token } = (await on.admin('POST', `/accounts/${other}/tokens`, {})).body;
    await make({ name: 'Theirs' }, `/accounts/${other}/queues`);
    await make({ name: 'Ours' });
    const sleeping = await make({ name: 'Sleeping', active: false });
    const names = async (tsid?: string) => (await listed(tsid)).map(({ name }: { name: string }) => name);
    expect([await names(), await names(token)]).toEqual([['Ours'], ['Theirs']]);
    await on.admin('PATCH', `${path}/${sleeping}`, { active: 1 });
    expect(await names()).toEqual(['Ours', 'Sleeping']);
    await removeAll();
  });

  test('[4.11/sorted] sorts by name as people do, equal names by age', async () => {
    for (const name of ['Zélia', 'vendas', 'Órfãos', 'Água', 'abc', 'Vendas', 'Oz', 'Água'])
      await make({ name });
    const sorted = await listed();
    expect(sorted.map(({ name }: { name: string }) => name)).toEqual([
      'abc',
      'Água',
      'Água',
      'Órfãos',
      'Oz',
      'vendas',
      'Vendas',
      'Zélia',
    ]);
    expect(sorted[1].queue_id).toBeLessThan(sorted[2].queue_id);
    await removeAll();
  });

  test('[7/GetCenterQueues/240] a query that fails is no stack trace', async () => {
    const { http, body } = await on.without('queues', () => on.post('GetCenterQueues', {}));
    expect([http, body]).toEqual([
      500,
      { return: { status: 'the queues could not be read', status_code: '240' }, queues: [] },
    ]);
  });
});

describe('the settings of a queue', () => {
  test('are changed one by one', async () => {
    const id = await make({ name: 'Sales', settings });
    const changed = await on.admin('PATCH', `${path}/${id}`, {
      settings: { buttons: { button_2: 'Maybe' }, templates: [] },
    });
    expect(changed.body.settings).toEqual({
      ...settings,
      buttons: { button_2: 'Maybe' },
      templates: [],
    });
    expect((await on.admin('PATCH', `${path}/${id}`, { name: 'Support' })).body.settings).toEqual(
      changed.body.settings,
    );
    await removeAll();
  });

  test.each([
    [{ colour: 'red' }, 'settings'],
    [{ type_description: 7 }, 'settings.type_description'],
    [{ ai_tutor: { id: -1, name: 'x' } }, 'settings.ai_tutor.id'],
    [{ ai_tutor: { id: '4', name: 'x' } }, 'settings.ai_tutor.id'],
    [{ ai_chatbot: { id: 1 } }, 'settings.ai_chatbot.name'],
    [{ buttons: { button_9: 'x' } }, 'settings.buttons'],
    [{ buttons: { button_1: 'x'.repeat(201) } }, 'settings.buttons.button_1'],
    [{ buttons: { button_1: 'a\0b' } }, 'settings.buttons.button_1'],
    [{ dropdowns: { dropdown_1: 'x' } }, 'settings.dropdowns.dropdown_1'],
    [{ dropdowns: { dropdown_3: [] } }, 'settings.dropdowns'],
    [{ templates: ['abc'] }, 'settings.templates.0'],
    [{ templates: Array.from({ length: 501 }, () => '1') }, 'settings.templates'],
  ])('%j is refused by its field', async (wrong, field) => {
    const answer = await on.admin('POST', path, { name: 'x', settings: wrong });
    expect([answer.http, answer.body.field]).toEqual([400, field]);
    expect((await on.admin('GET', path)).body.queues).toEqual([]);
  });
});
