/** Does to a real database, in the same order, what a run did to the simulated one, and compares what is left. */
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { MemoryTables } from '../../src/store/memory.ts';
import { maintainHistoryPartitions } from '../../src/store/historyPartitions.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { adjustBalance } from '../../src/store/balances.ts';
import { CROWD } from './crowd.ts';
import { OPENING, type Deed, type OpenedBalance, type PaidIn } from './database.ts';
import { EPOCH } from './plan.ts';

type Row = Record<string, unknown>;

/** Differences that are told of the deeds, and of a table. */
const ENOUGH = 10;

/** Differences, as sentences: deeds that ended otherwise, then rows that stand otherwise. Needs an empty shard. */
export const replay = async (
  pool: Pool,
  kinds: readonly Kind[],
  deeds: readonly Deed[],
  tables: MemoryTables,
): Promise<string[]> => {
  await maintainHistoryPartitions(pool, { now: EPOCH, keepDays: 1 });
  const store = postgresStore(pool, pool, kinds);
  const differences: string[] = [];
  for (const [index, { verb, given, result }] of deeds.entries()) {
    const done = await doAgain(pool, store, verb, given);
    if (!isDeepStrictEqual(essence(verb, done), essence(verb, result)))
      differences.push(`deed ${index}, ${verb}: ${JSON.stringify(done)}, not ${JSON.stringify(result)}`);
    if (differences.length >= ENOUGH) return differences;
  }
  for (const table of tablesOf(kinds, tables)) differences.push(...(await compare(pool, table)));
  return differences;
};

const doAgain = async (
  pool: Pool,
  store: ShardMachineStore,
  verb: Deed['verb'],
  given: unknown[],
): Promise<unknown> => {
  if (verb === 'openBalance') return openBalance(pool, given[0] as OpenedBalance);
  if (verb === 'payIn') return payIn(pool, given[0] as PaidIn);
  if (verb === 'crowdBeats') return crowdBeats(pool, given);
  // Writers' tokens are random: its own store would not know those of the other.
  return (store[verb] as (...given: unknown[]) => Promise<unknown>)(...withoutTicket(verb, given));
};

const withoutTicket = (verb: Deed['verb'], given: unknown[]): unknown[] => {
  if (verb === 'commit') return given.slice(0, 3);
  if (verb === 'leave') return given.slice(0, 1);
  return verb === 'takeUp' ? [{ ...(given[0] as object), ticket: undefined }] : given;
};

const openBalance = async (pool: Pool, { account, balance, amount }: OpenedBalance): Promise<null> => {
  await pool.query(`INSERT INTO balances (account_id, name, amount) VALUES ($1, $2, $3)`, [
    ...[account, balance, amount],
  ]);
  if (balance === 'balance')
    await pool.query(
      `INSERT INTO ledger (account_id, id, at, entry, amount) VALUES ($1, $2, $3, 'opening', $4)`,
      [account, OPENING, EPOCH, amount],
    );
  return null;
};

const payIn = async (pool: Pool, { amount, ...paid }: PaidIn): Promise<null> => {
  await adjustBalance(pool, { ...paid, amount: BigInt(amount), note: '' });
  return null;
};

const crowdBeats = async (pool: Pool, [at, aheadMs]: unknown[]): Promise<null> => {
  await pool.query(`UPDATE nodes SET beats = beats + 1, beat_at = $1, ahead_ms = $2 WHERE name = $3`, [
    ...[at, aheadMs, CROWD],
  ]);
  return null;
};

/** What a deed's answer says; the nodes that a beat lists are compared as rows, in the end. */
const essence = (verb: Deed['verb'], answer: unknown): unknown => {
  if (verb === 'beat') return (answer as { alive: boolean }).alive;
  if (verb !== 'register') return plain(answer);
  const { tokens, ...place } = answer as Awaited<ReturnType<ShardMachineStore['register']>>;
  return plain({ ...place, writers: tokens.length });
};

