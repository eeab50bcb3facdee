import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { numbersEnding, putList } from '../campaigns/lists.ts';
import { anId } from '../helpers/campaigns.ts';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { anInput } from '../machines/campaigns.ts';
import { passes } from '../helpers/milestones.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const always = { dateStart: '2020-01-01', dateEnd: '2035-01-01', timeStart: '00:00:00', timeEnd: '23:59:59' };
const ref = (id: number) => ({ shard: 'a', account: demoAccount, id });

/** A paused campaign whose numbers end like this, by turns. */
const aCampaign = async (
  count: number,
  endings: readonly string[],
  changes: Partial<CampaignInput> = {},
): Promise<number> => {
  const id = anId();
  await putList(on.database.pool, demoAccount, id, numbersEnding(count, endings));
  const input = anInput({ list: id, hours: always, active: false, ...changes });
  await on.service.engine.start({ kind: 'campaign', shard: 'a', account: demoAccount, id, input });
  await passes(on.service.engine, ref(id), 'generated');
  return id;
};

const switchOn = (id: number) =>
  on.service.engine.send(ref(id), { type: 'changed', changes: { active: true } });

/** The first row of a query about a campaign, as it is now. */
const rowOf = async (id: number, text: string): Promise<unknown> =>
  (await on.database.pool.query<object>(text, [demoAccount, id])).rows[0];

/** Waits until that row is as wanted. */
const comesTo = async (id: number, text: string, wanted: object): Promise<void> => {
  await expect.poll(() => rowOf(id, text), { interval: 200 }).toMatchObject(wanted);
};

const forecast = (id: number | string, body: object = {}) =>
  on.admin('POST', `/campaigns/${id}/forecast`, body);

