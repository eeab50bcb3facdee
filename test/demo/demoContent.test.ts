/** What the demo account begins with. */
import { expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const belongings = async ({ post, admin }: TestService) => {
  const shown = async (path: string) => (await admin('GET', `/accounts/${demoAccount}/${path}`)).body;
  return {
    agents: (await shown('agents')).agents.map((one: { ccba_id: number }) => one.ccba_id),
    queues: (await post('GetCenterQueues', {})).body.queues.map((one: { queue_id: number }) => one.queue_id),
    lists: (await post('GetDestinationsList', {})).body.lists.map((one: { cdlc_id: number }) => one.cdlc_id),
    audios: (await post('GetAudiosList', {})).body.audios.map((one: { cdw_file: string }) => one.cdw_file),
    campaigns: (await post('GetCampaignsList', {})).body.campaigns.map(
      ({ cp_id, cp_model, cp_state }: Record<string, unknown>) => [cp_id, cp_model, cp_state],
    ),
    templates: (await shown('templates')).templates.map((one: { cwt_id: number }) => one.cwt_id).toSorted(),
  };
};

const furnished = {
  agents: [1],
  queues: [2],
  lists: [1],
  audios: ['tf1'],
  campaigns: [[3, 1, 'paused']],
  templates: [4, 5],
};

const starting = (env: Record<string, string>) => startTestService(env, undefined, { furnished: true });

test('the demo account begins with one of each at the sandboxes, and a later start adds nothing', async () => {
  const on = await starting({});
  let again: TestService | undefined;
  try {
    expect(await belongings(on)).toEqual(furnished);
    const approved = async () => (await on.post('GetMsgappTemplates', { app_id: 1 })).body.templates;
    await expect
      .poll(async () => (await approved()).map((one: { cwt_id: number }) => one.cwt_id))
      .toEqual([4]);
    again = await starting({ DATABASE_URL: on.database.url });
    expect(await belongings(again)).toEqual(furnished);
  } finally {
    await again?.stop();
    await on.stop();
  }
});

test('where nothing speaks it begins with all that says nothing', async () => {
  const on = await starting({ ESPEAK: 'none' });
  try {
    const { templates, ...others } = await belongings(on);
    expect(others).toEqual({ ...{ agents: [1], queues: [2], lists: [1] }, audios: [], campaigns: [] });
    expect(templates).toHaveLength(2);
  } finally {
    await on.stop();
  }
});

test('a start that was killed in the middle is made whole by the next, but no account that was used', async () => {
  const on = await startTestService();
  let again: TestService | undefined;
  try {
    expect(
      (await on.admin('POST', `/accounts/${demoAccount}/agents`, { kind: 'sip', target: 'sip:a@b' })).http,
    ).toBe(201);
    again = await starting({ DATABASE_URL: on.database.url });
    expect(await belongings(again)).toEqual(furnished);
    await on.database.pool.query('DELETE FROM agents');
    await again.post('MakeTTSCall', { dest: '11987650000', text: 'Olá' });
    await again.stop();
    again = await starting({ DATABASE_URL: on.database.url });
    expect(await belongings(again)).toMatchObject({ agents: [] });
  } finally {
    await again?.stop();
    await on.stop();
  }
});

test('where chat goes to a real upstream it begins with nothing', async () => {
  const on = await starting({ GRAPH_URL: 'https://graph.invalid' });
  try {
    expect(await belongings(on)).toMatchObject({ agents: [], lists: [], campaigns: [], templates: [] });
  } finally {
    await on.stop();
  }
});
