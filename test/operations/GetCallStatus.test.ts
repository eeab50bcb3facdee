import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

/** 14:30 in São Paulo. */
const base = Date.parse('2026-03-10T17:30:00Z');
const minute = 60_000;
let minted = 0;

interface ACall {
  account?: number;
  at?: number;
  [column: string]: unknown;
}

/** A call's record as the engine leaves it; the id is of the moment it was asked for. */
const aCall = async ({ account = demoAccount, at = base, ...columns }: ACall = {}): Promise<number> => {
  const id = firstIdAt(at) + (minted += 1);
  const row: Record<string, unknown> = {
    account_id: account,
    id,
    requested_at: at,
    called_at: at,
    destination: '5511987650000',
    mode: 'play',
    status: 'OK',
    finished: true,
    ...columns,
  };
  const names = Object.keys(row);
  await on.database.pool.query(
    `INSERT INTO calls (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
  return id;
};

/** Many calls of one campaign, a minute apart, oldest first. */
const manyCalls = async (customerCampaign: string, count: number): Promise<void> => {
  await on.database.pool.query(
    `INSERT INTO calls (account_id, id, requested_at, called_at, destination, mode, customer_campaign)
      SELECT $1, $2::bigint + n, $3, $3, '5511987650000', 'play', $4 FROM generate_series(1, $5::int) AS n`,
    [demoAccount, firstIdAt(base + minted++ * minute), base, customerCampaign, count],
  );
};

const found = async (given: object): Promise<string[]> => {
  const { http, body } = await on.post('GetCallStatus', given);
  expect([http, body.return.status]).toEqual([200, 'OK']);
  return body.calls.map((call: { cd_id: string }) => call.cd_id);
};

const names = (...ids: number[]): string[] => ids.map((id) => `a_${id}`);

describe('the record', () => {
  test('[4.13/record] an answered call, field by field', async () => {
    await on.admin('PATCH', `/accounts/${demoAccount}`, { call_rate: '0.1235' });
    const id = await aCall({
      answered_at: base + 7_000,
      ended_at: base + 37_000,
      customer_campaign: 'spring',
      campaign_id: 4,
      correlation: 'order-17',
      answered_by: 'HM',
      response_1: '12',
      response_2: '3',
      route: 'sandbox',
    });
    const { body } = await on.post('GetCallStatus', { cd_id: `a_${id}` });
    expect(body).toEqual({
      return: { status: 'OK', status_code: '0', pagination: { has_more: false, next_id: 0 } },
      calls: [
        {
          cd_id: `a_${id}`,
          cd_status: 'OK',
          cd_amdasw: 'HM',
          cp_id: 4,
          cpid: 'spring',
          ctid: 'order-17',
          origin: 'api',
          dest: '5511987650000',
          date: '2026-03-10',
          time_dial: '14:30:00',
          time_start: '14:30:07',
          time_end: '14:30:37',
          dur: 30,
          resp_1: '12',
          resp_2: '3',
          resp_3: '',
          route: 'sandbox',
          rate: '0,124',
          value: '0,062',
          cdr_url: '',
          cdr_sec: 0,
        },
      ],
    });
  });

  test('[4.13/record] what a call without an answer does not have is the text null', async () => {
    const id = await aCall({ status: 'BUSY', ended_at: base + 2_000, route: 'sandbox' });
    const { body } = await on.post('GetCallStatus', { cd_id: `a_${id}` });
    expect(body.calls[0]).toMatchObject({
      cd_status: 'BUSY', cd_amdasw: 'ND', cp_id: 0, cpid: '', ctid: '',
      time_start: 'null', time_end: 'null', route: 'null', dur: 0, rate: '0,000', value: '0,000',
    }); // prettier-ignore
  });

  test('[4.13/record] a recording is fetched from its address', async () => {
    const id = await aCall({
      answered_at: base,
      ended_at: base + 1000,
      recording: 'rec-1',
      recording_seconds: 3,
    });
    const { body } = await on.post('GetCallStatus', { cd_id: `a_${id}` });
    expect(body.calls[0].cdr_sec).toBe(3);
    expect(body.calls[0].cdr_url).toMatch(/^http:\/\/.*\/media\/3\/rec-1\.wav\?/);
  });

  test('[4.13/numtype] [4.13/origin] how the number and the origin are shown', async () => {
    const id = `a_${await aCall()}`;
    const shown = async (given: object) =>
      (await on.post('GetCallStatus', { cd_id: id, ...given })).body.calls[0];
    expect((await shown({ numtype: '' })).dest).toBe('5511987650000');
    expect((await shown({ numtype: '0DDD' })).dest).toBe('011987650000');
    expect((await shown({ numtype: 'DDD' })).dest).toBe('11987650000');
    expect((await shown({ origin: 'my-crm_1' })).origin).toBe('my-crm_1');
    expect((await shown({ origin: 'no spaces' })).origin).toBe('api');
    expect((await shown({ origin: 'x'.repeat(33) })).origin).toBe('api');
    for (const none of ['x'.repeat(1000), 'a\u0000', [], ['a'], {}, true])
      expect((await shown({ origin: none })).origin).toBe('api');
    const { http, body } = await on.post('GetCallStatus', { cd_id: id, numtype: 'XX' });
    expect([http, body.return.status_code, body.calls]).toEqual([400, '299', []]);
  });

  test('a call in the sandbox, from request to record', async () => {
    const placed = await on.post('MakeTTSCall', { dest: '11987650001', text: 'Hello', ctid: 'live' });
    const record = await on.ended(placed.body.return.cd_id);
    expect(record).toMatchObject({
      cd_status: 'BUSY',
      ctid: 'live',
      dest: '5511987650001',
      time_start: 'null',
    });
  });
});

describe('filters', () => {
  test('[4.13/cd_id] one call of one’s own', async () => {
    const id = await aCall();
    const foreign = await aCall({ account: 2 });
    expect(await found({ cd_id: `a_${id}` })).toEqual(names(id));
    expect(await found({ cd_id: String(id) })).toEqual(names(id));
    expect(await found({ cd_id: `b_${id}` })).toEqual([]);
    expect(await found({ cd_id: `a_${foreign}` })).toEqual([]);
  });

  test('[4.13/ctid] wins over cd_id; the text null finds calls without one', async () => {
    const other = await aCall({ customer_campaign: 'ctids' });
    const id = await aCall({ correlation: 'c-1', customer_campaign: 'ctids' });
    expect(await found({ ctid: 'c-1', cd_id: `a_${other}` })).toEqual(names(id));
    expect(await found({ ctid: 'null', cpid: 'ctids' })).toEqual(names(other));
    expect(await found({ ctid: 'nobody' })).toEqual([]);
  });

  test('[4.13/cpid] by the newest campaign with that customer-side id, and its calls alone', async () => {
    const campaign = (id: number, account: number) =>
      on.database.pool.query(
        `INSERT INTO campaigns (account_id, id, created_at, mode, correlation, list_id, definition, name, active,
          state, date_start, date_end, time_start, time_end)
          VALUES ($1, $2, 0, 'play', 'autumn', 1, '{}', 'n', true, 'active', '', '', '', '')`,
        [account, id],
      );
    const older = await aCall({ customer_campaign: 'autumn', campaign_id: 501 });
    await aCall({ customer_campaign: 'autumn' });
    await campaign(501, demoAccount);
    expect(await found({ cpid: 'autumn' })).toEqual(names(older));
    await campaign(502, demoAccount);
    await campaign(503, 99);
    const newer = await aCall({ customer_campaign: 'autumn', campaign_id: 502 });
    expect(await found({ cpid: 'autumn' })).toEqual(names(newer));
    expect(await found({ cpid: 'autumn', cp_id: 502 })).toEqual(names(newer));
    expect(await found({ cpid: 'autumn', cp_id: 501 })).toEqual([]);
  });

  test('[4.13/cp_id] [4.13/cpid] by campaign', async () => {
    const id = await aCall({ campaign_id: 77, customer_campaign: 'mine' });
    expect(await found({ cp_id: 77 })).toEqual(names(id));
    expect(await found({ cp_id: '77', cpid: 'mine' })).toEqual(names(id));
    expect(await found({ cp_id: 78 })).toEqual([]);
    expect(await found({ cpid: 'theirs' })).toEqual([]);
  });

  test('[4.13/date_start] [4.13/date_end] days of the account’s wall clock, both included', async () => {
    const at = (text: string) => Date.parse(`${text}-03:00`);
    const before = await aCall({ at: at('2026-02-09T23:59:59'), customer_campaign: 'days' });
    const first = await aCall({ at: at('2026-02-10T00:00:00'), customer_campaign: 'days' });
    const last = await aCall({ at: at('2026-02-11T23:59:59'), customer_campaign: 'days' });
    const after = await aCall({ at: at('2026-02-12T00:00:00'), customer_campaign: 'days' });
    const days = (given: object) => found({ cpid: 'days', ...given });
    expect(await days({ date_start: '2026-02-10', date_end: '2026-02-11' })).toEqual(names(last, first));
    expect(await days({ dini: '2026-02-10', dend: '2026-02-10' })).toEqual(names(first));
    expect(await days({ date_start: '2026-02-11' })).toEqual(names(after, last));
    expect(await days({ date_end: '2026-02-09' })).toEqual(names(before));
    const all = names(after, last, first, before);
    expect(await days({ date_start: '0001-01-01', date_end: '9999-12-31' })).toEqual(all);
  });

  test('a call that was put off counts on the day it was dialled', async () => {
    const id = await aCall({ called_at: base + 30 * 24 * 60 * minute, customer_campaign: 'later' });
    expect(await found({ cpid: 'later', date_start: '2026-04-09', date_end: '2026-04-09' })).toEqual(
      names(id),
    );
  });

  test('[4.13/onlydtmf] only calls with digits', async () => {
    await aCall({ customer_campaign: 'digits' });
    const ids = [];
    for (const response of ['response_1', 'response_2', 'response_3']) {
      ids.unshift(await aCall({ customer_campaign: 'digits', [response]: '5' }));
    }
    expect(await found({ cpid: 'digits', onlydtmf: 1 })).toEqual(names(...ids));
    expect(await found({ cpid: 'digits', onlydtmf: 0 })).toHaveLength(4);
  });

  test.each([
    { cd_id: 'nonsense' }, { cd_id: 'a_' }, { cp_id: 'x' }, { date_start: '2026-02-30' }, { date_end: 'today' },
    { maxreg: 0 }, { maxreg: -2 }, { maxreg: 'all' }, { last_id: 'x' }, { last_id: -1 }, { onlydtmf: 2 },
    { ctid: { a: 1 } }, { cpid: 'x'.repeat(65) },
  ])('[4.13/invalid] %j finds nothing, and is no error', async (given) => {
    expect(await on.post('GetCallStatus', given)).toMatchObject({
      http: 200,
      body: { return: { status: 'OK', status_code: '0', pagination: { has_more: false, next_id: 0 } }, calls: [] },
    });
  }); // prettier-ignore
});

describe('pages', () => {
  const page = async (given: object) => {
    const { body } = await on.post('GetCallStatus', given);
    return {
      ids: body.calls.map((call: { cd_id: string }) => call.cd_id) as string[],
      ...body.return.pagination,
    };
  };

  test('[4.13/last_id] follow the key, newest first, and end', async () => {
    await manyCalls('pages', 25);
    const first = await page({ cpid: 'pages', maxreg: 10 });
    const second = await page({ cpid: 'pages', maxreg: 10, last_id: first.next_id });
    const third = await page({ cpid: 'pages', maxreg: 10, last_id: String(second.next_id) });
    expect([first.has_more, second.has_more, third.has_more]).toEqual([true, true, false]);
    expect(third.next_id).toBe(0);
    const all = [...first.ids, ...second.ids, ...third.ids];
    expect(all).toEqual(all.toSorted((a, b) => Number(b.slice(2)) - Number(a.slice(2))));
    expect(new Set(all).size).toBe(25);
    expect((await page({ cpid: 'pages', maxreg: 25 })).has_more).toBe(false);
  });

  test('[4.13/maxreg] 1000 by default, more as asked for, -1 all of them', async () => {
    await manyCalls('thousands', 2500);
    const usual = await page({ cpid: 'thousands' });
    expect([usual.ids.length, usual.has_more]).toEqual([1000, true]);
    const more = await page({ cpid: 'thousands', maxreg: 1500 });
    expect([more.ids.length, more.has_more]).toEqual([1500, true]);
    const rest = await page({ cpid: 'thousands', maxreg: 1500, last_id: more.next_id });
    expect([rest.ids.length, rest.has_more, rest.next_id]).toEqual([1000, false, 0]);
    const all = await page({ cpid: 'thousands', maxreg: -1 });
    expect(all.ids).toEqual([...more.ids, ...rest.ids]);
    expect([all.has_more, all.next_id]).toEqual([false, 0]);
    expect((await page({ cpid: 'nobody', maxreg: -1 })).ids).toEqual([]);
  });

  test('walk the primary key, wherever the page is', async () => {
    const { rows } = await on.database.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM calls WHERE account_id = 3 AND id < 700000000000000 ORDER BY id DESC LIMIT 1001`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan');
  });
});
