import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvListReader } from '../../../src/rules/lists/csv.ts';
import { JsonListReader } from '../../../src/rules/lists/json.ts';
import { ListRowBuffer } from '../../../src/rules/lists/listRowsForPostgresCopy.ts';

const rowsFor = () => new ListRowBuffer({ account: 1, id: 2, maxRecords: 1000 });
const cut = (bytes: Buffer, places: number[]): Buffer[] => {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
};
const places = fc.array(fc.nat(5000), { maxLength: 12 });
const name = fc.string({ unit: fc.constantFrom(...'aé"\\\t,;\r\n {[:'.split('')), maxLength: 8 });
const people = fc.array(name, { minLength: 1, maxLength: 20 });
const told = (rows: ListRowBuffer) => [rows.takeRecords().toString(), rows.takeRejects().toString()];

test.each([',', ';', '\t'])('CSV with %j reads the same however it is cut', (sign) => {
  fc.assert(
    fc.property(people, places, (names, at) => {
      const csv = `phone${sign}name\r\n${names.map((one) => `1133334444${sign}"${one.replaceAll('"', '""')}"`).join('\r\n')}`;
      const rows = rowsFor();
      const list = new CsvListReader(rows);
      for (const piece of cut(Buffer.from(csv), at)) list.push(piece.toString('latin1'));
      list.end();
      const expected = rowsFor();
      // oxlint-disable-next-line no-control-regex -- only what ASCII calls space is taken off
      const trimmed = (one: string) => one.replace(/^[\x01-\x20]+|[\x01-\x20]+$/g, '');
      for (const one of names)
        expected.add(
          ['1133334444', Buffer.from(trimmed(one)).toString('latin1'), '', '', '', '', ''],
          false,
          () => '',
        );
      expect(told(rows)).toEqual(told(expected));
    }),
    { numRuns: 500 },
  );
});

test('JSON reads the same however it is cut', () => {
  fc.assert(
    fc.property(people, places, (names, at) => {
      const json = JSON.stringify(
        names.map((one) => ({ phone: '1133334444', name: one })),
        null,
        1,
      );
      const rows = rowsFor();
      const list = new JsonListReader(rows, (bytes) => bytes.toString());
      for (const piece of cut(Buffer.from(json), at)) list.push(piece);
      list.end();
      const whole = rowsFor();
      const once = new JsonListReader(whole, (bytes) => bytes.toString());
      once.push(Buffer.from(json));
      once.end();
      expect(rows.accepted).toBe(names.length);
      expect(told(rows)).toEqual(told(whole));
    }),
    { numRuns: 500 },
  );
});

test('of several columns that mean the same, as of several keys of a record, the first that is not empty counts', () => {
  const columns = ['tel', 'phone', 'nome', 'name', 'numero', 'name'];
  const cells = [
    ['', '1133334444', 'Ana', 'Bea', '1155556666', ''],
    ['1122223333', '1133334444', '', ' ', '', 'Caio'],
    ['', '', 'Davi', '', '1155556666', ''],
    ['', '', 'Eva', '', '', ''],
    ['', '1133334444'],
  ];
  const read = rowsFor();
  const csv = new CsvListReader(read);
  csv.push([columns, ...cells].map((row) => row.join(';')).join('\n'));
  csv.end();
  const meant = rowsFor();
  for (const [phone, who] of [
    ['1133334444', 'Ana'],
    ['1122223333', 'Caio'],
    ['1155556666', 'Davi'],
    ['', 'Eva'],
    ['1133334444', ''],
  ] as const)
    meant.add([phone, who, '', '', '', '', ''], false, () => ';;Eva;;;');
  expect(told(read)).toEqual(told(meant));
  expect([read.accepted, read.rejected]).toEqual([4, 1]);
});

const read = (text: string, ...at: number[]) => {
  const rows = rowsFor();
  const list = new CsvListReader(rows);
  for (const piece of cut(Buffer.from(text), at)) list.push(piece.toString('latin1'));
  list.end();
  return rows;
};

test('a quote where none may stand costs its own line, wherever the file is cut, and the others are read', () => {
  const csv =
    'phone;name\n1133334441;Ana\n1133334442;"Bia" Souza\n1133334443;"Eva\n1133334444;"Rui"\n1133334445;Lia\n';
  for (let at = 0; at <= csv.length; at += 1) {
    const rows = read(csv, at);
    expect([at, rows.accepted, rows.rejected]).toEqual([at, 3, 2]);
    const [records, rejects] = told(rows);
    expect(records!.split('\n').map((line) => line.split('\t')[2])).toEqual(['1', '4', '5', undefined]);
    expect(rejects!.split('\n').map((line) => line.split('\t').slice(2, 5))).toEqual([
      ['2', 'a quoted field goes on behind its closing quote', '1133334442;"Bia" Souza'],
      ['3', 'a quoted field goes on behind its closing quote', '1133334443;"Eva'],
      [],
    ]);
  }
});

test('lines that end with a carriage return alone are read as lines, wherever the file is cut', () => {
  const csv = 'phone;name\r1133334441;Ana\r1133334442;"Bia"\r\r1133334443;Eva';
  const whole = told(read(csv.replaceAll('\r', '\n')));
  for (let at = 0; at <= csv.length; at += 1) expect([at, told(read(csv, at))]).toEqual([at, whole]);
  // Elsewhere it is a part of its field, as in the name of a file whose lines end otherwise.
  expect(read('phone;name\r\n1133334441;"A\rB"\r\n').accepted).toBe(1);
});

test('a carriage return within a line is kept as COPY takes it, wherever the file is cut', () => {
  const csv = 'phone;name\n1133334441;Ana\n1133334442;Bia\rMaria\n1133334443;Eva\r\n';
  for (let at = 0; at <= csv.length; at += 1) {
    const rows = read(csv, at);
    expect([at, rows.accepted]).toEqual([at, 3]);
    const [records] = told(rows);
    expect([at, records!.includes('\r'), records!.includes('Bia\\rMaria')]).toEqual([at, false, true]);
  }
});
