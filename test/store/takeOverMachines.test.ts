import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { callMachineKind } from '../../machines/index.ts';
import { BadBatch } from '../../src/engine/contract/store.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { takeOverMachines } from '../../src/store/sql/takeOverMachines.ts';
import { withDatabase } from '../helpers/database.ts';
import { at, aWrite } from './writes.ts';

test('the machines of the dead are walked by holder, though the statistics say that all are theirs', () =>
  withDatabase(async (db) => {
    const store = postgresStore(db.pool, db.pool, [callMachineKind]);
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
    await takeOverMachines(explaining as unknown as Pool, { ...request, known: ['call:1', 'message:1'] });
    const [due] = /^ *CTE due[^]*?CTE/m.exec(plans[0]!)!;
    expect(due).toContain('machines_held_by_idx');
  }));

test('what a torn copy holds of a take-over refuses that it is written again, as data does', () =>
  withDatabase(async (db) => {
    const store = postgresStore(db.pool, db.pool, [callMachineKind]);
    const node = { name: 'n', process: 'n', at, aheadMs: 0, graceMs: 1_000, writers: 1 };
    const { incarnation } = await store.register(node);
    await store.commit(0, [aWrite(1)], at);
    await db.pool.query(
      `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
       VALUES (7, 1, 2, $1::bigint / 86400000, $1::bigint, 'takenOver', '{}', 'accepted')`,
      [at],
    );
    await store.doubt('it went back', at);
    const rows = [{ account: 7, id: 1, revision: 2, stepId: 9_000_000, from: 5 }];
    const line = { incarnation, lane: 0, number: 1, era: 1, position: 1, text: '' };
    await expect(store.redo(line, { what: 'takeUp', at, heldBy: incarnation, rows })).rejects.toThrow(
      BadBatch,
    );
  }));
