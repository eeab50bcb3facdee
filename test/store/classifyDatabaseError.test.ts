import { describe, expect, it } from 'vitest';
import { classifyDatabaseError, type DatabaseErrorVerdict } from '../../src/store/classifyDatabaseError.ts';
import { withDatabase } from '../helpers/database.ts';

/** Every class of SQLSTATE that PostgreSQL has, by some of its codes, and what the engine makes of them. */
const VERDICTS: Record<DatabaseErrorVerdict, string[]> = {
  refused: [
    ...['03000', '09000', '0A000', '0B000', '0F000', '0L000', '0P000', '0Z000', '10608', '20000', '21000'],
    ...[
      '22000',
      '22001',
      '22003',
      '22012',
      '22021',
      '22P02',
      '22P05',
      '23502',
      '23503',
      '23505',
      '23514',
      '23P01',
    ],
    ...[
      '24000',
      '25000',
      '25001',
      '25P01',
      '25P02',
      '27000',
      '2B000',
      '2D000',
      '2F000',
      '34000',
      '38000',
      '39000',
    ],
    ...['3B000', '3F000', '42501', '42601', '42703', '42804', '42883', '42P01', '42P10', '42P18', '44000'],
    ...[
      '53400',
      '54000',
      '54001',
      '54011',
      '54023',
      '55000',
      '55006',
      '55P02',
      '55P04',
      '72000',
      'F0000',
      'HV000',
    ],
    ...['P0000', 'P0001', 'P0002', 'P0003', 'P0004', 'XX000', 'XX001', 'XX002'],
  ],
  unavailable: [
    ...['08001', '08004', '25006', '28000', '28P01', '3D000', '40000', '40001', '40002', '40P01', '53000'],
    ...['53100', '53200', '53300', '55P03', '57000', '57P03', '58000', '58030', '58P01', '58P02'],
  ],
  prepareAgain: ['26000', '42P05'],
  tooBig: ['57014'],
  doubt: [
    '08000',
    '08003',
    '08006',
    '08007',
    '08P01',
    '25P03',
    '25P04',
    '40003',
    '57P01',
    '57P02',
    '57P04',
    '57P05',
  ],
};

const failed = (fields: object, message = 'failed'): Error => Object.assign(new Error(message), fields);

describe('an error of the database', () => {
  it.each(Object.entries(VERDICTS).flatMap(([verdict, codes]) => codes.map((code) => [code, verdict])))(
    'with SQLSTATE %s is %s',
    (code, verdict) => expect(classifyDatabaseError(failed({ code }))).toBe(verdict),
  );

  it.each([
    ['a refused connection', failed({ code: 'ECONNREFUSED', syscall: 'connect' }), 'unavailable'],
    ['a name that is not known', failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'unavailable'],
    ['a socket that is missing', failed({ code: 'ENOENT', syscall: 'connect' }), 'unavailable'],
    ['a connection not had in time', failed({}, 'timeout exceeded when trying to connect'), 'unavailable'],
    ['a pool that was closed', failed({}, 'Cannot use a pool after calling end on the pool'), 'unavailable'],
    ['a reset connection', failed({ code: 'ECONNRESET', syscall: 'read' }), 'doubt'],
    ['a broken pipe, whose word is as long as a code', failed({ code: 'EPIPE', syscall: 'write' }), 'doubt'],
    ['a connection that ended', failed({}, 'Connection terminated unexpectedly'), 'doubt'],
    ['no reply in time', failed({}, 'Query read timeout'), 'doubt'],
    ['no error at all', undefined, 'doubt'],
    ['a number that no column holds', new RangeError('2e300 is no integer'), 'refused'],
  ])('that is %s', (_, error, verdict) => expect(classifyDatabaseError(error)).toBe(verdict));

  it('says by its function that a cached plan is stale, in any language', () => {
    const stale = { code: '0A000', routine: 'RevalidateCachedQuery' };
    expect(classifyDatabaseError(failed(stale, 'Der gecachte Plan darf den Ergebnistyp nicht ändern'))).toBe(
      'prepareAgain',
    );
  });

  it('is what a real server says', () =>
    withDatabase(async ({ pool }) => {
      const verdictOn = async (...statements: string[]): Promise<string> => {
        const client = await pool.connect();
        try {
          for (const text of statements) await client.query(text);
          return 'done';
        } catch (error) {
          return `${(error as { code?: string }).code} ${classifyDatabaseError(error)}`;
        } finally {
          client.release(true);
        }
      };
      const readOnly = `SET default_transaction_read_only = on`;
      expect(await verdictOn(readOnly, `DELETE FROM inbox`)).toBe('25006 unavailable');
      expect(await verdictOn(`SET statement_timeout = 5`, `SELECT pg_sleep(10)`)).toBe('57014 tooBig');
      expect(await verdictOn(`EXECUTE nothing`)).toBe('26000 prepareAgain');
      expect(await verdictOn(`DO $$ BEGIN RAISE 'no'; END $$`)).toBe('P0001 refused');
      expect(await verdictOn(`SELECT pg_terminate_backend(pg_backend_pid())`)).toBe('57P01 doubt');
      expect(
        await verdictOn(
          `CREATE TEMP TABLE t (x text PRIMARY KEY)`,
          `INSERT INTO t SELECT string_agg(md5(n::text), '') FROM generate_series(1, 300) AS n`,
        ),
      ).toBe('54000 refused');
    }));
});
