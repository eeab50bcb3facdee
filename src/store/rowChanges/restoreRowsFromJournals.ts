/**
 * Writes again what journals hold of rows and a database lacks. Each column is written where the journal's is later than
 * what stands, so that it may be done in any order, by several at once, and again.
 */
import type { Pool, PoolClient } from 'pg';
import type { EngineLog } from '../../engine/contract/ports.ts';
import {
  type IdCounterChange,
  computeRowChangeToApply,
  type RowChangeToApply,
  type RowOrIdCounterChange,
  type RowChange,
} from './rowChange.ts';
import { type Ask, lockColumnWriteTimes, readRowsByKey, saveColumnWriteTimes } from './columnWriteTimes.ts';
import { JOURNALED_TABLES, type JournaledTableName, parsePrimaryKey } from './journaledTables.ts';
import { isJournaledTable } from './transactionRowChanges.ts';

/** What one writer wrote, under its number. */
export interface NumberedRowChanges {
  writer: number;
  number: number;
  changes: readonly RowOrIdCounterChange[];
  /** Something before it could not be read: that the database has it does not say that it has all before it. Default false. */
  isBehindDamage?: boolean;
}

export interface RowMergeResult {
  /** Rows that were written again, by table. */
  rows: Record<string, number>;
  /** Counters of small ids that were raised. */
  counters: number;
  /** Sentences: rows that could not be written. */
  refused: string[];
}

export const emptyRowMergeResult = (): RowMergeResult => ({ rows: {}, counters: 0, refused: [] });

export const addRowMergeResult = (sum: RowMergeResult, { rows, counters, refused }: RowMergeResult): void => {
  for (const [table, count] of Object.entries(rows)) sum.rows[table] = (sum.rows[table] ?? 0) + count;
  sum.counters += counters;
  sum.refused.push(...refused);
};

export const isEmptyRowMergeResult = ({ rows, counters, refused }: RowMergeResult): boolean =>
  Object.keys(rows).length + counters + refused.length === 0;

/** How many writes of a writer the database has, 0: none. */
export const readWriterLastRowWriteNumber = async (pool: Pool, writer: number): Promise<number> => {
  const { rows } = await pool.query<{ number: number }>('SELECT number FROM row_writers WHERE writer = $1', [
    writer,
  ]);
  return rows[0]?.number ?? 0;
};

/** A batch in one transaction, and that it is written with it. */
export const mergeRowChangesIntoDatabase = async (
  pool: Pool,
  batch: readonly NumberedRowChanges[],
  merged: RowMergeResult,
  log: EngineLog,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await new Merge(client, merged, log).all(batch);
    await noteWritten(client, batch);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};

const noteWritten = async (client: PoolClient, batch: readonly NumberedRowChanges[]): Promise<void> => {
  const highest = new Map<number, number>();
  for (const { writer, number, isBehindDamage } of batch)
    if (!isBehindDamage) highest.set(writer, Math.max(number, highest.get(writer) ?? 0));
  const entries = [...highest].toSorted(([one], [other]) => one - other);
  await client.query(
    `INSERT INTO row_writers AS w (writer, number) SELECT * FROM unnest($1::bigint[], $2::bigint[])
     ON CONFLICT (writer) DO UPDATE SET number = greatest(w.number, excluded.number)`,
    [entries.map(([writer]) => writer), entries.map(([, number]) => number)],
  );
};

class Merge {
  readonly #client: PoolClient;
  readonly #merged: RowMergeResult;
  readonly #log: EngineLog;
  readonly #columns = new Map<JournaledTableName, Set<string>>();

  constructor(client: PoolClient, merged: RowMergeResult, log: EngineLog) {
    this.#client = client;
    this.#merged = merged;
    this.#log = log;
  }

  readonly #ask: Ask = async <Row extends object>(text: string, values: readonly string[]) =>
    (await this.#client.query<Row>(text, [...values])).rows;

  async all(batch: readonly NumberedRowChanges[]): Promise<void> {
    const changes = batch.flatMap((one) => one.changes);
    const rows = changes.filter((change) => 'table' in change);
    for (const table of [...new Set(rows.map((change) => change.table))].toSorted())
      await this.#table(
        table,
        rows.filter((change) => change.table === table),
      );
    await this.#counters(changes.filter((change) => 'counter' in change));
  }

