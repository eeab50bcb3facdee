/** Lists that are uploaded: their records, and the ways they come in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, demoToken, type TestService } from '../helpers/service.ts';
import { askedLists, phone, startListService } from './askedLists.ts';

let on: TestService;
beforeAll(async () => {
  on = await startListService();
});
afterAll(() => on.stop());

const { create, upload, taken, counts } = askedLists(() => on);

describe('records', () => {
  test('[2.4/phone] [2.4/name] [2.4/cod_cli] [2.4/extra1..4] come under any of their names', async () => {
    const found = await taken(
      create({
        datajson: [
          { phone, name: 'Ána', cod_cli: 'c1', extra1: 'a', extra2: 'b', extra3: 'c', extra4: 'd' },
          { tel: phone, nome: 'Bia', codcli: 2 },
          { telefone: phone },
          { numero: 11987650001 },
          { Number: '+55 (11) 98765-0001', NOME: null, unknown: [1] },
          { telefone: '', tel: '1133334444' },
        ],
      }),
    );
    const of = (row: number, more: object) => ({
      row, numbers: '5511987650001', region: 'SP', area: 11, mobile: true,
      name: '', client_code: '', extra_1: '', extra_2: '', extra_3: '', extra_4: '', ...more,
    }); // prettier-ignore
    expect(found).toEqual([
      of(1, { name: 'Ána', client_code: 'c1', extra_1: 'a', extra_2: 'b', extra_3: 'c', extra_4: 'd' }),
      of(2, { name: 'Bia', client_code: '2' }),
      of(3, {}),
      of(4, {}),
      of(5, {}),
      of(6, { numbers: '551133334444', mobile: false }),
    ]);
  });

  test('[2.4/positional] may be arrays', async () => {
    const found = await taken(
      create({ datajson: [[phone, 'Ana', 'c1', 'a', 'b', 'c', 'd'], [11987650002]] }),
    );
    expect(found).toMatchObject([
      { numbers: '5511987650001', name: 'Ana', client_code: 'c1', extra_1: 'a', extra_4: 'd' },
      { numbers: '5511987650002', name: '', extra_4: '' },
    ]);
  });

  test('[2.4/several] may have several numbers in one field', async () => {
    const found = await taken(
      create({ datajson: [{ phone: '11 98765-0001' }, { phone: '2133334444; 11987650001,x|2133334444' }] }),
    );
    expect(found).toMatchObject([
      { numbers: '5511987650001' },
      { numbers: '552133334444 5511987650001', region: 'RJ', area: 21, mobile: false },
    ]);
  });

  test('[4.6/raw] are kept as often as they come, blocked or not', async () => {
    await on.admin('POST', `/accounts/${demoAccount}/blocklist`, { number: phone });
    expect(await taken(create({ datajson: [{ phone }, { phone }] }))).toHaveLength(2);
  });

  test('[4.6/rejected] that are refused are kept with row, reason and beginning', async () => {
    const { body } = await create({
      datajson: [{ phone: 'abc', name: 'João' }, { phone }, { name: 'x' }, 7, { phone, name: 'x'.repeat(201) }, { phone, extra1: { a: 1 } }, { phone, name: 'a\u0000b' }, { phone, name: '\ud800' }],
    }); // prettier-ignore
    expect(body.return).toMatchObject({ num_dest: '1', rejected: 7 });
    const path = `/accounts/${demoAccount}/lists/${body.return.cdlc_id}`;
    const shown = (await on.admin('GET', `${path}/rejects`)).body;
    expect(shown.cursor).toBeNull();
    expect(shown.rejects).toMatchObject([
      { row: 1, reason: 'phone is not a telephone number', content: '{"phone":"abc","name":"João"}' },
      { row: 3, reason: 'phone is missing' },
      { row: 4, reason: 'it is neither an object nor an array', content: '7' },
      { row: 5, reason: 'name is longer than 200 characters' },
      { row: 6, reason: 'extra1 is not text' },
      { row: 7, reason: 'name contains NUL' },
      { row: 8, reason: 'name contains half a character' },
    ]);
    expect(shown.rejects[3].content.length).toBeLessThanOrEqual(200);
    expect((await on.admin('GET', path)).body).toMatchObject({ cdlc_num: 1, rejected: 7, active: true });
  });

  test('a record that is nested without end is refused like any other, and keeps nobody from the rest', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    const list = `[${deep},{"phone":"${phone}","more":${deep}},{"phone":"1","more":${deep}}]`;
    const { http, body } = await create(`{"tsid":"${demoToken}","datajson":${list}}`);
    expect([http, body.return.num_dest, body.return.rejected]).toEqual([200, '1', 2]);
    const { rejects } = (
      await on.admin('GET', `/accounts/${demoAccount}/lists/${body.return.cdlc_id}/rejects`)
    ).body;
    expect(rejects).toMatchObject([
      { row: 1, reason: 'phone is not text', content: '' },
      { row: 3, content: '' },
    ]);
  });

  test('a list of which every record is refused says why the first was, because nothing is kept of it', async () => {
    const { body } = await create({ datajson: [{ phone, name: 'x'.repeat(201) }, { phone: 'abc' }] });
    expect(body.return).toMatchObject({
      status: 'none of the 2 records can be taken; record 1: name is longer than 200 characters',
      status_code: '230',
    });
  });

  test('refused records are shown in pages', async () => {
    const datajson = Array.from({ length: 1100 }, (_, n) => ({ phone: n % 11 === 0 ? phone : 'x' }));
    const { body } = await create({ datajson });
    const path = `/accounts/${demoAccount}/lists/${body.return.cdlc_id}/rejects`;
    const first = (await on.admin('GET', path)).body;
    const second = (await on.admin('GET', `${path}?cursor=${first.cursor}`)).body;
    expect([first.rejects.length, second.rejects.length, second.cursor]).toEqual([500, 500, null]);
    expect(new Set([...first.rejects, ...second.rejects].map((one) => one.row)).size).toBe(1000);
  });
});

describe('an operator deletes', () => {
  const counts = async (list: number): Promise<number[]> => {
    const { rows } = await on.database.pool.query<{ lists: number; records: number; rejects: number }>(
      `SELECT (SELECT count(*)::int FROM lists WHERE id = $1) AS lists,
        (SELECT count(*)::int FROM list_records WHERE list_id = $1) AS records,
        (SELECT count(*)::int FROM list_rejects WHERE list_id = $1) AS rejects`,
      [list],
    );
    return Object.values(rows[0]!);
  };

  test('a list with its records, but none that a campaign may dial, and none of another account', async () => {
    // A number that no test before took off: a campaign with no number left ends.
    const { body } = await create({ datajson: [{ phone: '11987650177' }, { phone: 'abc' }] });
    const list = Number(body.return.cdlc_id);
    const path = `/accounts/${demoAccount}/lists/${list}`;
    const made = await on.post('CreateCampaign', {
      name: 'Keeps it',
      cdlc_id: list,
      text: 'Olá',
      cp_ativo: 0,
    });
    expect(made.body.return.status_code).toBe('0');
    const campaign = made.body.return.cp_id as string;
    expect(await on.admin('DELETE', path)).toMatchObject({
      http: 409,
      body: {
        error: `list ${list} is in use: campaign ${campaign} (Keeps it) is paused`,
        uses: [{ kind: 'campaign', id: Number(campaign) }],
      },
    });
    expect((await on.admin('DELETE', `/accounts/2/lists/${list}`)).http).toBe(404);
    expect(await counts(list)).toEqual([1, 1, 1]);

    const statistics = `UPDATE campaigns SET finished_at = 1, state = 'completed', made = 7 WHERE id = $1`;
    await on.database.pool.query(statistics, [campaign]);
    expect((await on.admin('DELETE', path)).http).toBe(204);
    expect(await counts(list)).toEqual([0, 0, 0]);
    expect((await on.admin('DELETE', path)).http).toBe(404);
    const { rows } = await on.database.pool.query('SELECT made, list_id FROM campaigns WHERE id = $1', [
      campaign,
    ]);
    expect(rows).toEqual([{ made: 7, list_id: list }]);
  });
});

describe('ways in', () => {
  test('[4.6/datajson] an array, text in JSON, text in a form', async () => {
    const list = [{ phone, name: 'Ção' }];
    for (const answer of [
      create({ datajson: list }),
      create({ datajson: JSON.stringify(list) }),
      create(new URLSearchParams({ tsid: demoToken, datajson: JSON.stringify(list) })),
    ])
      expect(await taken(answer)).toMatchObject([{ numbers: '5511987650001', name: 'Ção' }]);
  });

  test('[4.6/datajson] in a form of ISO-8859-1', async () => {
    const body = `tsid=${demoToken}&datajson=${encodeURIComponent('[{"phone":"11987650001","name":"A~o"}]').replace('~', '%E7%E3')}`;
    expect(await taken(create(body, { 'Content-Type': 'application/x-www-form-urlencoded' }))).toMatchObject([
      { name: 'Ação' },
    ]);
  });

  test('[4.6/file] CSV and JSON files under any field name', async () => {
    const csv = upload(`phone,name\r\n${phone},Ana\r\n`, 'a.csv');
    const json = upload(JSON.stringify([{ phone, name: 'Ana' }]), 'a.json');
    const nameless = upload(JSON.stringify([{ phone, name: 'Ana' }]), 'list');
    for (const answer of [csv, json, nameless])
      expect(await taken(answer)).toMatchObject([{ numbers: '5511987650001', name: 'Ana' }]);
  });

  test('a file wins over datajson, with a warning', async () => {
    const { body } = await upload(`phone\n${phone}\n${phone}`, 'a.csv', { datajson: '[]' });
    expect(body.return).toMatchObject({ num_dest: '2', warning: expect.stringContaining('datajson') });
  });

  test('[4.6/name] [4.6/ctid] are kept, the name has a default', async () => {
    const since = Math.floor(Date.now() / 1000);
    await upload(`phone\n${phone}`, 'Março.csv', { name: 'Olá', ctid: 'named' });
    await upload(`phone\n${phone}`, '../x/b.csv', { ctid: 'file' });
    await create({ datajson: [{ phone }], ctid: 'json', name: '  ' });
    const of = async (ctid: string) => (await on.post('GetDestinationsList', { ctid })).body.lists[0];
    expect(await of('named')).toMatchObject({ cdlc_name: 'Olá', cdlc_file: 'Março.csv', cdlc_ctid: 'named' });
    const file = await of('file');
    expect(file).toMatchObject({
      cdlc_name: expect.stringMatching(/^API_file_3_\d{10}$/),
      cdlc_file: 'b.csv',
    });
    expect(Number(file.cdlc_name.split('_')[3])).toBeGreaterThanOrEqual(since - 1);
    expect(await of('json')).toMatchObject({
      cdlc_name: expect.stringMatching(/^API_json_3_\d{10}$/),
      cdlc_file: '',
    });
    expect((await create({ datajson: [{ phone }], name: 'x'.repeat(201) })).body.return.status_code).toBe(
      '299',
    );
    expect((await create({ datajson: [{ phone }], ctid: 'x'.repeat(65) })).body.return.status_code).toBe(
      '299',
    );
  });

  test('[4.6/response] numbers are text', async () => {
    const { body } = await create({ datajson: [{ phone, name: 'Ana' }, {}] });
    expect(body).toEqual({
      return: {
        status: 'OK', status_code: '0', cdlc_id: expect.stringMatching(/^\d+$/), num_dest: '1',
        base_size: String('1\t5511987650001\tSP\t11\tt\tAna\t\t\t\t\t\n'.length), rejected: 1,
      },
    }); // prettier-ignore
  });
});

describe('CSV', () => {
  const names = async (content: string | Buffer) =>
    (await taken(upload(content, 'a.csv'))).map(({ name }) => name);

  test.each([',', ';', '\t'])('[4.6/csv] with the delimiter %j', async (sign) => {
    const content = `Nome${sign}TELEFONE${sign}Extra1\n"A${sign}b ""c""\nd"${sign}${phone}${sign}x\\ty\n  Bia ${sign} ${phone}${sign}\n\n`;
    expect(await taken(upload(content, 'a.csv'))).toMatchObject([
      { row: 1, name: `A${sign}b "c"\nd`, extra_1: 'x\\ty' },
      { row: 2, name: 'Bia', extra_1: '' },
    ]);
  });

  test('[4.6/csv] in UTF-8 with and without its mark, in ISO-8859-1, and in UTF-16 of both orders', async () => {
    const content = `\u0022Número\u0022;nome\r\n${phone};Conceição\r\n${phone};José\r\n`;
    expect(await names(content)).toEqual(['Conceição', 'José']);
    expect(await names(`\ufeff${content}`)).toEqual(['Conceição', 'José']);
    expect(await names(Buffer.from(content, 'latin1'))).toEqual(['Conceição', 'José']);
    const wide = Buffer.from(`\ufeff${content}`, 'utf16le');
    expect(await names(wide)).toEqual(['Conceição', 'José']);
    expect(await names(Buffer.from(wide).swap16())).toEqual(['Conceição', 'José']);
    expect(await names(`phone,name\n${phone},à\u00a0`)).toEqual(['à\u00a0']);
  });

  test('[4.6/csv] with a quote that is not closed, which costs its own line where a later one tells it', async () => {
    const content = `phone,name\n${phone},"Ana\n${phone},"Rui"\n`;
    const { body } = await upload(content, 'a.csv');
    expect(body.return).toMatchObject({ status_code: '0', num_dest: '1', rejected: 1 });
  });

  test('[4.6/csv] without an end of line, with blank lines, of one column', async () => {
    expect(await taken(upload(`phone\n\n${phone}\r\n\r\n${phone}`, 'a.csv'))).toHaveLength(2);
  });

  test('a row with more fields than the header is refused, unless they are empty', async () => {
    const { body } = await upload(`phone,name\n${phone},Ana,\n${phone},Silva, Bia\n${phone}\n`, 'a.csv');
    expect(body.return).toMatchObject({ num_dest: '2', rejected: 1 });
  });
});

describe('Idempotency-Key', () => {
  const key = (value: string) => ({ 'Idempotency-Key': value });

  test('the same upload is answered as before, another is refused', async () => {
    const first = await create({ datajson: [{ phone }] }, key('one'));
    const before = await counts();
    const again = await create({ datajson: [{ phone }] }, key('one'));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await counts()).toEqual(before);
    const other = await create({ datajson: [{ phone: '1133334444' }] }, key('one'));
    expect([other.http, other.body.return.status_code]).toEqual([409, '409']);
    expect((await create({ datajson: [{ phone }] }, key('x'.repeat(256)))).body.return.status_code).toBe(
      '299',
    );
  });

  test('many at once make one list', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create({ datajson: [{ phone }], ctid: 'race' }, key('race'))),
    );
    expect(new Set(answers.map(({ body }) => body.return.cdlc_id)).size).toBe(1);
    expect((await on.post('GetDestinationsList', { ctid: 'race' })).body.lists).toHaveLength(1);
  });
});
