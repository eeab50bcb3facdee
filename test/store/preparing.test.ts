/** Prepared statements that the server lost, or that do not fit their tables any more. */
import { expect, it } from 'vitest';
import { messageMachineKind } from '../../machines/index.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { withDatabase } from '../helpers/database.ts';
import { at, aWrite } from './writes.ts';

it('commits and reads after a pooler forgot what was prepared, with one statement more', () =>
  withDatabase(
    async ({ pool }) => {
      const store = postgresStore(pool, pool, [messageMachineKind]);
      await store.commit(0, [aWrite(1)], at);
      await store.read([{ account: 7, id: 1 }]);
      await pool.query('DEALLOCATE ALL');
      expect(await store.commit(0, [aWrite(2)], at)).toBe(1);
      await pool.query('DEALLOCATE ALL');
      expect(await store.read([{ account: 7, id: 2 }])).toHaveLength(1);
    },
    { maxConnections: 1 },
  ));

it('reads a table whose columns were changed since, on every connection', () =>
  withDatabase(
    async ({ pool }) => {
      const store = postgresStore(pool, pool, [messageMachineKind]);
      await store.commit(0, [aWrite(1)], at);
      const key = { account: 7, id: 1 };
      await Promise.all([store.read([key]), store.read([key]), store.read([key]), store.read([key])]);
      await pool.query('ALTER TABLE machines ALTER COLUMN attention TYPE varchar(4000)');
      const rows = await Promise.all([
        store.read([key]),
        store.read([key]),
        store.read([key]),
        store.read([key]),
      ]);
      expect(rows.map((found) => found.length)).toEqual([1, 1, 1, 1]);
    },
    { maxConnections: 4 },
  ));
