/** Calls that the balance pays for: what is reserved, what goes back, and what becomes of a call that no balance covers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '10' });
});
afterAll(() => on.stop());

interface Account {
  id: number;
  path: string;
  tsid: string;
}

/** 0.6 a minute: a second costs 0.01, the first step of 30 seconds 0.3. */
const anAccount = async (more: object = {}): Promise<Account> => {
  const made = await on.admin('POST', '/accounts', {
    name: 'Loja',
    call_rate: '0.6',
    charge_calls: true,
    ...more,
  });
  const { cdcs_id: id } = made.body;
  const { token: tsid } = (await on.admin('POST', `/accounts/${id}/tokens`, { label: 'shop' })).body;
  return { id, path: `/accounts/${id}`, tsid };
};
const call = async ({ tsid }: Account, dest: string, more: object = {}): Promise<string> =>
  (await on.post('MakeTTSCall', { tsid, dest, text: 'Olá', httpdup: 0, ...more })).body.return.cd_id;
const contextOf = async (id: string) => (await on.admin('GET', `/machines/${id}`)).body.context;
const recordOf = async ({ tsid }: Account, id: string) =>
  (await on.post('GetCallStatus', { tsid, cd_id: id })).body.calls[0];
const balanceOf = async ({ path }: Account): Promise<number> => (await on.admin('GET', path)).body.balance;

interface Entry {
  entry: string;
  amount: number;
  payer_id: number | null;
  cd_id: string | null;
  cdls_id: number | null;
}

/** What stands in the ledger for a call, the oldest first. */
const entriesOf = async ({ path }: Account, id: string): Promise<Entry[]> =>
  (await on.admin('GET', `${path}/credits`)).body.credits
    .filter(({ cd_id }: Entry) => cd_id === id)
    .toReversed();
/** Charges that are not settled yet. */
const unsettled = async (): Promise<number> =>
  (await on.database.pool.query('SELECT FROM call_charges')).rowCount!;
const cents = (amount: number): number => Math.round(amount * 10_000);

test('an answered call is paid for with what its record says, by the account and by its reseller', async () => {
  const reseller = await anAccount({ name: 'Revenda', balance: '10', charge_calls: false });
  const shop = await anAccount({ reseller_id: reseller.id, balance: '5' });
  const id = await call(shop, '11987650000', { text: 'Olá, bom dia. '.repeat(20) });
  await on.ended(id, shop);
  await expect.poll(unsettled).toBe(0);
  const { cd_status: status, value, dur } = await recordOf(shop, id);
  expect([status, Number(dur) > 0]).toEqual(['OK', true]);
  const price = dur * 0.01;
  expect(Number(String(value).replace(',', '.'))).toBeCloseTo(price, 3);
  for (const [payer, before] of [
    [shop, 5],
    [reseller, 10],
  ] as const) {
    const [first, last] = await entriesOf(payer, id);
    expect(first).toMatchObject({ entry: 'callCharge', amount: -0.3, payer_id: shop.id, cdls_id: null });
    expect([last!.entry, cents(last!.amount)]).toEqual(['callRefund', cents(0.3 - price)]);
    expect(cents(await balanceOf(payer))).toBe(cents(before - price));
  }
});

