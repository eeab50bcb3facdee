import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ MAX_LIST_RECORDS: '2000', MAX_LIST_BYTES: '1000000' });
});
afterAll(() => on.stop());

const create = (body: object | string, headers?: Record<string, string>): Promise<RestAnswer> =>
  on.post('CreateDestinationBase', body, headers);
const upload = (content: string | Buffer, name: string, fields: Record<string, string> = {}) => {
  const body = new FormData();
  body.set('tsid', demoToken);
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('anything', new File([typeof content === 'string' ? content : new Uint8Array(content)], name));
  return create(body);
};
const records = async (list: string) => {
  const { rows } = await on.database.pool.query(
    `SELECT row, numbers, region, area, mobile, name, client_code, extra_1, extra_2, extra_3, extra_4
    FROM list_records WHERE account_id = $1 AND list_id = $2 ORDER BY row`,
    [demoAccount, Number(list)],
  );
  return rows;
};
/** The records of a list that was taken. */
const taken = async (answer: Promise<RestAnswer>) => {
  const { http, body } = await answer;
  expect(body.return).toMatchObject({ status: 'OK', status_code: '0' });
  expect(http).toBe(200);
  return records(body.return.cdlc_id);
};
const refused = async (answer: Promise<RestAnswer>): Promise<[number, string, string]> => {
  const { http, body } = await answer;
  expect(body.return).toMatchObject({ cdlc_id: '0', num_dest: '0', base_size: '0' });
  return [http, body.return.status_code, body.return.status];
};
const counts = async () =>
  (
    await on.database.pool.query(`SELECT (SELECT count(*) FROM lists)::int lists,
      (SELECT count(*) FROM list_records)::int records, (SELECT count(*) FROM list_rejects)::int rejects`)
  ).rows[0];

const phone = '11987650001';

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

  test('[4.6/csv] in UTF-8 with and without its mark, and in ISO-8859-1', async () => {
    const content = `\u0022Número\u0022;nome\r\n${phone};Conceição\r\n${phone};José\r\n`;
    expect(await names(content)).toEqual(['Conceição', 'José']);
    expect(await names(`\ufeff${content}`)).toEqual(['Conceição', 'José']);
    expect(await names(Buffer.from(content, 'latin1'))).toEqual(['Conceição', 'José']);
    expect(await names(`phone,name\n${phone},à\u00a0`)).toEqual(['à\u00a0']);
  });

  test('[4.6/csv] without an end of line, with blank lines, of one column', async () => {
    expect(await taken(upload(`phone\n\n${phone}\r\n\r\n${phone}`, 'a.csv'))).toHaveLength(2);
  });

  test('a row with more fields than the header is refused, unless they are empty', async () => {
    const { body } = await upload(`phone,name\n${phone},Ana,\n${phone},Silva, Bia\n${phone}\n`, 'a.csv');
    expect(body.return).toMatchObject({ num_dest: '2', rejected: 1 });
  });
});