/** What comes back is compared without order: databases promise none. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(plain(item))).toSorted();
  if (typeof value !== 'object' || value === null) return value ?? null;
  return sorted(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])));
};

const sorted = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)));

interface Table {
  name: string;
  sql: string;
  expected: Row[];
}

/** The tables of a shard, as SQL and as the simulation left them. */
const tablesOf = (kinds: readonly Kind[], tables: MemoryTables): Table[] => [
  {
    name: 'machines',
    sql: `SELECT account_id AS account, id, kind, version, revision, state, milestones, snapshot::text AS snapshot, agenda,
      wake_at AS "wakeAt", held_by AS "heldBy", step_id AS "stepId", attention, created_at AS "createdAt",
      ended_at AS "endedAt" FROM machines`,
    expected: [...tables.machines.values()].map((row) => ({ ...row })),
  },
  {
    name: 'history',
    sql: `SELECT machine_id AS machine, revision, at, event, payload, state, asked, taken FROM history`,
    expected: [...tables.history].flatMap(([machine, rows]) =>
      rows.map((row) => ({ machine, ...row, payload: row.payload && (JSON.parse(row.payload) as unknown) })),
    ),
  },
  {
    name: 'inbox',
    sql: `SELECT account_id AS account, machine_id AS machine, id, event::text AS event, at FROM inbox`,
    expected: [...tables.inbox.values()].map((row) => ({ ...row })),
  },
  {
    name: 'claims',
    sql: `SELECT account_id || ' ' || key AS key, until, owner, answer FROM claims`,
    expected: [...tables.claims].map(([key, claim]) => ({ key, ...claim })),
  },
  {
    name: 'balances',
    sql: `SELECT account_id || ' ' || name AS key, amount FROM balances`,
    expected: [...tables.balances].map(([key, amount]) => ({ key, amount })),
  },
  {
    name: 'ledger',
    sql: `SELECT account_id AS account, id, at, entry, amount, payer_id AS payer, machine_id AS machine FROM ledger`,
    expected: tables.ledger.map((entry) => ({ ...entry })),
  },
  {
    name: 'nodes',
    sql: `SELECT incarnation, slot, name, process, beats, beat_at AS "beatAt", stopped_at AS "stoppedAt",
      minted_ms AS "mintedMs", ahead_ms AS "aheadMs", confirmed, stopped_in_doubt AS "stoppedInDoubt" FROM nodes`,
    // Which start of a server heard it last is each server's own.
    expected: [...tables.nodes.values()].map(({ serverSince: _, ...row }) => row),
  },
  ...kinds.flatMap(({ record }): Table[] => {
    if (!record) return [];
    const columns = [...Object.keys(record.insertColumns), ...Object.keys(record.updateColumns)];
    const rows = tables.records.get(record.table) ?? new Map<number, Row>();
    const documents = columns.filter((column) => record.insertColumns[column] === 'json');
    return [
      {
        name: record.table,
        sql: `SELECT id, ${columns.join(', ')} FROM ${record.table}`,
        expected: [...rows].map(([id, row]) => ({ id, ...read(row, documents) })),
      },
    ];
  }),
];

/** A record with its documents as a database gives them back. */
const read = (row: Row, documents: readonly string[]): Row => ({
  ...row,
  ...Object.fromEntries(documents.map((column) => [column, JSON.parse(String(row[column])) as unknown])),
});

const compare = async (pool: Pool, { name, sql, expected }: Table): Promise<string[]> => {
  const { rows } = await pool.query<Row>(sql);
  const found = new Set(rows.map((row) => JSON.stringify(plain(row))));
  const wanted = new Set(expected.map((row) => JSON.stringify(plain(row))));
  const missing = [...wanted].filter((row) => !found.has(row)).slice(0, ENOUGH);
  const surplus = [...found].filter((row) => !wanted.has(row)).slice(0, ENOUGH);
  return [
    ...missing.map((row) => `${name} lacks ${row}`),
    ...surplus.map((row) => `${name} has ${row}`),
    ...(rows.length === expected.length ? [] : [`${name} has ${rows.length} rows, not ${expected.length}`]),
  ];
};
