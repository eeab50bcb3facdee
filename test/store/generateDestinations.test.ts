import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListRecordSelection } from '../../machines/campaign/input.ts';
import { nextDestinations } from '../../src/store/reads/campaigns/nextDestinations.ts';
import { createDestinationsFromList } from '../../src/store/sql/generateDestinations.ts';
import { putList, type TestRecord } from '../campaigns/lists.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

const ACCOUNT = 7;
const MOBILE = '5511987654321';
const FIXED = '551132654321';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() =>
  database.pool.query('TRUNCATE lists, list_records, destinations, skipped_destinations, blocklist'),
);

const all: ListRecordSelection = {
  mobile: true,
  skipBlocklist: false,
  recordsPerName: 1,
  severalNumbers: false,
};

const generate = (selection: Partial<ListRecordSelection> = {}, globalBlocks: string[] = [], campaign = 31) =>
  createDestinationsFromList(database.pool, {
    account: ACCOUNT,
    campaign,
    list: 5,
    selection: { ...all, ...selection },
    globalBlocks,
  });

const aList = (...records: TestRecord[]) => putList(database.pool, ACCOUNT, 5, records);

const block = (number: string, account = ACCOUNT) =>
  database.pool.query('INSERT INTO blocklist (account_id, number, created_at) VALUES ($1, $2, 0)', [
    account,
    number,
  ]);

/** Rows that are dialled with their numbers, and rows that are not with their reason. */
const outcome = async (campaign = 31): Promise<Record<number, string>> => {
  const { rows } = await database.pool.query<{ row: number; said: string }>(
    `SELECT row, numbers AS said FROM destinations WHERE campaign_id = $1
     UNION ALL SELECT row, reason FROM skipped_destinations WHERE campaign_id = $1 ORDER BY row`,
    [campaign],
  );
  return Object.fromEntries(rows.map(({ row, said }) => [row, said]));
};