describe('a forecast', () => {
  it('leaves no entry in the audit log: it changes nothing', async () => {
    const id = await aCampaign(1, ['00']);
    expect((await forecast(id)).http).toBe(200);
    const { entries } = (await on.admin('GET', '/audit')).body;
    expect(entries.filter(({ action }: { action: string }) => action.includes('/forecast'))).toEqual([]);
  });

  it('comes to what the campaign then does', async () => {
    const id = await aCampaign(60, ['00', '01', '04']);
    const rates = { answer_rate: 1 / 3, busy_rate: 1 / 3, failure_rate: 1 / 3, hang_up_rate: 0 };
    const told = (await forecast(id, rates)).body;
    expect(told).toMatchObject({
      source_of_rates: 'default',
      given_rates: ['answer_rate', 'busy_rate', 'failure_rate', 'hang_up_rate'],
      rates: {
        answer_rate: 0.3333,
        busy_rate: 0.3333,
        no_answer_rate: 0,
        failure_rate: 0.3333,
        hang_up_rate: 0,
      },
      destinations: 60,
      ends: 'completed',
      truncated: false,
    });
    expect(told.finishes_at).toBe(told.stops_at);
    await switchOn(id);
    await comesTo(id, 'SELECT * FROM campaigns WHERE account_id = $1 AND id = $2', {
      state: 'completed',
      destinations: told.destinations,
      made: told.attempts,
      answered: told.answered,
      ended: told.calls,
      transferred: told.transferred,
    });
    expect((await forecast(id)).http).toBe(409);
    expect((await forecast(id)).body.error).toContain('is over (completed)');
  });

  it('expects what campaigns did of late, when nothing else is given', async () => {
    const id = await aCampaign(30, ['00']);
    const told = (await forecast(id)).body;
    expect(told).toMatchObject({ source_of_rates: 'campaigns', given_rates: [] });
    expect(told.rates.answer_rate).toBeCloseTo(1 / 3, 3);
    expect(told.rates.busy_rate).toBeCloseTo(1 / 3, 3);
    expect(told.rates).toMatchObject({ no_answer_rate: 0, hang_up_rate: 0, transfer_rate: 0 });
  });

  it('goes on from where the campaign stands, with the calls that wait for a retry', async () => {
    const call = { ...anInput().call, schedule: { tries: 3, intervalMs: 1_800_000 } };
    const id = await aCampaign(60, ['01'], { call });
    await switchOn(id);
    await comesTo(
      id,
      `SELECT count(*)::int AS busy FROM calls WHERE account_id = $1 AND campaign_id = $2 AND status = 'BUSY'`,
      { busy: 60 },
    );
    const told = (await forecast(id, { busy_rate: 1 })).body;
    expect(told).toMatchObject({
      source_of_rates: 'campaign',
      destinations: 0,
      waiting_calls: 60,
      calls: 60,
      attempts: 120,
      unreached: 0,
      ends: 'completed',
    });
    // Twice half an hour after the attempt before.
    expect(Date.parse(told.finishes_at) - Date.parse(told.started_at)).toBeGreaterThan(3_500_000);
    await on.service.engine.send(ref(id), { type: 'changed', changes: { active: false } });
  });

  it('counts nobody twice who rings at that moment', async () => {
    const call = { ...anInput().call, ringSeconds: 3_000 };
    const id = await aCampaign(20, ['02'], { call });
    await switchOn(id);
    await comesTo(id, 'SELECT made FROM campaigns WHERE account_id = $1 AND id = $2', { made: 20 });
    const told = (await forecast(id, { no_answer_rate: 1 })).body;
    expect(told).toMatchObject({ waiting_calls: 20, attempts: 20, unreached: 0, ends: 'completed' });
    await on.service.engine.send(ref(id), { type: 'changed', changes: { active: false } });
  });

  it('says when, how much and how many, and why others are left out', async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { call_rate: '0.6000' });
    const id = anId();
    const numbers = ['5511987650000', '5511987650001', '5592987650000', '5511987650000'];
    await putList(
      on.database.pool,
      demoAccount,
      id,
      numbers.map((number) => ({ numbers: number })),
    );
    const hours = { ...always, timeStart: '09:00:00', timeEnd: '17:59:59' };
    const input = anInput({ list: id, hours, active: false });
    await on.service.engine.start({ kind: 'campaign', shard: 'a', account: demoAccount, id, input });
    await passes(on.service.engine, ref(id), 'generated');
    const asked = {
      start: '2027-03-02T05:00:00-03:00',
      answer_rate: 1,
      hang_up_rate: 0,
      calls_per_minute: 1,
    };
    const told = (await forecast(id, asked)).body;
    expect(told).toMatchObject({
      started_at: '2027-03-02T08:00:00.000Z',
      destinations: 3,
      skipped: { duplicate: 1 },
      calls_per_hour: [
        { hour: '2027-03-02T12:00:00.000Z', dials: 2, answered: 2 },
        { hour: '2027-03-02T13:00:00.000Z', dials: 1, answered: 1 },
      ],
      // A file that nobody measured counts as ten seconds.
      minutes: 0.5,
      cost: '0,300',
      peak_concurrent: 1,
    });
    expect(told.windows).toHaveLength(2);
    expect(told.windows).toEqual(
      expect.arrayContaining([
        { region: 'AM', destinations: 1, opens_at: '2027-03-02T13:00:00.000Z' },
        { region: 'SP', destinations: 2, opens_at: '2027-03-02T12:00:00.000Z' },
      ]),
    );
  });

  it('is the same for the same start and seed', async () => {
    const id = await aCampaign(50, ['00']);
    const asked = { start: '2027-03-02T12:00:00Z', seed: 5, hang_up_rate: 0.5, answer_rate: 0.5 };
    const { took_ms: _, ...one } = (await forecast(id, asked)).body;
    const path = `/accounts/${demoAccount}/campaigns/${id}/forecast`;
    const { took_ms: __, ...other } = (await on.admin('POST', path, asked)).body;
    expect(other).toEqual(one);
  });

  it('changes nothing', async () => {
    const id = await aCampaign(20, ['00']);
    await forecast(id, { calls_per_minute: 5, max_transfers: 3 });
    const view = await on.service.engine.view(ref(id));
    expect(view).toMatchObject({
      context: { phase: 'paused', plan: { active: false, pace: { callsPerMinute: null } } },
    });
  });
});

