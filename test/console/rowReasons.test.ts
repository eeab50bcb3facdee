/** Every reason for which a row of a list is refused has Portuguese words. */
import { expect, test } from 'vitest';
import { refusalInPortuguese } from '../../src/console/app/portuguese/refusals/pt.ts';
import { CsvListReader } from '../../src/rules/lists/csv.ts';
import { JsonListReader } from '../../src/rules/lists/json.ts';
import { ListRowBuffer } from '../../src/rules/lists/listRowsForPostgresCopy.ts';

const reasonsIn = (rows: ListRowBuffer): string[] =>
  rows
    .takeRejects()
    .toString()
    .split('\n')
    .flatMap((line) => line.split('\t')[3] ?? []);

const aBuffer = () => new ListRowBuffer({ account: 1, id: 2, maxRecords: 100 });

const refusedOfCsv = (text: string): string[] => {
  const rows = aBuffer();
  const list = new CsvListReader(rows);
  list.push(text);
  list.end();
  return reasonsIn(rows);
};

const refusedOfJson = (records: readonly unknown[]): string[] => {
  const rows = aBuffer();
  const list = new JsonListReader(rows, (bytes) => bytes.toString());
  list.push(Buffer.from(JSON.stringify(records)));
  list.end();
  return reasonsIn(rows);
};

const long = 'x'.repeat(600);
const number = '11987650000';

test.each([
  [
    'a CSV file',
    () => refusedOfCsv(`phone;name\n;Ana\nx;Ana\n1;2;3\n"1"x;Ana\n${number};${long}\n${number};a\0b\n`),
    6,
  ],
  [
    'a JSON file',
    () =>
      refusedOfJson([
        7,
        {},
        { phone: [] },
        { phone: number, extra1: long },
        { phone: number, name: '\ud800' },
      ]),
    5,
  ],
])('of %s', (_, refused, count) => {
  const reasons = refused();
  expect(reasons).toHaveLength(count);
  expect(reasons.filter((reason) => refusalInPortuguese(reason) === undefined)).toEqual([]);
});
