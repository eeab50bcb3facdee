/** Rows and their marks, as a transaction of whatever driver reads and writes them. */
import type { JournaledTableName } from './journaledTables.ts';
import {
  JOURNALED_TABLES,
  primaryKeyColumns,
  primaryKeysFromClause,
  parsePrimaryKey,
} from './journaledTables.ts';
import type { ColumnWriteTimes } from './rowChange.ts';

/** One statement in the transaction. What it answers comes as text. */
export type Ask = <Row extends object>(text: string, values: readonly string[]) => Promise<Row[]>;

export type JsonRow = Readonly<Record<string, unknown>>;

/** Marks of these keys, which stay locked until the end of the transaction: made where there are none. */
export const lockColumnWriteTimes = async (
  ask: Ask,
  table: JournaledTableName,
  keys: readonly string[],
): Promise<Map<string, ColumnWriteTimes>> => {
  const rows = await ask<{ key: string; marks: string }>(
    `INSERT INTO row_marks (table_name, key) SELECT $1::text, k FROM jsonb_array_elements_text($2::text::jsonb) AS k
     ORDER BY k ON CONFLICT (table_name, key) DO UPDATE SET key = excluded.key RETURNING key, marks::text AS marks`,
    [table, JSON.stringify(keys)],
  );
  return new Map(rows.map(({ key, marks }) => [key, JSON.parse(marks) as ColumnWriteTimes]));
};

export const saveColumnWriteTimes = async (
  ask: Ask,
  marks: readonly { table: string; key: string; marks: ColumnWriteTimes }[],
): Promise<void> => {
  if (marks.length === 0) return;
  await ask(
    `UPDATE row_marks m SET marks = t.marks FROM jsonb_to_recordset($1::text::jsonb) AS t("table" text, key text, marks jsonb)
     WHERE m.table_name = t."table" AND m.key = t.key`,
    [JSON.stringify(marks)],
  );
};

/** Those of these rows that are there, by key. `locks`: they cannot change until the end of the transaction. */
export const readRowsByKey = async (
  ask: Ask,
  table: JournaledTableName,
  keys: readonly string[],
  locks: boolean,
): Promise<Map<string, JsonRow>> => {
  const columns = primaryKeyColumns(table);
  const named = Object.keys(JOURNALED_TABLES[table].key).map((column) => `t.${column}`);
  const rows = await ask<{ key: string; row: string }>(
    `SELECT jsonb_build_array(${named.join(', ')})::text AS key, to_jsonb(t)::text AS row
     FROM ${primaryKeysFromClause(table, '$1')} JOIN ${table} t USING (${columns}) ${locks ? 'FOR UPDATE OF t' : ''}`,
    [JSON.stringify(keys.map((key) => parsePrimaryKey(table, key)))],
  );
  return new Map(
    rows.map(({ key, row }) => [JSON.stringify(JSON.parse(key)), JSON.parse(row) as JsonRow] as const),
  );
};