describe('what is refused', () => {
  test('a spreadsheet that was not saved as CSV is told from a CSV without a phone column', async () => {
    for (const beginning of ['PK\x03\x04\x14', '\xd0\xcf\x11\xe0\xa1\xb1']) {
      const { body } = await upload(Buffer.from(beginning.padEnd(400, '\x00'), 'latin1'), 'clientes.xlsx');
      expect(body.return).toMatchObject({
        status_code: '230',
        status: expect.stringContaining('save the sheet as CSV'),
      });
    }
  });

  test('[7/CreateDestinationBase/205] a program, whatever its name', async () => {
    for (const [content, name] of [
      [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), 'list.csv'],
      [Buffer.from('#!/bin/sh\nrm -rf /\n'), 'list.csv'],
      [Buffer.from('<?php phpinfo();'), 'list.json'],
    ] as const)
      expect((await refused(upload(content, name))).slice(0, 2)).toEqual([400, '205']);
  });

  test('[7/CreateDestinationBase/210] whoever may not come in', async () => {
    const [http, code, text] = await refused(
      on.post('CreateDestinationBase', { tsid: 'y'.repeat(30), datajson: [] }),
    );
    expect([http, code, text]).toEqual([401, '210', '102: token unknown, revoked or expired']);
    const { token } = (
      await on.admin('POST', `/accounts/${demoAccount}/tokens`, {
        permissions: { apis: { telephony: false } },
      })
    ).body;
    expect((await refused(create({ tsid: token, datajson: [{ phone }] }))).slice(0, 2)).toEqual([403, '210']);
    const late = new FormData();
    late.set('f', new File([`phone\n${phone}`], 'a.csv'));
    expect((await refused(create(late))).slice(0, 2)).toEqual([401, '210']);
  });

  const csv = (rows: number, at: number, broken: string) =>
    `phone,name\n${Array.from({ length: rows }, (_, n) => (n + 1 === at ? broken : `${phone},"Ana ç"`)).join('\n')}\n`;

  test.each([
    ['nothing', {}, /send datajson/],
    ['an empty list', { datajson: [] }, /no records/],
    ['no valid number', { datajson: [{ phone: '1' }, {}] }, /none of the 2 records/],
    ['one record that is no list', { datajson: { phone } }, /not an array/],
    ['what is no JSON', { datajson: '[{"phone":]' }, /record 1: /],
    [
      'JSON that breaks further on',
      { datajson: `[${'{"phone":"1133334444"},'.repeat(700)}{"phone":x}]` },
      /record 701: /,
    ],
    ['JSON that ends early', { datajson: '[{"phone":"1133334444"}' }, /record 1|record 2/],
    ['JSON that ends with the wrong bracket', { datajson: '[{"phone":"1133334444"}}' }, /record 2: a brace/],
    ['JSON with more behind it', { datajson: '[{"phone":"1133334444"}] x' }, /something follows/],
    ['JSON with a comma too many', { datajson: '[{"phone":"1133334444"},]' }, /record 2/],
    ['a number', { datajson: 5 }, /not an array/],
  ])('[7/CreateDestinationBase/230] %s', async (_, body, why) => {
    const before = await counts();
    const [http, code, text] = await refused(create(body));
    expect([http, code]).toEqual([400, '230']);
    expect(text).toMatch(why);
    expect(await counts()).toEqual(before);
  });

  test.each([
    ['an empty file', '', /empty|no records/],
    ['no column phone', 'name,x\nAna,1\n', /no column phone/],
    ['a quote that is not closed', csv(1500, 1200, `${phone},"Ana`), /record 1200: /],
    [
      'a quote that is not closed at the end',
      csv(1500, 1500, `${phone},"Ana`),
      /record 1500: a quote is not closed/,
    ],
    ['a record without end', csv(1500, 900, `${phone},"${'x'.repeat(70_000)}"`), /record 900: /],
    [
      'bytes that are no UTF-8 in a list that is',
      Buffer.concat([Buffer.from(csv(900, 0, '')), Buffer.from([0x41, 0xe7, 0x41])]),
      /record 901: it is not UTF-8/,
    ],
    [
      'a mark of UTF-8 that is none',
      Buffer.concat([Buffer.from('\ufeffphone\n1133334444\n'), Buffer.from([0xe7, 0x0a])]),
      /record 2: it is not UTF-8/,
    ],
    [
      'a character that is cut',
      Buffer.from('phone,name\n1133334444,Açã').subarray(0, -1),
      /record 1|within a character/,
    ],
    ['a JSON file that is none', '{"a":1}', /not an array/],
  ])('[7/CreateDestinationBase/230] a file with %s leaves nothing', async (what, content, why) => {
    const before = await counts();
    const [http, code, text] = await refused(upload(content, what.includes('JSON') ? 'a.json' : 'a.csv'));
    expect([http, code]).toEqual([400, '230']);
    expect(text).toMatch(why);
    expect(await counts()).toEqual(before);
  });

  test('[8/records] more records than a list may have', async () => {
    const before = await counts();
    const [, code, text] = await refused(upload(csv(2001, 0, ''), 'a.csv'));
    expect([code, text]).toEqual(['230', 'a list has at most 2000 records']);
    expect(await counts()).toEqual(before);
    expect(await taken(upload(csv(2000, 0, ''), 'a.csv'))).toHaveLength(2000);
  });

  test('[8/upload] more bytes than an upload may have', async () => {
    expect((await refused(upload('x'.repeat(1_000_001), 'a.csv'))).slice(0, 2)).toEqual([413, '413']);
  });

  test('[4.6/file] a second file, which nobody would call; an empty field is none', async () => {
    const body = new FormData();
    body.set('tsid', demoToken);
    body.append('list', new File([`phone\n${phone}`], 'first.csv'));
    body.append('list', new File([], ''));
    body.append('more', new File([], 'empty.csv'));
    expect(await taken(create(body))).toHaveLength(1);
    body.append('more', new File(['phone\n1133334444'], 'second.csv'));
    const before = await counts();
    expect(await refused(create(body))).toEqual([400, '230', 'there is more than one file; send one alone']);
    expect(await counts()).toEqual(before);
  });

  test('a body that breaks off', async () => {
    const body = `--x\r\nContent-Disposition: form-data; name="tsid"\r\n\r\n${demoToken}\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\nphone\n11`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await refused(create(body, headers))).slice(0, 2)).toEqual([400, '230']);
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
