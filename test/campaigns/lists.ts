/** Lists put straight into the database of a test. */
import type { Pool } from 'pg';
import { regionOfNumber } from '../../src/rules/voice/parsePhoneNumber.ts';

export interface TestRecord {
  /** One number, or several separated by a space. */
  numbers: string;
  name?: string;
  clientCode?: string;
  extra1?: string;
}

/** Keeps a list and its records; rows count from 1. */
export const putList = async (
  pool: Pool,
  account: number,
  list: number,
  records: readonly TestRecord[],
): Promise<void> => {
  await pool.query(
    `INSERT INTO lists (account_id, id, name, records, created_at) VALUES ($1, $2, 'list', $3, 0)`,
    [account, list, records.length],
  );
  await pool.query(
    `INSERT INTO list_records (account_id, list_id, row, numbers, region, mobile, name, client_code, extra_1)
     SELECT $1, $2, nth, numbers, region, mobile, name, code, extra
     FROM unnest($3::text[], $4::text[], $5::bool[], $6::text[], $7::text[], $8::text[])
       WITH ORDINALITY AS record (numbers, region, mobile, name, code, extra, nth)`,
    [
      account,
      list,
      records.map(({ numbers }) => numbers),
      records.map(({ numbers }) => regionOfNumber(numbers.split(' ')[0]!)?.state ?? ''),
      records.map(({ numbers }) => /^55\d\d9\d{8}$/.test(numbers.split(' ')[0]!)),
      records.map(({ name }) => name ?? ''),
      records.map(({ clientCode }) => clientCode ?? ''),
      records.map(({ extra1 }) => extra1 ?? ''),
    ],
  );
};

/** Mobile numbers of São Paulo that end as asked: `endings` are the last two digits, by turns. */
export const numbersEnding = (count: number, endings: readonly string[]): TestRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    numbers: `55119${String(10_000 + index).padStart(6, '0')}${endings[index % endings.length]}`,
  }));
