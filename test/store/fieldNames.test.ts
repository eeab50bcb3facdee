/** What was written under the names of before is read under those of now. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listMigrations } from '../../src/store/listMigrations.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type TestDatabase, freshDatabase } from '../helpers/database.ts';

let old: TestDatabase;
beforeEach(async () => {
  old = await freshDatabase({ migrated: false });
  const all = listMigrations();
  const until = all.findIndex(({ name }) => name.endsWith('_field_names'));
  await migrate(old.pool, 'public', all.slice(0, until));
});
afterEach(() => old.drop());

const machine = (id: number, kind: string, state: string, snapshot: object) =>
  old.pool.query(
    `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at)
      VALUES (3, $1, $2, 1, 1, $3, $4, 1, 1, 0)`,
    [id, kind, state, JSON.stringify(snapshot)],
  );

const entry = (id: number, revision: number, event: string, payload: object | null) =>
  old.pool.query(
    `INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state) VALUES (3, $1, $2, 0, 0, $3, $4, 's')`,
    [id, revision, event, payload && JSON.stringify(payload)],
  );

const upgraded = async <Row>(sql: string): Promise<Row[]> => {
  await migrate(old.pool);
  return (await old.pool.query<Row & object>(sql)).rows;
};

test('a start that was put off goes on waiting, with what it is to begin with as it was written', async () => {
  await machine(7, 'delivery', 'unborn', { unborn: { purpose: 'callback', size: 1.5 } });
  const rows = await upgraded('SELECT state, snapshot::text AS snapshot FROM machines');
  expect(rows).toEqual([{ state: 'pending', snapshot: '{"pending":{"purpose":"callback","size":1.5}}' }]);
});

test('a message under way keeps its routes, and the one that is tried', async () => {
  const ways = [
    { by: 'sms', submission: { route: 1 } },
    { by: 'sms', submission: { route: 2 } },
  ];
  await machine(8, 'message', 'submitted', { v: 'submitted', c: { way: 1, message: { ways, price: 800 } } });
  const rows = await upgraded('SELECT snapshot FROM machines');
  const message = { routes: ways, price: 800 };
  expect(rows).toEqual([{ snapshot: { v: 'submitted', c: { routeIndex: 1, message } } }]);
});

test('histories tell starts, take-overs and what was archived under the names of now', async () => {
  const c = { way: 0, message: { ways: [{ by: 'chat' }] } };
  await entry(9, 1, 'born', { ways: [{ by: 'chat' }], price: 1 });
  await entry(9, 2, 'takenUp', null);
  await entry(9, 3, 'receipt', { status: 'read' });
  await entry(9, 4, 'rested', { kind: 'message', snapshot: { v: 'read', c } });
  await entry(10, 1, 'rested', { kind: 'call', snapshot: { v: 'over', c: { n: 1 } } });
  const rows = await upgraded('SELECT event, payload FROM history ORDER BY machine_id, revision');
  expect(rows).toEqual([
    { event: 'started', payload: { price: 1, routes: [{ by: 'chat' }] } },
    { event: 'takenOver', payload: null },
    { event: 'receipt', payload: { status: 'read' } },
    {
      event: 'archived',
      payload: {
        kind: 'message',
        snapshot: { v: 'read', c: { routeIndex: 0, message: { routes: [{ by: 'chat' }] } } },
      },
    },
    { event: 'archived', payload: { kind: 'call', snapshot: { v: 'over', c: { n: 1 } } } },
  ]);
});

test('balances and what campaigns left out are where they were, in tables of another name', async () => {
  await old.pool.query(`INSERT INTO purses (account_id, name, amount) VALUES (3, 'balance', 800)`);
  await old.pool.query(
    `INSERT INTO skips (account_id, campaign_id, row, reason) VALUES (3, 5, 1, 'duplicate')`,
  );
  const rows = await upgraded(
    `SELECT amount::int AS amount, reason FROM balances, skipped_destinations WHERE reason = 'duplicate' AND amount = 800`,
  );
  expect(rows).toEqual([{ amount: 800, reason: 'duplicate' }]);
});
