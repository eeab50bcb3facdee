import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import { formatCampaignRecord } from '../../src/wire/campaignRecord.ts';
import { digest } from '../../src/operations/idempotency.ts';
import { takeKeyClaim } from '../../src/store/idempotencyKeyClaims.ts';
import { findCampaignById } from '../../src/store/reads/campaigns/campaigns.ts';
import { aGroup, aList, anAsset, anId } from '../helpers/campaigns.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
let list: number;
let content: string;
let otherToken: string;
beforeAll(async () => {
  on = await startTestService();
  const other = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  otherToken = (await on.admin('POST', `/accounts/${other}/tokens`, { label: 'x' })).body.token;
  list = await aList(on);
  content = await anAsset(on);
});
afterAll(() => on.stop());

const zone = 'America/Sao_Paulo';
const today = (): string => toLocal(Date.now(), zone).date;
const tomorrow = (): string => addDays(today(), 1);

const created = async (given: object = {}): Promise<number> => {
  const asked = { name: `campaign ${anId()}`, cdlc_id: list, content, date_start: tomorrow(), ...given };
  const { body } = await on.post('CreateCampaign', asked);
  expect(body.return.status).toBe('OK');
  return Number(body.return.cp_id);
};

const listed = async (given: object): Promise<RestAnswer['body']['campaigns']> => {
  const { http, body } = await on.post('GetCampaignsList', given);
  expect([http, body.return]).toEqual([200, { status: 'OK', status_code: '0' }]);
  return body.campaigns;
};

/** Which of these the list has, in its order. */
const found = async (given: object, among: readonly number[]): Promise<number[]> =>
  (await listed(given)).map((one: { cp_id: number }) => one.cp_id).filter((id: number) => among.includes(id));

const patched = (id: number, body: object): Promise<RestAnswer> =>
  on.admin('PATCH', `/accounts/${demoAccount}/campaigns/${id}`, body);

