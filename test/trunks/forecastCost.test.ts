/** What the forecast of a campaign says of trunks and money, and what the sandbox then comes to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aList, anId } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import { passes } from '../helpers/milestones.ts';

const CALLS = 400;
/** Long beside the second that a busy machine makes a call longer, and below the steps of 30 seconds. */
const TALK_SECONDS = 27;

let on: TestService;
beforeAll(async () => {
  // Calls last as long as their audio, so that what is talked is what the forecast reckons with.
  on = await startTestService({ SANDBOX_SPEED: '1' });
});
afterAll(() => on.stop());

/** Numbers of two areas that answer, are busy, and are not there, by turns; one in twenty is closed to every trunk. */
const numbers = Array.from({ length: CALLS }, (_, nth) => {
  const area = nth % 20 === 19 ? 31 : nth % 3 === 0 ? 21 : 11;
  const ending = ['00', '00', '00', '01', '04'][nth % 5]!;
  return `55${area}98${String(nth).padStart(5, '0')}${ending}`;
});

const aCampaign = async (account: object, of: readonly string[]): Promise<number> => {
  await on.admin('PATCH', `/accounts/${demoAccount}`, account);
  const audio64 = aWav(TALK_SECONDS).toString('base64');
  const content = (await on.post('CreateAudioFile', { audio64, name: `audio ${anId()}` })).body.return
    .cdw_file;
  const list = await aList(on, { numbers: [...of] });
  const name = `campaign ${anId()}`;
  const made = await on.post('CreateCampaign', { name, cdlc_id: list, content });
  const campaign = Number(made.body.return.cp_id);
  const ref = { shard: 'a', account: demoAccount, id: campaign };
  await passes(on.service.engine, ref, 'generated');
  return campaign;
};

/** Shares as the sandbox's numbers have them, among those that are dialled. */
const ratesOf = (dialled: readonly string[]) => {
  const share = (ending: string): number =>
    dialled.filter((number) => number.endsWith(ending)).length / dialled.length;
  return {
    ...{ answer_rate: share('00'), busy_rate: share('01'), failure_rate: share('04') },
    ...{ no_answer_rate: 0, hang_up_rate: 0 },
  };
};

const dialAll = async (campaign: number, calls: number): Promise<void> => {
  await on.post('ChangeCampaign', { cp_id: campaign, active: 1 });
  const ended = async () =>
    (await on.database.pool.query('SELECT FROM calls WHERE campaign_id = $1 AND finished', [campaign]))
      .rowCount;
  await expect.poll(ended, { timeout: 120_000, interval: 500 }).toBe(calls);
};

const within5 = (told: string, real: string): void => {
  expect(Number(real)).toBeGreaterThan(0);
  expect(Math.abs(Number(told) / Number(real) - 1)).toBeLessThan(0.05);
};

