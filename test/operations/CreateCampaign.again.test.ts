/** Campaigns that are copied, and requests that are repeated. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/localTime.ts';
import { aGroup, campaignInput, played } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type CampaignGround, askedCampaigns, campaignGround, question, today } from './askedCampaigns.ts';

let on: TestService;
let ground: CampaignGround;
let list: CampaignGround['list'];
let content: CampaignGround['content'];
beforeAll(async () => {
  on = await startTestService();
  ground = await campaignGround(on);
  ({ list, content } = ground);
});
afterAll(() => on.stop());

const { ask, created, born, refused } = askedCampaigns(() => ({ on, ...ground }));

describe('a clone', () => {
  test('[4.3/cp_id] copies what it is not told', async () => {
    const group = await aGroup(on, 'cloned');
    const given = {
      detail: 'first',
      cp_ctid: 'mine',
      vel: 30,
      resends: 2,
      time_resends: 7,
      mobile: 0,
      limit_name: 0,
      max_answered: 9,
      time_start: '08:00',
      group,
      sms_action: 'nae',
      sms_text: 'we called',
      cp_ativo: 1,
    };
    const source = await created(given);
    const { body } = await on.post('CreateCampaign', { cp_id: source, vel: 40 });
    const first = await campaignInput(on, source);
    expect(await campaignInput(on, body.return.cp_id)).toEqual({
      ...first,
      name: 'customers',
      correlation: '',
      active: false,
      pace: { callsPerMinute: 40, maxTransfers: null },
      call: { ...first.call, customerCampaign: '' },
    });
  });

  test('[4.3/cp_id] copies what was changed since, but days that are over', async () => {
    const source = await created({ date_start: addDays(today(), 2) });
    const changes = { cp_id: source, lig_min: 200, pas: 3, time_end: '17:00' };
    expect((await on.post('ChangeCampaign', changes)).http).toBe(200);
    expect(await born({ cp_id: source })).toMatchObject({
      hours: { dateStart: addDays(today(), 2), timeEnd: '17:00:00' },
      pace: { callsPerMinute: 200, maxTransfers: 3 },
    });
    const later = addDays(today(), 9);
    expect((await born({ cp_id: source, date_start: later })).hours).toMatchObject({
      dateStart: later,
      dateEnd: later,
    });
    expect((await born({ cp_id: source, date_end: later })).hours).toMatchObject({
      dateStart: addDays(today(), 2),
      dateEnd: later,
    });
    const grouped = await created({ group: await aGroup(on, 'left') });
    const left = { group_id: null };
    expect((await on.admin('PATCH', `/accounts/${demoAccount}/campaigns/${grouped}`, left)).http).toBe(200);
    expect(await born({ cp_id: grouped })).toMatchObject({ group: null });
    const over = await created({ date_start: '2020-01-01' });
    expect((await born({ cp_id: over })).hours).toMatchObject({ dateStart: today(), dateEnd: today() });
  });

  test('[4.3/cp_id] another main message, or another type, leaves out what belongs to the source’s', async () => {
    const source = await created({ content: '', text: 'Olá <NOME>', sms_action: 'ok', sms_text: 'x' });
    const other = { name: 'other', cp_id: source };
    expect((await campaignInput(on, await madeBy(other))).call.prompts.opening).toMatchObject([
      { text: 'Olá <NOME>' },
    ]);
    expect((await campaignInput(on, await madeBy({ ...other, content }))).call.prompts.opening).toEqual([
      played(content),
    ]);
    const asked = (await campaignInput(on, await madeBy({ ...other, ...question }))).call;
    expect([asked.mode, asked.sms]).toEqual(['question', undefined]);
  });

  /** With nothing but what is given. */
  const madeBy = async (given: object): Promise<string> => {
    const { body } = await on.post('CreateCampaign', given);
    expect(body.return.status).toBe('OK');
    return body.return.cp_id;
  };

  test('[CreateCampaign/282] [CreateCampaign/260] the source must be the account’s, and say what it was made of', async () => {
    const source = await created({});
    await on.database.pool.query('UPDATE campaigns SET account_id = $1 WHERE id = $2', [
      ground.stranger,
      source,
    ]);
    expect(await refused({ cp_id: source })).toBe('282');
    const older = await created({});
    await on.database.pool.query(
      `UPDATE campaigns SET definition = (definition::jsonb - 'parameters')::json WHERE id = $1`,
      [older],
    );
    expect(await refused({ cp_id: older })).toBe('260');
  });
});

describe('once', () => {
  test('[4.3/request_id] a repeated request is answered as before, and says so', async () => {
    const given = { name: 'once', request_id: 'order:2026.11-20' };
    const first = await ask(given);
    const again = await ask(given);
    expect(first.body.return.duplicate_request).toBeUndefined();
    expect(again.body.return).toEqual({ ...first.body.return, duplicate_request: '1' });
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    const other = await ask({ ...given, vel: 9 });
    expect([other.http, other.body.return]).toMatchObject([409, { status_code: '409', cp_id: '0' }]);
    expect(other.body.return.status).toBe('request_id was used with other parameters');
  });

  test('Idempotency-Key does the same, without the word', async () => {
    const given = { name: 'keyed', cdlc_id: list, content, cp_ativo: 1 };
    const headers = { 'Idempotency-Key': 'one' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => on.post('CreateCampaign', given, headers)),
    );
    expect(new Set(answers.map(({ body }) => body.return.cp_id)).size).toBe(1);
    expect(answers[0]!.body.return.duplicate_request).toBeUndefined();
  });
});
