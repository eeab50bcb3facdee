import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { isTransientDatabaseError } from '../../src/store/transientError.ts';
import { classifyDatabaseError } from '../../src/store/classifyDatabaseError.ts';
import { openDatabase } from '../../src/store/database.ts';
import { DatabaseServerReplaced } from '../../src/store/rowChanges/catchUpServerFromJournals.ts';
import { type TestDatabase, withDatabase } from '../helpers/database.ts';

const failed = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** What is thrown. */
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Every way to this database, each meeting an error of the server with this SQLSTATE. */
const everyWay = async ({ pool, prisma }: TestDatabase, state: string): Promise<boolean[]> => {
  await pool.query(`CREATE OR REPLACE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'no' USING ERRCODE = '${state}'; END $$;
    CREATE OR REPLACE TRIGGER no BEFORE UPDATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION no()`);
  const where = { id: 1 };
  const data = { name: 'x' };
  const ways = [
    pool.query('UPDATE accounts SET id = id'),
    prisma.$executeRaw`UPDATE accounts SET id = id`,
    prisma.account.updateMany({ where, data }),
    prisma.$transaction((db) => db.account.updateMany({ where, data })),
  ];
  return Promise.all(ways.map(async (way) => isTransientDatabaseError(await caught(way))));
};

describe('a database that is away', () => {
  it('is known by its connection, whatever wraps the failure', () => {
    expect(isTransientDatabaseError(failed('ECONNREFUSED', 'connect'))).toBe(true);
    expect(isTransientDatabaseError(failed('ENOENT', 'connect'))).toBe(true);
    expect(
      isTransientDatabaseError(new Error('reading calls', { cause: failed('ECONNRESET', 'read') })),
    ).toBe(true);
    expect(isTransientDatabaseError(Object.assign(new Error('shutting down'), { code: '57P01' }))).toBe(true);
  });

  it('is one whose server was replaced while a connection to it was made, through pool and Prisma alike', async () => {
    await withDatabase(async ({ url }) => {
      expect(classifyDatabaseError(new DatabaseServerReplaced())).toBe('unavailable');
      const pool = new Pool({
        connectionString: url,
        verify: (_client: unknown, done: (error?: Error) => void) => done(new DatabaseServerReplaced()),
      });
      const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
      const ways = [pool.query('SELECT 1'), prisma.$queryRaw`SELECT 1`, prisma.account.findFirst()];
      expect(await Promise.all(ways.map(async (way) => isTransientDatabaseError(await caught(way))))).toEqual(
        [true, true, true],
      );
      await prisma.$disconnect();
      await pool.end();
    });
  });

  it('is not a file or a folder that is missing', () => {
    expect(isTransientDatabaseError(failed('ENOENT', 'mkdir'))).toBe(false);
    expect(isTransientDatabaseError(new Error('no such media', { cause: failed('ENOENT', 'open') }))).toBe(
      false,
    );
  });

  it('is told from a mistake of ours by what its server says, on every way to it', () =>
    withDatabase(async (database) => {
      const passing = ['08006', '25006', '40001', '40P01', '53100', '53200', '53300', '55P03', '57014'];
      for (const state of [...passing, '57P01', '57P03'])
        expect([state, ...(await everyWay(database, state))]).toEqual([state, true, true, true, true]);
      for (const state of ['22003', '23505', '42P01', '25P02', 'XX000'])
        expect([state, ...(await everyWay(database, state))]).toEqual([state, false, false, false, false]);
    }));

  it('has no connection left, or does not answer in time', () =>
    withDatabase(async ({ pool: others, url }) => {
      const options = { maxConnections: 1, queryTimeoutMs: 200 };
      const { pool, prisma, close } = openDatabase({ name: 'a', url, schema: 'public' }, options);
      const held = await pool.connect();
      const wait = { maxWait: 100 };
      expect(
        isTransientDatabaseError(await caught(prisma.$transaction((db) => db.account.findMany(), wait))),
      ).toBe(true);
      held.release();
      const holder = await others.connect();
      await holder.query('BEGIN; LOCK TABLE accounts');
      expect(isTransientDatabaseError(await caught(prisma.account.findMany()))).toBe(true);
      expect(isTransientDatabaseError(await caught(pool.query('SELECT * FROM accounts')))).toBe(true);
      await holder.query('ROLLBACK');
      holder.release();
      await close();
    }));
});