test(`sale, purchase and margin of ${CALLS} destinations over two trunks are within 5 % of the forecast`, async () => {
  const closed = { closed: ['5531'] };
  await on.admin('PATCH', '/trunks/1', {
    ...{ calls_per_second: 100, legs: 500, closed_prefixes: closed },
    prices: [{ prefix: '55', per_minute: '0.0457', first_seconds: 6, step_seconds: 6 }],
  });
  await on.admin('POST', '/trunks', {
    ...{ name: 'sandbox-b', server: 'sandbox', calls_per_second: 100, legs: 500, closed_prefixes: closed },
    prices: [
      { prefix: '', per_minute: '0.0333', first_seconds: 1, step_seconds: 1 },
      { prefix: '5521', per_minute: '0.0910', first_seconds: 30, step_seconds: 6 },
    ],
  });
  const shared = [
    { trunk: 'sandbox', share: 60 },
    { trunk: 'sandbox-b', share: 40 },
  ];
  await on.admin('POST', '/trunk-routes', { order: 'share', trunks: shared });
  const second = { prefix: '5521', order: 'fixed', trunks: [{ trunk: 'sandbox-b' }] };
  expect((await on.admin('POST', '/trunk-routes', second)).http).toBe(201);

  const campaign = await aCampaign({ call_rate: '0.6' }, numbers);
  // Slower than each trunk bears: calls that wait for a trunk go by the other, and how many wait is the machine's.
  const paced = { calls_per_minute: 1_200 };
  const path = `/accounts/${demoAccount}/campaigns/${campaign}`;
  expect((await on.admin('PATCH', path, paced)).http).toBe(200);
  const dialled = numbers.filter((number) => !number.startsWith('5531'));
  const told = (await on.admin('POST', `/campaigns/${campaign}/forecast`, ratesOf(dialled))).body;
  expect(told).toMatchObject({
    ends: 'completed',
    destinations: CALLS,
    attempts: dialled.length,
    balance: null,
  });
  expect(told.left_out).toEqual([
    {
      ...{ ends: 'CANCEL', reason: 'route', destinations: CALLS - dialled.length },
      trunks: ['sandbox:closedPrefix', 'sandbox-b:closedPrefix'],
    },
  ]);

  await dialAll(campaign, CALLS);
  const cost = async () => (await on.admin('GET', `/campaigns/${campaign}`)).body.figures.cost;
  await expect.poll(async () => Number((await cost()).purchase)).toBeGreaterThan(0);
  const real = await cost();
  for (const what of ['sale', 'purchase', 'margin'] as const) within5(told.earnings[what], real[what]);
  expect([told.earnings.unpriced, real.unpriced]).toEqual([0, 0]);
  const { rows } = await on.database.pool.query<{ route: string; calls: number }>(
    `SELECT route, count(*)::int AS calls FROM calls WHERE campaign_id = $1 AND route <> '' GROUP BY route`,
    [campaign],
  );
  const callsOf = (name: string): number => rows.find(({ route }) => route === name)!.calls;
  for (const { trunk, calls } of told.trunks as { trunk: string; calls: number }[])
    expect(Math.abs(calls - callsOf(trunk))).toBeLessThan(0.1 * dialled.length);
  const cancelled = await on.database.pool.query(
    `SELECT FROM calls WHERE campaign_id = $1 AND status = 'CANCEL' AND reason = 'route'`,
    [campaign],
  );
  expect(cancelled.rowCount).toBe(CALLS - dialled.length);
});

test('a balance runs out after as many calls, and for as many destinations, as the forecast says', async () => {
  const answering = Array.from({ length: 90 }, (_, nth) => `551197${String(nth).padStart(5, '0')}00`);
  // The first step is 0.3, and a call comes to 0.08; five calls begin in a second.
  const campaign = await aCampaign({ call_rate: '0.6', charge_calls: true, balance: '5' }, answering);
  const path = `/accounts/${demoAccount}/campaigns/${campaign}`;
  expect((await on.admin('PATCH', path, { calls_per_minute: 300 })).http).toBe(200);
  const told = (await on.admin('POST', `${path}/forecast`, ratesOf(answering))).body;
  const { balance } = told;
  expect(balance.payers).toMatchObject([{ cdcs_id: demoAccount, before: '5.0000' }]);
  expect(Date.parse(balance.runs_out_at)).toBeGreaterThan(Date.parse(told.started_at));
  expect(balance.attempts_before).toBe(16);
  expect(balance.unfunded + told.attempts).toBe(90);
  expect(told.left_out).toEqual([
    { ends: 'CANCEL', reason: 'insufficientBalance', trunks: [], destinations: balance.unfunded },
  ]);
  // A forecast takes nothing.
  expect((await on.admin('GET', `/accounts/${demoAccount}`)).body.balance).toBe(5);

  await dialAll(campaign, 90);
  const { rows } = await on.database.pool.query<{ status: string; reason: string }>(
    'SELECT status, reason FROM calls WHERE campaign_id = $1 ORDER BY id',
    [campaign],
  );
  const isUnfunded = ({ reason }: { reason: string }): boolean => reason === 'insufficientBalance';
  expect(Math.abs(rows.findIndex(isUnfunded) - balance.attempts_before)).toBeLessThanOrEqual(1);
  expect(Math.abs(rows.filter(isUnfunded).length - balance.unfunded)).toBeLessThanOrEqual(9);
});