describe('what cannot be forecast is refused', () => {
  it.each([
    ['a number that is none', 'abc'],
    ['a campaign that nobody has', '99999999'],
  ])('%s', async (_, id) => {
    expect(await forecast(id)).toMatchObject({ http: 404, body: { error: `campaign ${id} does not exist` } });
  });

  it('a campaign by the way of another account, and a machine that is no campaign', async () => {
    const id = await aCampaign(1, ['00']);
    const other = await on.admin('POST', '/accounts', { name: 'other' });
    const theirs = await on.admin('POST', `/accounts/${other.body.cdcs_id}/campaigns/${id}/forecast`, {});
    expect(theirs).toMatchObject({ http: 404, body: { error: `campaign ${id} does not exist` } });
    const call = await on.post('MakeTTSCall', { dest: '11987650000', text: 'Hello' });
    const number = call.body.return.cd_id.split('_')[1];
    expect((await on.admin('POST', `/accounts/${demoAccount}/campaigns/${number}/forecast`, {})).http).toBe(
      404,
    );
  });

  it('a campaign whose destinations are being chosen', async () => {
    const id = anId();
    await putList(on.database.pool, demoAccount, id, numbersEnding(1, ['00']));
    const client = await on.database.pool.connect();
    // The lock under which destinations are chosen: it waits for us.
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1, $2)', [demoAccount, id]);
    const input = anInput({ list: id, hours: always, active: false });
    await on.service.engine.start({ kind: 'campaign', shard: 'a', account: demoAccount, id, input });
    const answer = await forecast(id);
    await client.query('ROLLBACK');
    client.release();
    expect(answer).toMatchObject({
      http: 409,
      body: { error: 'the destinations of the campaign are being chosen: try again in a moment' },
    });
    await passes(on.service.engine, ref(id), 'generated');
  });

  it.each([
    [{ answer_rate: 1.5 }, 'answer_rate', 'answer_rate: '],
    [{ busy_rate: '1' }, 'busy_rate', 'must be a number'],
    [{ answer_rate: 0.7, busy_rate: 0.4 }, 'busy_rate', 'come to 1.1, which is more than 1'],
    [
      { answer_rate: 0.1, busy_rate: 0.1, no_answer_rate: 0.1, failure_rate: 0.1 },
      'failure_rate',
      'less than 1',
    ],
    [{ transfer_rate: -1 }, 'transfer_rate', 'transfer_rate: '],
    [{ hang_up_rate: 2 }, 'hang_up_rate', 'hang_up_rate: '],
    [{ talk_seconds: 0 }, 'talk_seconds', 'talk_seconds: '],
    [{ seed: -1 }, 'seed', 'seed: '],
    [{ start: 'soon' }, 'start', 'must be a date'],
    [{ start: 8.64e15 }, 'start', 'must be before the year 10000'],
    [{ calls_per_minute: -5 }, 'calls_per_minute', 'calls_per_minute: '],
    [{ max_transfers: 0 }, 'max_transfers', 'max_transfers: '],
    [{ luck: 1 }, 'luck', 'luck'],
  ])('%j', async (body, field, text) => {
    const id = await aCampaign(1, ['00']);
    const answer = await forecast(id, body);
    expect(answer).toMatchObject({ http: 400, body: { field } });
    expect(answer.body.error).toContain(text);
  });

  it('a third forecast at a time; one that nobody waits for makes room', async () => {
    const id = await aCampaign(5, ['00']);
    const answers = await Promise.all([forecast(id), forecast(id), forecast(id)]);
    expect(answers.map(({ http }) => http).toSorted((one, other) => one - other)).toEqual([200, 200, 503]);
    expect(answers.find(({ http }) => http === 503)!.headers.get('retry-after')).toBe('5');
    const left = new AbortController();
    const leaving = [1, 2].map(() =>
      fetch(`${on.url}/admin/api/campaigns/${id}/forecast`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}` },
        signal: left.signal,
      }),
    );
    const gone = Promise.allSettled(leaving);
    left.abort();
    await gone;
    await expect.poll(async () => (await forecast(id)).http).toBe(200);
  });
});