describe('generation', () => {
  it('keeps every record once, numbered in the order of the list within its region', async () => {
    await aList({ numbers: '5511911110001' }, { numbers: '5521911110002' }, { numbers: '5511911110003' });
    expect(await generate()).toEqual({ destinations: 3, skipped: {}, regions: { SP: 2, RJ: 1 } });
    const { rows } = await database.pool.query('SELECT region, seq, row FROM destinations ORDER BY row');
    expect(rows).toEqual([
      { region: 'SP', seq: 1, row: 1 },
      { region: 'RJ', seq: 1, row: 2 },
      { region: 'SP', seq: 2, row: 3 },
    ]);
  });

  it('gives numbers from abroad and special ones no region', async () => {
    await aList({ numbers: '351912345678' }, { numbers: '08001234567' });
    expect((await generate()).regions).toEqual({ '': 2 });
  });

  it('leaves mobile numbers out when they are not wanted', async () => {
    await aList({ numbers: MOBILE }, { numbers: FIXED });
    expect((await generate({ mobile: false })).skipped).toEqual({ mobile: 1 });
    expect(await outcome()).toEqual({ 1: 'mobile', 2: FIXED });
  });

  it('leaves out what is on a block list of the account or of all, unless lists are not asked', async () => {
    await aList({ numbers: '5511911110001' }, { numbers: '5511911110002' }, { numbers: '5511911110003' });
    await block('5511911110001');
    await block('5511911110003', ACCOUNT + 1);
    expect((await generate({}, ['5511911110002'])).skipped).toEqual({ blocklist: 2 });
    expect(await outcome()).toEqual({ 1: 'blocklist', 2: 'blocklist', 3: '5511911110003' });
    expect((await generate({ skipBlocklist: true }, ['5511911110002'], 32)).destinations).toBe(3);
  });

  it('dials the same number once, whatever the name', async () => {
    await aList({ numbers: MOBILE, name: 'Ana' }, { numbers: MOBILE, name: 'Bia' }, { numbers: MOBILE });
    for (const recordsPerName of [0, 1, 2]) {
      await generate({ recordsPerName });
      expect(await outcome()).toEqual({ 1: MOBILE, 2: 'duplicate', 3: 'duplicate' });
    }
  });

  it('dials so many records of the same name', async () => {
    await aList(
      { numbers: '5511911110001', name: 'Ana' },
      { numbers: '5511911110002', name: 'ana' },
      { numbers: '5511911110003', name: 'Ana' },
      { numbers: '5511911110004', name: '' },
      { numbers: '5511911110005', name: '' },
    );
    expect((await generate()).skipped).toEqual({ name: 2 });
    expect(await outcome()).toMatchObject({ 2: 'name', 3: 'name', 5: '5511911110005' });
    expect((await generate({ recordsPerName: 2 })).skipped).toEqual({ name: 1 });
    expect((await generate({ recordsPerName: 0 })).skipped).toEqual({});
  });

  it('lets several records of one person at one number pass when so many are wanted', async () => {
    await aList(...[1, 2, 3].map(() => ({ numbers: MOBILE, name: 'Ana' })));
    expect((await generate({ recordsPerName: 1 })).skipped).toEqual({ duplicate: 2 });
    expect((await generate({ recordsPerName: 2 })).skipped).toEqual({ name: 1 });
    expect((await generate({ recordsPerName: 0 })).skipped).toEqual({});
  });

  it('keeps only records whose column has the wanted value', async () => {
    await aList(
      { numbers: '5511911110001', extra1: 'gold' },
      { numbers: '5511911110002', extra1: 'silver' },
      { numbers: '5511911110003' },
    );
    await generate({ filter: { column: 'extra1', value: 'gold' } });
    expect(await outcome()).toEqual({ 1: '5511911110001', 2: 'filter', 3: 'filter' });
  });

  it('takes only the first number of a record, or all of them', async () => {
    await aList({ numbers: `${MOBILE} ${FIXED}` });
    await generate();
    expect(await outcome()).toEqual({ 1: MOBILE });
    await generate({ severalNumbers: true });
    expect(await outcome()).toEqual({ 1: `${MOBILE} ${FIXED}` });
  });

  it('judges every number of a record by itself, and dials from where the first one left is', async () => {
    await aList({ numbers: '5511987654321 552132654321 5511911110002' }, { numbers: '5511911110002' });
    await block('5511911110002');
    const generated = await generate({ severalNumbers: true, mobile: false });
    expect(generated.regions).toEqual({ RJ: 1 });
    expect(await outcome()).toEqual({ 1: '552132654321', 2: 'mobile' });
  });

  it('makes the same again when it is repeated', async () => {
    await aList({ numbers: MOBILE }, { numbers: MOBILE }, { numbers: FIXED });
    const first = await generate();
    expect(await generate()).toEqual(first);
    expect(await outcome()).toEqual({ 1: MOBILE, 2: 'duplicate', 3: FIXED });
  });

  it('leaves nothing when it is aborted', async () => {
    await aList({ numbers: MOBILE });
    const given = new AbortController();
    given.abort();
    const query = { account: ACCOUNT, campaign: 31, list: 5, selection: all, globalBlocks: [] };
    await expect(createDestinationsFromList(database.pool, query, given.signal)).rejects.toThrow('aborted');
    expect(await outcome()).toEqual({});
  });

  it('sees no list of another account', async () => {
    await putList(database.pool, ACCOUNT + 1, 5, [{ numbers: MOBILE }]);
    expect((await generate()).destinations).toBe(0);
  });
});

describe('the next destinations', () => {
  it('come in the order of the list, from after the cursor of each region that is asked', async () => {
    await aList(
      { numbers: '5511911110001', name: 'Ana', clientCode: 'c1', extra1: 'x' },
      { numbers: '5521911110002' },
      { numbers: '5511911110003' },
      { numbers: '5571911110004' },
      { numbers: '5521911110005' },
    );
    await generate();
    const read = async (cursors: Record<string, number>, limit: number) =>
      (
        await nextDestinations(database.pool, { account: ACCOUNT, campaign: 31, list: 5, cursors, limit })
      ).map(({ row }) => row);
    expect(await read({ SP: 0, RJ: 0, BA: 0 }, 3)).toEqual([1, 2, 3]);
    expect(await read({ SP: 1, RJ: 0 }, 10)).toEqual([2, 3, 5]);
    expect(await read({ RJ: 2 }, 10)).toEqual([]);
    const [first] = await nextDestinations(database.pool, {
      account: ACCOUNT,
      campaign: 31,
      list: 5,
      cursors: { SP: 0 },
      limit: 1,
    });
    expect(first).toMatchObject({ numbers: '5511911110001', name: 'Ana', client_code: 'c1', extra_1: 'x' });
  });
});