  async #table(table: string, changes: readonly RowChange[]): Promise<void> {
    if (!isJournaledTable(table)) return this.#refused(table, '', 'this release knows no such table');
    const keys = [...new Set(changes.map(({ key }) => key))].toSorted();
    const marks = await lockColumnWriteTimes(this.#ask, table, keys);
    const written = new Set<string>();
    for (const change of changes) {
      const found = computeRowChangeToApply(change, marks.get(change.key) ?? {});
      if (!found || !(await this.#write(table, change, found))) continue;
      marks.set(change.key, found.marks);
      written.add(change.key);
    }
    if (written.size === 0) return;
    await saveColumnWriteTimes(
      this.#ask,
      [...written].map((key) => ({ table, key, marks: marks.get(key)! })),
    );
    this.#merged.rows[table] = (this.#merged.rows[table] ?? 0) + written.size;
  }

  /** One that the database refuses keeps no other back. */
  async #write(
    table: JournaledTableName,
    { key }: RowChange,
    { goes, set }: RowChangeToApply,
  ): Promise<boolean> {
    await this.#client.query('SAVEPOINT row_change');
    try {
      if (goes) await this.#delete(table, key);
      else await this.#set(table, key, set);
      await this.#client.query('RELEASE SAVEPOINT row_change');
      return true;
    } catch (error) {
      // Data that does not fit; anything else is of the database, and is tried again.
      if (!/^2[23]/.test((error as { code?: string }).code ?? '')) throw error;
      await this.#client.query('ROLLBACK TO SAVEPOINT row_change');
      this.#refused(table, key, (error as Error).message);
      return false;
    }
  }

  async #delete(table: JournaledTableName, key: string): Promise<void> {
    const { where, values } = whereOf(table, key);
    await this.#client.query(`DELETE FROM ${table} WHERE ${where}`, values);
  }

  async #set(table: JournaledTableName, key: string, set: Record<string, unknown>): Promise<void> {
    const known = await this.#columnsOf(table);
    const columns = Object.keys(set).filter((column) => known.has(column));
    const names = columns.map((column) => `"${column}"`);
    const rows = await readRowsByKey(this.#ask, table, [key], true);
    const source = `jsonb_populate_record(NULL::${table}, $1::text::jsonb)`;
    const row = JSON.stringify({ ...parsePrimaryKey(table, key), ...set });
    if (!rows.has(key)) {
      const all = [
        ...new Set([...Object.keys(JOURNALED_TABLES[table].key).map((one) => `"${one}"`), ...names]),
      ].join(', ');
      await this.#client.query(`INSERT INTO ${table} (${all}) SELECT ${all} FROM ${source}`, [row]);
      return;
    }
    const changed = names.filter((name) => !Object.hasOwn(JOURNALED_TABLES[table].key, name.slice(1, -1)));
    if (changed.length === 0) return;
    const { where, values } = whereOf(table, key, 2);
    await this.#client.query(
      `UPDATE ${table} SET (${changed.join(', ')}) = ROW(${changed.map((name) => `new_row.${name}`).join(', ')})
       FROM ${source} AS new_row WHERE ${where}`,
      [row, ...values],
    );
  }

  /** Those that this release has. */
  async #columnsOf(table: JournaledTableName): Promise<Set<string>> {
    const known = this.#columns.get(table);
    if (known) return known;
    const { rows } = await this.#client.query<{ attname: string }>(
      `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const columns = new Set(rows.map(({ attname }) => attname));
    this.#columns.set(table, columns);
    return columns;
  }

  async #counters(counters: readonly IdCounterChange[]): Promise<void> {
    const highest = new Map<string, number>();
    for (const { counter, next } of counters) highest.set(counter, Math.max(next, highest.get(counter) ?? 0));
    const entries = [...highest].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const { rowCount } = await this.#client.query(
      `INSERT INTO small_ids AS s (name, next) SELECT * FROM unnest($1::text[], $2::int[])
       ON CONFLICT (name) DO UPDATE SET next = excluded.next WHERE s.next < excluded.next`,
      [entries.map(([name]) => name), entries.map(([, next]) => next)],
    );
    this.#merged.counters += rowCount ?? 0;
  }

  #refused(table: string, key: string, why: string): void {
    const sentence = `row ${key} of ${table} cannot be written again: ${why}`;
    this.#merged.refused.push(sentence);
    this.#log.error({ table, key }, sentence);
  }
}

const whereOf = (
  table: JournaledTableName,
  key: string,
  first = 1,
): { where: string; values: (string | number)[] } => {
  const entries = Object.entries(parsePrimaryKey(table, key));
  const where = entries.map(([column], nth) => `${table}."${column}" = $${first + nth}`).join(' AND ');
  return { where, values: entries.map(([, value]) => value) };
};
