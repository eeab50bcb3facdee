/** Lists as their account and operators see them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, demoToken, type TestService } from '../helpers/service.ts';
import { askedLists, phone, startListService } from './askedLists.ts';

let on: TestService;
beforeAll(async () => {
  on = await startListService();
});
afterAll(() => on.stop());

const { create, upload } = askedLists(() => on);

describe('GetDestinationsList', () => {
  const token: { ours: string; theirs: string } = { ours: '', theirs: '' };
  const ids: string[] = [];
  const list = (given: object = {}, tsid = token.ours) => on.post('GetDestinationsList', { tsid, ...given });
  const found = async (given: object = {}, tsid = token.ours) =>
    (await list(given, tsid)).body.lists.map((one: { cdlc_id: number }) => ids.indexOf(String(one.cdlc_id)));

  beforeAll(async () => {
    for (const whose of ['ours', 'theirs'] as const) {
      const { cdcs_id } = (await on.admin('POST', '/accounts', { name: whose })).body;
      token[whose] = (await on.admin('POST', `/accounts/${cdcs_id}/tokens`, {})).body.token;
    }
    for (const [name, ctid] of [['Promoção 100%', 'c1'], ['b_c', 'c2'], ['BxC', 'c2'], ['d', '']] as const)
      ids.push((await create({ tsid: token.ours, name, ctid, datajson: [{ phone }] })).body.return.cdlc_id);
  }); // prettier-ignore

  test('[2.4/fields] has every key', async () => {
    const { body } = await list({ cdlc_id: ids[0] });
    expect(body).toEqual({
      return: { status: 'OK', status_code: '0' },
      lists: [
        {
          cdlc_id: Number(ids[0]), cdlc_active: 1, cdlc_ctid: 'c1', cdlc_name: 'Promoção 100%', cdlc_file: '',
          cdlc_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), cdlc_num: 1,
        },
      ],
    }); // prettier-ignore
  });

  test('[4.7/maxreg] newest first, so many', async () => {
    expect(await found()).toEqual([3, 2, 1, 0]);
    expect(await found({ maxreg: 2 })).toEqual([3, 2]);
    expect((await list({ maxreg: 0 })).body.return.status_code).toBe('299');
    for (const nobody of [0, '-1', 2 ** 31, 99_999])
      expect((await list({ cdlc_id: nobody })).body).toMatchObject({
        return: { status_code: '0' },
        lists: [],
      });
    await on.database.pool.query(
      `INSERT INTO lists (account_id, id, name, created_at) SELECT $1, 100000 + n, 'many', 0 FROM generate_series(1, 101) n`,
      [demoAccount],
    );
    expect((await list({}, demoToken)).body.lists).toHaveLength(100);
  });

  test('[4.7/cdlc_id] [4.7/ctid] [4.7/search] one wins over the next', async () => {
    expect(await found({ cdlc_id: ids[1] })).toEqual([1]);
    expect(await found({ ctid: 'c2', cdlc_id: ids[0], search: 'd' })).toEqual([2, 1]);
    expect(await found({ cdlc_id: ids[0], search: 'd' })).toEqual([0]);
    expect(await found({ search: 'PROMOCAO' })).toEqual([0]);
    expect(await found({ search: 'b_c' })).toEqual([1]);
    expect(await found({ search: '%' })).toEqual([0]);
    await upload(`phone\n${phone}`, 'Junho é.csv', { tsid: token.ours });
    expect((await list({ search: 'junho E' })).body.lists).toMatchObject([{ cdlc_file: 'Junho é.csv' }]);
  });

  test('[4.7/cdlc_id] another account’s list is not found', async () => {
    expect(await found({ cdlc_id: ids[0] }, token.theirs)).toEqual([]);
    expect(await found({ list: 'all' }, token.theirs)).toEqual([]);
    await list({ list: 'all', setactive: 0 }, token.theirs);
    expect(await found({ cdlc_id: ids[0] })).toEqual([0]);
  });

  test('[4.7/list] [4.7/setactive] flags are set for all that match, and shown as they are then', async () => {
    const { body } = await list({ ctid: 'c2', setactive: 0, maxreg: 1 });
    expect(body.lists).toMatchObject([
      { cdlc_id: Number(ids[2]), cdlc_active: 0 },
      { cdlc_id: Number(ids[1]), cdlc_active: 0 },
    ]);
    expect(await found({ ctid: 'c2' })).toEqual([]);
    expect(await found({ ctid: 'c2', list: 0 })).toEqual([2, 1]);
    expect(await found({ search: 'B', list: 'ALL' })).toEqual([2, 1]);
    expect((await list({ ctid: 'c2', list: 1, setactive: 1 })).body.lists).toEqual([]);
    await list({ ctid: '', setactive: 1 });
    expect(await found({ ctid: 'c2' })).toEqual([]);
    for (const which of [{ list: 'all' }, {}])
      expect((await list({ ctid: 'c2', setactive: 1, ...which })).body.lists).toMatchObject([
        { cdlc_active: 1 },
        { cdlc_active: 1 },
      ]);
    expect((await list({ list: 'x' })).body).toMatchObject({ return: { status_code: '299' }, lists: [] });
    expect((await list({ setactive: 2 })).body.return.status_code).toBe('299');
  });

  test('[7/GetDestinationsList/500] the database failed', async () => {
    expect(await on.without('lists', () => list())).toMatchObject({
      http: 500,
      body: { return: { status_code: '500' }, lists: [] },
    });
  });

  test('the admin API shows an account’s lists in pages', async () => {
    const { lists, cursor } = (await on.admin('GET', `/accounts/${demoAccount}/lists?cursor=100003`)).body;
    expect([cursor, lists[0].cdlc_id, lists[1].cdlc_id]).toEqual([null, 100002, 100001]);
    expect((await on.admin('GET', `/accounts/${demoAccount}/lists/99`)).http).toBe(404);
    expect((await on.admin('GET', `/accounts/${demoAccount}/lists/99999999999`)).http).toBe(404);
  });
});
