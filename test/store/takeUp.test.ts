import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { callKind } from '../../machines/index.ts';
import { postgresStore } from '../../src/store/postgres.ts';
import { takeUp } from '../../src/store/sql/takeUp.ts';
import { withDatabase } from '../helpers/database.ts';
import { at, aWrite } from './writes.ts';

test('the machines of the dead are walked by holder, though the statistics say that all are theirs', () =>
  withDatabase(async (db) => {
    const store = postgresStore(db.pool, db.pool, [callKind]);
    await store.commit(
      0,
      Array.from({ length: 5_000 }, (_, n) => aWrite(n + 1)),
      at,
    );
    await db.pool.query('ANALYZE machines');
    const plans: string[] = [];
    const explaining = {
      query: async ({ text, values }: { text: string; values: unknown[] }) => {
        const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return { rows: [] };
      },
    };
    const request = { dead: 5, after: null, overdue: null, heldBy: 6, stepId: 9_000_000, at, limit: 2_000 };
    await takeUp(explaining as unknown as Pool, { ...request, known: ['call:1', 'message:1'] });
    const [due] = /^ *CTE due[^]*?CTE/m.exec(plans[0]!)!;
    expect(due).toContain('machines_held_by_idx');
  }));