test('a call that nobody answers costs nothing, however often it is tried', async () => {
  const shop = await anAccount({ balance: '0.3' });
  const id = await call(shop, '11987650002', { retry: 2, retrytime: 1 });
  await on.ended(id, shop);
  await expect.poll(unsettled).toBe(0);
  expect((await recordOf(shop, id)).cd_status).not.toBe('OK');
  const entries = await entriesOf(shop, id);
  expect(entries.length).toBeGreaterThanOrEqual(2);
  expect(entries.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(0);
  expect(await balanceOf(shop)).toBe(0.3);
});

test('a call that a balance does not cover is accepted, and ends CANCEL before anything is dialled', async () => {
  const poor = await anAccount({ balance: '0.2999' });
  const rich = await anAccount({ balance: '100', reseller_id: poor.id });
  for (const shop of [poor, rich]) {
    const id = await call(shop, '11987650000');
    await on.ended(id, shop);
    const { dial, attempts } = await contextOf(id);
    expect([dial.status, dial.reason, attempts]).toEqual(['CANCEL', 'insufficientBalance', []]);
    const { sentences } = (await on.admin('GET', `/machines/${id}/explain`)).body;
    expect(sentences.join(' ')).toContain('does not cover');
    expect(await entriesOf(shop, id)).toEqual([]);
  }
  expect([await balanceOf(poor), await balanceOf(rich)]).toEqual([0.2999, 100]);
  const why = (await on.admin('GET', '/why/5511987650000')).body.happened[0];
  expect(why).toMatchObject({ rule: 'insufficientBalance' });
});

/** The call has been talked for so many seconds more, as far as what is paid for goes. */
const talkedFor = (id: string, seconds: number) =>
  on.database.pool.query('UPDATE calls SET answered_at = answered_at - $2 WHERE id = $1', [
    id.replace(/\D+/g, ''),
    seconds * 1_000,
  ]);
const isTalked = async (id: string): Promise<boolean> =>
  (await on.admin('GET', `/machines/${id}`)).body.state.startsWith('answered');
const coveredOf = async (id: string): Promise<number> =>
  (
    await on.database.pool.query('SELECT covered FROM call_charges WHERE call_id = $1', [
      id.replace(/\D+/g, ''),
    ])
  ).rows[0]?.covered;

test('a call under way pays for each step before it begins, and is hung up where a balance bears no more', async () => {
  const shop = await anAccount({ balance: '0.4199' });
  const id = await call(shop, '11987650000', { text: 'Olá, bom dia. '.repeat(150) });
  await expect.poll(() => isTalked(id)).toBe(true);
  await talkedFor(id, 28);
  // Another six seconds, and no more: the next six are not there.
  await expect.poll(() => coveredOf(id)).toBe(36);
  expect(cents(await balanceOf(shop))).toBe(599);
  await talkedFor(id, 8);
  await on.ended(id, shop);
  const { dial } = await contextOf(id);
  expect([dial.status, dial.reason]).toEqual(['OK', 'insufficientBalance']);
  await expect.poll(unsettled).toBe(0);
  const { dur } = await recordOf(shop, id);
  expect(cents(await balanceOf(shop))).toBe(4_199 - dur * 100);
});

test('a call that waits for a caller id holds nothing', async () => {
  const shop = await anAccount({ balance: '1' });
  const pool = { caller_ids: ['551130001000'], order: 'fixed', calls_per_hour: 1 };
  expect((await on.admin('POST', `${shop.path}/caller-id-pools`, pool)).http).toBe(201);
  await on.ended(await call(shop, '11987650002'), shop);
  await expect.poll(unsettled).toBe(0);
  const id = await call(shop, '11987650000');
  await expect.poll(async () => (await contextOf(id)).explanations.at(-1)?.rule).toBe('callerId');
  expect([await balanceOf(shop), await entriesOf(shop, id), await unsettled()]).toEqual([1, [], 0]);
  await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' });
  await on.ended(id, shop);
});

test.each(['insufficientBalance', 'x'.repeat(60_000), { toString: 1 }])(
  'an operator who cancels a call says no reason: %#',
  async (reason) => {
    const shop = await anAccount({ charge_calls: false });
    const id = await call(shop, '11987650000', { text: 'Olá, bom dia. '.repeat(150) });
    await expect.poll(() => isTalked(id)).toBe(true);
    await on.admin('POST', `/machines/${id}/events`, { type: 'cancel', reason });
    await on.ended(id, shop);
    expect((await contextOf(id)).dial.reason).toBe('cancelled');
  },
);

test('a settlement that is done again, because its node died before it was done with it, moves nothing', async () => {
  const shop = await anAccount({ balance: '5' });
  const id = await call(shop, '11987650000');
  await on.ended(id, shop);
  await expect.poll(unsettled).toBe(0);
  const before = await entriesOf(shop, id);
  await on.database.pool.query(
    `INSERT INTO call_charges (account_id, call_id, rate, payers, covered, settle_id, opened_at)
     VALUES ($1, $2, 6000, $3, 30, NULL, 0)`,
    [shop.id, id.replace(/\D+/g, ''), [shop.id]],
  );
  await expect.poll(unsettled).toBe(0);
  expect(await entriesOf(shop, id)).toEqual(before);
});

test('an account that does not say so pays for no call', async () => {
  const shop = await anAccount({ charge_calls: false });
  const id = await call(shop, '11987650000');
  await on.ended(id, shop);
  expect((await recordOf(shop, id)).cd_status).toBe('OK');
  expect(await entriesOf(shop, id)).toEqual([]);
});

test('charges that a database which went back has forgotten are settled once it is open again', async () => {
  const reseller = await anAccount({ balance: '10', charge_calls: false });
  const shop = await anAccount({ reseller_id: reseller.id, balance: '5' });
  const [over, talked] = [
    await call(shop, '11987650002'),
    await call(shop, '11987650000', { text: 'Olá, bom dia. '.repeat(100) }),
  ];
  await on.ended(over, shop);
  await expect.poll(() => isTalked(talked)).toBe(true);
  const forget = on.database.pool.query.bind(on.database.pool);
  await expect.poll(async () => (await entriesOf(shop, over)).at(-1)?.entry).toBe('callRefund');
  // Neither the refund nor that anything was reserved: a copy of a moment ago, and its ledger as the journals bring it.
  await forget(`UPDATE shard_state SET state = 'checking', reason = 'was restored', doubt = doubt + 1`);
  await forget('DELETE FROM call_charges');
  for (const { id } of [shop, reseller]) {
    await forget(`DELETE FROM ledger WHERE account_id = $1 AND entry = 'callRefund'`, [id]);
    await forget(`UPDATE balances SET amount = amount - 3000 WHERE account_id = $1`, [id]);
  }
  await on.ended(talked, shop);
  const { dur } = await recordOf(shop, talked);
  const balances = async () => [cents(await balanceOf(shop)), cents(await balanceOf(reseller))];
  await expect.poll(balances).toEqual([50_000 - dur * 100, 100_000 - dur * 100]);
  expect(await unsettled()).toBe(0);
});
