/** Lists that are not taken, and of which nothing is left. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoAccount, demoToken, type TestService } from '../helpers/service.ts';
import { askedLists, phone, startListService } from './askedLists.ts';

let on: TestService;
beforeAll(async () => {
  on = await startListService();
});
afterAll(() => on.stop());

const { create, upload, taken, refused, counts } = askedLists(() => on);

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

  test('a body that cannot be read, as 100 is everywhere else', async () => {
    expect(await refused(create('garbage', { 'Content-Type': 'application/json' }))).toEqual([
      ...[400, '210'],
      '100: the body is neither JSON nor a form, nor readable multipart',
    ]);
  });

  test('no record for a value behind extra4, which is told', async () => {
    const full = [phone, 'n', 'c', '1', '2', '3', '4'];
    const cut = await create({ datajson: [[...full, 'EIGHTH'], [...full, '', null], full] });
    expect(cut.body.return).toMatchObject({
      ...{ status_code: '0', num_dest: '3', rejected: 0 },
      warning: 'values behind extra4 are not kept: of 1 records',
    });
    expect((await create({ datajson: [[...full, '', null]] })).body.return).not.toHaveProperty('warning');
  });

  const csv = (rows: number, at: number, broken: string) =>
    `phone,name\n${Array.from({ length: rows }, (_, n) => (n + 1 === at ? broken : `${phone},"Ana ç"`)).join('\n')}\n`;

  test.each([
    ['nothing', {}, /send datajson/],
    ['an empty list', { datajson: [] }, /no records/],
    ['no valid number', { datajson: [{ phone: '1' }, {}] }, /none of the 2 records/],
    ['one record that is no list', { datajson: { phone } }, /^datajson: it is not an array/],
    ['a blank', { datajson: '  ' }, /^datajson: it is empty$/],
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