describe('GetCampaignsList', () => {
  test('[4.5/record] every field, odd ones as they are', async () => {
    const plain = await created({ name: 'Simple', date_start: today(), date_end: tomorrow() });
    expect(await listed({ cp_id: plain })).toEqual([
      {
        cp_id: plain,
        cp_name: 'Simple',
        cp_ctid: 'null',
        'cp_group ': 'null',
        'cp_active ': '0',
        'cp_ontime ': '0',
        cp_date_start: today(),
        cp_date_end: tomorrow(),
        cp_time_start: '00:00',
        cp_time_end: '23:59',
        cp_destinations: 2,
        cp_lig_min: 'max',
        cp_pas: 'null',
        cp_made: 0,
        cp_answered: 0,
        cp_transfered: 'null',
        cp_model: 0,
        cp_state: 'paused',
      },
    ]);
    const queue = (await on.admin('POST', `/accounts/${demoAccount}/queues`, { name: 'desk' })).body.queue_id;
    const group = await aGroup(on, 'north');
    const given = { cp_ctid: 'x-1', cp_type: 4, vel: 30, queue_id: queue, group, cp_ativo: 1 };
    const rich = await created(given);
    await on.post('ChangeCampaign', { cp_id: rich, pas: 4 });
    expect(await listed({ cp_id: rich })).toMatchObject([
      {
        cp_ctid: 'x-1',
        'cp_group ': 'north',
        'cp_active ': '1',
        cp_lig_min: '30',
        cp_pas: '4',
        cp_transfered: '0',
      },
    ]);
  });

  test('[4.5/cp_id] [4.5/cp_ctid] [4.5/group] [4.5/maxreg] one, those of a name, of a group, of the account', async () => {
    const group = await aGroup(on, 'south');
    const one = await created({ cp_ctid: 'mine' });
    const two = await created({ cp_ctid: 'mine', group });
    expect(await found({ cp_ctid: 'mine' }, [one, two])).toEqual([two, one]);
    expect(await listed({ cp_ctid: 'mine', maxreg: 1 })).toHaveLength(1);
    expect(await found({ group }, [one, two])).toEqual([two]);
    expect(await listed({ cp_id: 99_999 })).toEqual([]);
    expect(await listed({ cp_id: one, tsid: otherToken })).toEqual([]);
    expect((await on.post('GetCampaignsList', { maxreg: 0 })).body).toMatchObject({
      return: { status_code: '299' },
      campaigns: [],
    });
  });

  test('[4.5/maxreg] 500 campaigns unless told', async () => {
    await on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
        date_start, date_end, time_start, time_end)
        SELECT $1, 1000000 + n, 0, 'play', 1, '{}', 'bulk', false, 'paused', '2000-01-01', '2000-01-01', '00:00:00', '23:59:59'
        FROM generate_series(1, 501) n`,
      [demoAccount],
    );
    const campaigns = await listed({});
    expect([campaigns.length, campaigns[0].cp_id]).toEqual([500, 1_000_501]);
    expect(await listed({ maxreg: 501 })).toHaveLength(501);
    await on.database.pool.query(`DELETE FROM campaigns WHERE name = 'bulk'`);
  });

  test('[4.5/type] [4.5/model] [4.5/date] active ones, models, those that are not over', async () => {
    const paused = await created();
    const active = await created({ cp_ativo: 1 });
    const past = await created({ date_start: '2020-01-01', date_end: '2020-02-01' });
    const all = [past, active, paused];
    expect(await found({ type: 'on' }, all)).toEqual([active]);
    expect(await found({ type: 'all' }, all)).toEqual(all);
    expect(await found({ date: '1' }, all)).toEqual([active, paused]);
    expect(await found({ date: '2020-02-01' }, all)).toEqual(all);
    expect(await found({ date: '2020-02-02' }, all)).toEqual([active, paused]);
    expect((await on.post('GetCampaignsList', { date: 'soon' })).body.return.status_code).toBe('299');
    for (const nobody of [0, '-1', 2 ** 31, 99_999]) {
      expect(await listed({ cp_id: nobody })).toEqual([]);
      expect(await listed({ group: nobody })).toEqual([]);
    }
    expect(await found({ model: '1' }, all)).toEqual([]);
    const odd = await on.post('GetCampaignsList', { type: 'xyz', model: '2' });
    expect(odd.body.return.warning).toBe(
      'type knows only on: paused campaigns are listed as well; model knows only 1: campaigns are listed with the models',
    );
    expect((await patched(paused, { model: true })).http).toBe(200);
    expect(await found({ model: 1 }, all)).toEqual([paused]);
    expect(await listed({ cp_id: paused })).toMatchObject([{ cp_model: 1 }]);
    expect((await patched(paused, { cp_model: 0 })).http).toBe(200);
    expect(await listed({ cp_id: paused })).toMatchObject([{ cp_model: 0 }]);
  });

  test('[4.5/search] name, description, id and audio, in any case and with any accents', async () => {
    const audio = await anAsset(on);
    const one = await created({ name: 'Promoção de VERÃO', detail: 'São João 100%' });
    const two = await created({ amd: audio });
    for (const search of ['promocao', 'PROMOÇÃO DE verao', 'são joão', 'sao joao', '100%'])
      expect([search, await found({ search }, [one, two])]).toEqual([search, [one]]);
    expect(await found({ search: audio }, [one, two])).toEqual([two]);
    expect(await found({ search: String(one) }, [one])).toEqual([one]);
    expect(await found({ search: 'veraosao' }, [one, two])).toEqual([]);
    expect(await found({ search: '_' }, [one, two])).toEqual([]);
  });

  test('[4.5/ontime] on time: active, on one of its days, inside its window', async () => {
    const id = await created({
      cp_ativo: 1,
      date_start: '2030-05-01',
      date_end: '2030-05-02',
      time_start: '09:00',
      time_end: '18:00',
    });
    const row = (await findCampaignById(on.database.pool, demoAccount, id))!;
    const at = (written: string, active = true) =>
      formatCampaignRecord({ ...row, active }, Date.parse(`${written}-03:00`), zone)['cp_ontime '];
    expect(at('2030-05-01T09:00:00')).toBe('1');
    expect(at('2030-05-02T18:00:00')).toBe('1');
    expect(at('2030-05-01T08:59:59')).toBe('0');
    expect(at('2030-05-02T18:00:01')).toBe('0');
    expect(at('2030-05-03T12:00:00')).toBe('0');
    expect(at('2030-04-30T12:00:00')).toBe('0');
    expect(at('2030-05-01T12:00:00', false)).toBe('0');
    const now = await created({ cp_ativo: 1, date_start: today(), date_end: tomorrow() });
    expect(await listed({ cp_id: now })).toMatchObject([{ 'cp_ontime ': '1' }]);
  });
});

test('[GetCampaignsList/500] a database that fails is an internal error, with the empty list', async () => {
  const { http, body } = await on.without('campaigns', () => on.post('GetCampaignsList', {}));
  expect([http, body]).toEqual([
    500,
    {
      return: { status: expect.stringContaining('incident'), status_code: '500' },
      campaigns: [],
    },
  ]);
});

describe('ChangeCampaign', () => {
  const change = (given: object): Promise<RestAnswer> => on.post('ChangeCampaign', given);
  const code = async (given: object): Promise<string> => (await change(given)).body.return.status_code;

  test('[4.4/active] [4.4/lig_min] [4.4/pas] [4.4/name] [4.4/date_start] [4.4/date_end] [4.4/time_start] [4.4/time_end] [4.4/answer] all at once', async () => {
    const id = await created();
    const { http, body } = await change({
      cp_id: String(id),
      active: 1,
      lig_min: '0',
      pas: 7,
      name: ' Renamed ',
      date_start: '2090-01-01',
      date_end: '2090-01-02',
      time_start: '10:00:00',
      time_end: '11:30',
    });
    expect([http, body.return]).toEqual([200, { status: 'OK', status_code: '0' }]);
    expect(body.campaigns).toMatchObject([
      {
        cp_id: id,
        cp_name: 'Renamed',
        'cp_active ': '1',
        cp_lig_min: '0',
        cp_pas: '7',
        cp_date_start: '2090-01-01',
        cp_date_end: '2090-01-02',
        cp_time_start: '10:00',
        cp_time_end: '11:30',
      },
    ]);
    expect(await listed({ cp_id: id })).toEqual(body.campaigns);
    expect((await change({ cp_id: id, lig_min: 'max', active: 0 })).body.campaigns).toMatchObject([
      { cp_lig_min: 'max', 'cp_active ': '0', cp_state: 'paused', cp_pas: '7' },
    ]);
  });

  test('[4.4/cp_id] [ChangeCampaign/200] [ChangeCampaign/210] [ChangeCampaign/212] [ChangeCampaign/230] refusals', async () => {
    const id = await created({ vel: 5 });
    expect((await change({ active: 1 })).body).toEqual({
      return: { status: 'cp_id is missing', status_code: '200' },
      campaigns: [],
    });
    expect(await code({ cp_id: id })).toBe('210');
    expect(await code({ cp_id: id, name: '   ' })).toBe('210');
    expect(await code({ cp_id: 99_999, active: 1 })).toBe('212');
    for (const nobody of [0, -1, '0', 2 ** 31, '9999999999999999'])
      expect(await code({ cp_id: nobody, active: 1 })).toBe('212');
    expect(await code({ cp_id: 0 })).toBe('210');
    for (const none of ['x', 1.5, [id]]) expect(await code({ cp_id: none, active: 1 })).toBe('299');
    expect(await code({ cp_id: id, active: 1, tsid: otherToken })).toBe('212');
    expect(await code({ cp_id: id, active: 0, lig_min: 5 })).toBe('230');
  });

  test('[4.4/atomic] [ChangeCampaign/299] one wrong value, and nothing is changed', async () => {
    const id = await created({ time_start: '09:00', time_end: '18:00' });
    const before = await listed({ cp_id: id });
    for (const wrong of [
      { active: 2 },
      { lig_min: -1 },
      { lig_min: 'fast' },
      { lig_min: 1.5 },
      { pas: 0 },
      { pas: 'many' },
      { date_start: '2090-13-01' },
      { date_end: '2020-01-01' },
      { time_start: '18:30' },
      { time_end: '08:00' },
      { time_end: '25:00' },
    ])
      expect([wrong, await code({ cp_id: id, name: 'changed', ...wrong })]).toEqual([wrong, '299']);
    expect(await listed({ cp_id: id })).toEqual(before);
  });

  test('[ChangeCampaign/299] a campaign whose audio was deleted is not activated', async () => {
    const audio = await anAsset(on);
    const id = await created({ content: audio });
    const kept = await created({ text: 'Olá <NOME>', content: undefined });
    const path = `/accounts/${demoAccount}/audios/${audio}`;
    expect((await on.admin('DELETE', path)).body.error).toMatch(/is in use: campaign \d+ \(.*\) is paused$/);
    expect((await on.admin('DELETE', `${path}?force=1`)).http).toBe(204);
    expect((await change({ cp_id: id, active: 1, name: 'changed' })).body.return).toEqual({
      status: `active must be 0: the campaign plays ${audio}, which was deleted; clone it with another audio`,
      status_code: '299',
    });
    expect(await patched(id, { active: true })).toMatchObject({ http: 409, body: { field: 'active' } });
    expect(await listed({ cp_id: id })).toMatchObject([
      { 'cp_active ': '0', cp_name: expect.not.stringMatching('changed') },
    ]);
    expect(await code({ cp_id: id, name: 'renamed' })).toBe('0');
    expect(await code({ cp_id: kept, active: 1 })).toBe('0');
  });

  test('[ChangeCampaign/231] two active campaigns of one name and first day would call the same people', async () => {
    const name = `twins ${anId()}`;
    const one = await created({ name });
    const two = await created({ name });
    expect(await code({ cp_id: one, active: 1 })).toBe('0');
    expect((await change({ cp_id: two, active: 1 })).body).toEqual({
      return: {
        status:
          'another active campaign has the same name and start date; pause it, or choose another name or day',
        status_code: '231',
      },
      campaigns: [],
    });
    expect(await patched(two, { active: true })).toMatchObject({ http: 409, body: { field: 'name' } });
    expect(await listed({ cp_id: two })).toMatchObject([{ 'cp_active ': '0' }]);
    const day = addDays(tomorrow(), 1);
    expect(await code({ cp_id: two, active: 1, date_start: day, date_end: day })).toBe('0');
    expect(await code({ cp_id: two, date_start: tomorrow() })).toBe('231');
    expect(await code({ cp_id: two, active: 0, date_start: tomorrow() })).toBe('0');
    expect(await code({ cp_id: one, active: 0 })).toBe('0');
    const both = await Promise.all([code({ cp_id: one, active: 1 }), code({ cp_id: two, active: 1 })]);
    expect(both.toSorted()).toEqual(['0', '231']);
  });

  test('[ChangeCampaign/231] [CreateCampaign/230] of a change and a creation at the same moment one has the name', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `pair ${anId()}`;
      const paused = await created({ name });
      const made = on.post('CreateCampaign', {
        ...{ name, cdlc_id: list, content, date_start: tomorrow(), cp_ativo: 1 },
      });
      const codes = await Promise.all([
        code({ cp_id: paused, active: 1 }),
        made.then(({ body }) => body.return.status_code as string),
      ]);
      expect([
        ['0', '230'],
        ['231', '0'],
      ]).toContainEqual(codes);
    }
  });

  test('[ChangeCampaign/231] one that is over is not given hours beside an active one of its name and day', async () => {
    const name = `over ${anId()}`;
    const over = await created({ name, time_end: '12:00' });
    expect(await code({ cp_id: over, active: 1 })).toBe('0');
    // As its row is after its last moment.
    await on.database.pool.query(`UPDATE campaigns SET state = 'expired' WHERE id = $1`, [over]);
    const next = await created({ name });
    expect(await code({ cp_id: next, active: 1 })).toBe('0');
    expect(await code({ cp_id: over, time_end: '18:00' })).toBe('231');
    // What does not make it dial is free.
    expect(await code({ cp_id: over, lig_min: 5 })).toBe('0');
    expect(await code({ cp_id: next, active: 0 })).toBe('0');
    expect(await code({ cp_id: over, time_end: '18:00' })).toBe('0');
  });

  test('a name whose holder has died is free when its claim is over', async () => {
    const name = `left ${anId()}`;
    const key = `campaign:name:${digest({ name, date: tomorrow() })}`;
    const at = on.service.engine.now('a');
    await takeKeyClaim(on.database.pool, demoAccount, { key, forMs: 500 }, { owner: 'a dead one', at });
    await created({ name, cp_ativo: 1 });
    expect(on.service.engine.now('a')).toBeGreaterThanOrEqual(at + 500);
    const { rows } = await on.database.pool.query('SELECT 1 FROM claims WHERE key = $1', [key]);
    expect(rows).toEqual([]);
  });

  test('a model that is to be activated stays paused, and that is told', async () => {
    const id = await created();
    expect((await patched(id, { model: true })).http).toBe(200);
    const { body } = await change({ cp_id: id, active: 1 });
    expect(body).toMatchObject({
      return: {
        ...{ status: 'OK', status_code: '0' },
        warning:
          'active does nothing: the campaign is a model, which is cloned and never dialled, and stays paused',
      },
      campaigns: [{ 'cp_active ': '0', cp_model: 1 }],
    });
    expect((await change({ cp_id: id, active: 1, lig_min: 7 })).body.campaigns).toMatchObject([
      { 'cp_active ': '0', cp_lig_min: '7' },
    ]);
    expect(await patched(id, { active: true })).toMatchObject({ http: 409, body: { field: 'active' } });
    expect((await patched(id, { model: false, active: true })).http).toBe(200);
    expect((await patched(id, { model: true })).body).toMatchObject({ active: false, model: true });
  });

  test('[4.4/pas] the text null takes the limit away', async () => {
    const id = await created();
    expect((await change({ cp_id: id, pas: 3 })).body.campaigns).toMatchObject([{ cp_pas: '3' }]);
    expect((await change({ cp_id: id, pas: 'null' })).body.campaigns).toMatchObject([{ cp_pas: 'null' }]);
    expect(await listed({ cp_id: id })).toMatchObject([{ cp_pas: 'null' }]);
    expect(await code({ cp_id: id, pas: 'null' })).toBe('230');
  });

  test('a last day of 9999-12-31 is one', async () => {
    const id = await created({ date_end: '9999-12-31', cp_ativo: 1 });
    expect(await listed({ cp_id: id, date: '9999-12-31' })).toMatchObject([
      { cp_date_end: '9999-12-31', cp_state: 'active' },
    ]);
    expect(await code({ cp_id: id, date_end: tomorrow() })).toBe('0');
    expect(await code({ cp_id: id, date_end: '9999-12-31' })).toBe('0');
  });

  test('a campaign that is over goes on with a later last day', async () => {
    const id = await created({ date_start: '2020-01-01', cp_ativo: 1 });
    await expect.poll(async () => (await listed({ cp_id: id }))[0].cp_state).toBe('expired');
    await change({ cp_id: id, date_end: tomorrow() });
    await expect.poll(async () => (await listed({ cp_id: id }))[0].cp_state).not.toBe('expired');
  });

  test('[4.4/answer] a change that another node has to hear is answered with the change', async () => {
    const neighbour = await startTestService({ DATABASE_URL: on.database.url, NODE_NAME: 'neighbour' });
    try {
      const id = await created();
      const { body } = await neighbour.post('ChangeCampaign', { cp_id: id, lig_min: 12, active: 1 });
      expect(body.campaigns).toMatchObject([{ cp_lig_min: '12', 'cp_active ': '1' }]);
      await expect.poll(() => listed({ cp_id: id })).toMatchObject([{ cp_lig_min: '12', 'cp_active ': '1' }]);
    } finally {
      await neighbour.stop();
    }
  });
});
