/** What calls cost: sold by the account's rate, bought by the prices of the trunks that carried them, compared with a sum by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aList, anAsset, anId } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

const CALLS = 1_000;

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '10' });
});
afterAll(() => on.stop());

/** 0.1235 sold; bought for 0.0457 in 30 + 6, and for 0.0333 by the second. */
const rate = 1_235;
const prices = {
  sandbox: { prefix: '55', per_minute: '0.0457', first_seconds: 30, step_seconds: 6 },
  'sandbox-b': { prefix: '', per_minute: '0.0333', first_seconds: 1, step_seconds: 1 },
} as const;

interface Row {
  route: string;
  answered_at: number | null;
  ended_at: number | null;
  purchase: number | null;
  attempts: string;
}

const seconds = ({ answered_at, ended_at }: Row): number =>
  answered_at === null || ended_at === null ? 0 : (ended_at - answered_at) / 1_000;

/** Sixtieths of ten-thousandths to whole ten-thousandths, half up. */
const halfUp = (sixtieths: number): number => Math.floor(sixtieths / 60 + 0.5);

const saleByHand = (row: Row): number => {
  const talk = seconds(row);
  return talk > 0 ? halfUp(rate * Math.max(1, Math.round(talk))) : 0;
};

const purchaseByHand = (row: Row): number => {
  const talk = seconds(row);
  if (talk <= 0) return 0;
  if (row.route === 'sandbox-b') return halfUp(333 * Math.ceil(talk));
  let paid = 30;
  while (paid < talk) paid += 6;
  return halfUp(457 * paid);
};

const amount = (units: number): string => (units / 10_000).toFixed(4);
const sum = (rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((all, row) => all + of(row), 0);

test(`sale, purchase and margin of ${CALLS} calls over two trunks are those of a sum by hand`, async () => {
  await on.admin('PATCH', `/accounts/${demoAccount}`, { call_rate: '0.1235' });
  await on.admin('PATCH', '/trunks/1', { prices: [prices.sandbox] });
  const second = {
    name: 'sandbox-b',
    server: 'sandbox',
    calls_per_second: 500,
    legs: 2_000,
    simulates: 'second',
  };
  await on.admin('POST', '/trunks', { ...second, prices: [prices['sandbox-b']] });
  const shares = [
    { trunk: 'sandbox', share: 60 },
    { trunk: 'sandbox-b', share: 40 },
  ];
  expect((await on.admin('POST', '/trunk-routes', { order: 'share', trunks: shares })).http).toBe(201);
  const content = await anAsset(on);
  await on.database.pool.query('UPDATE audios SET seconds = 44 WHERE wav <> $1', ['']);
  const numbers = Array.from({ length: CALLS }, (_, nth) => String(5_511_987_650_000 + nth));
  const list = await aList(on, { numbers });
  const made = await on.post('CreateCampaign', {
    name: `campaign ${anId()}`,
    cdlc_id: list,
    content,
  });
  const campaign = Number(made.body.return.cp_id);
  await on.post('ChangeCampaign', { cp_id: campaign, active: 1 });
  const read = async (): Promise<Row[]> =>
    (
      await on.database.pool.query<Row>(
        'SELECT route, answered_at, ended_at, purchase, attempts FROM calls WHERE campaign_id = $1 AND finished',
        [campaign],
      )
    ).rows;
  await expect.poll(async () => (await read()).length, { interval: 500 }).toBe(CALLS);
  const rows = await read();
  for (const name of ['sandbox', 'sandbox-b'])
    expect(
      rows.filter(({ route, answered_at }) => route === name && answered_at !== null).length,
    ).toBeGreaterThan(200);
  for (const row of rows) expect(Number(row.purchase)).toBe(purchaseByHand(row));
  const [sale, purchase] = [sum(rows, saleByHand), sum(rows, purchaseByHand)];
  const cost = async () => (await on.admin('GET', `/campaigns/${campaign}`)).body.figures.cost;
  const told = {
    sale: amount(sale),
    purchase: amount(purchase),
    margin: amount(sale - purchase),
    unpriced: 0,
  };
  await expect.poll(cost).toEqual(told);
});

test('a call by a trunk that has no price is told apart from one that costs nothing', async () => {
  await on.admin('PATCH', '/trunks/1', { prices: [{ prefix: '5521', per_minute: 0 }] });
  const routes = (await on.admin('GET', '/trunk-routes')).body.trunk_routes as { route_id: number }[];
  for (const { route_id } of routes) await on.admin('DELETE', `/trunk-routes/${route_id}`);
  const purchaseOf = async (dest: string): Promise<number | null> => {
    const { body } = await on.post('MakeTTSCall', { dest, text: 'Olá', httpdup: 0 });
    await on.ended(body.return.cd_id);
    const id = body.return.cd_id.split('_').at(-1);
    const { rows } = await on.database.pool.query<Row>('SELECT purchase FROM calls WHERE id = $1', [id]);
    return rows[0]!.purchase;
  };
  expect([await purchaseOf('11987650000'), await purchaseOf('21987650000')]).toEqual([null, 0]);
});
