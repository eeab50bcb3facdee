/** A part of the commit: one common table expression, over the rows that it is given as lists. */
import type { ColumnType } from '../../../engine/contract/kind.ts';
import type { ColumnType as LineType, TableHead, TableName } from '../../../engine/recovery/columnLines.ts';
import { bigints, integers, literals, packed, unpack, type Parameter } from '../arrays.ts';
import type { Write } from '../../../engine/contract/rows.ts';

/** A column of a part: how its values travel, and how they are read from the parameter. */
export interface Column<Row> {
  name: string;
  /** How a line of the journal has it. */
  type: LineType;
  pack(rows: readonly Row[]): Parameter;
  /** The array as SQL, from the parameter of this number. */
  read(parameter: number): string;
}

export interface Part {
  /** Names the part within the statement's name; no two shapes of a part share it. */
  letter: string;
  /** The columns as a line of the journal has them; absent: they say nothing that those of other parts do not. */
  table?: TableHead;
  /** Its columns' values, in order. */
  values: Parameter[];
  /** The expression, its parameters counted from this one. */
  sql(firstParameter: number): string;
}

/** A row that hangs on a machine. */
export interface ChildRow<Row> {
  of: Write;
  row: Row;
}

export const integer = <Row>(name: string, of: (row: Row) => number | null): Column<Row> => ({
  ...{ name, type: 'number' },
  pack: (rows) => integers(rows, of),
  read: (parameter) => `$${parameter}::integer[]`,
});

export const bigint = <Row>(name: string, of: (row: Row) => number | null): Column<Row> => ({
  ...{ name, type: 'number' },
  pack: (rows) => bigints(rows, of),
  read: (parameter) => `$${parameter}::bigint[]`,
});

/** JSON text, or our own words. */
export const words = <Row>(name: string, of: (row: Row) => string | null): Column<Row> => ({
  ...{ name, type: 'text' },
  pack: (rows) => packed(rows, of),
  read: unpack,
});

/** Any value of an SQL type. */
export const literal = <Row>(name: string, type: ColumnType, of: (row: Row) => unknown): Column<Row> => {
  if (type === 'integer') return integer(name, of as (row: Row) => number | null);
  if (type === 'bigint') return bigint(name, of as (row: Row) => number | null);
  return {
    ...{ name, type: 'literal' },
    pack: (rows) => literals(rows, of),
    read: (parameter) => `$${parameter}::${type}[]`,
  };
};

/** The key of a machine, of whatever row knows its write. */
export const keysOf = <Row>(write: (row: Row) => Write): Column<Row>[] => [
  integer('account_id', (row) => write(row).account),
  bigint('id', (row) => write(row).id),
];

/** What a table of the journal's line is called, before its columns are known. */
export interface LineTable {
  name: TableName;
  /** Of a record: its kind, and how many columns are written at birth only; null: none. */
  record?: [kind: string, born: number | null];
}

const heads = new WeakMap<readonly Column<never>[], TableHead>();

/** Columns are declared once, and so are heads: they are told apart by the array that holds them. */
const headOf = ({ name, record }: LineTable, columns: readonly Column<never>[]): TableHead => {
  let head = heads.get(columns);
  if (!head) {
    const described = columns.map(({ name: column, type }): [string, LineType] => [column, type]);
    heads.set(columns, (head = record ? [name, described, record] : [name, described]));
  }
  return head;
};

/** Makes a part; `sql` is given its rows as a source named `t`. `table`: as a line of the journal has it. */
export const part = <Row>(
  letter: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sql: (rows: string) => string,
  table?: LineTable,
): Part => ({
  letter,
  ...(table && { table: headOf(table, columns) }),
  values: columns.map((column) => column.pack(rows)),
  sql: (first) => {
    const arrays = columns.map((column, index) => column.read(first + index));
    const names = columns.map(({ name }) => name);
    return sql(`unnest(${arrays.join(', ')}) AS t(${names.join(', ')})`);
  },
});

/** All rows of one sort that hang on machines of the batch. */
export const childRowsOf = <Row>(
  batch: readonly Write[],
  rowsOf: (write: Write) => readonly Row[],
): ChildRow<Row>[] => {
  const all: ChildRow<Row>[] = [];
  for (const write of batch) for (const row of rowsOf(write)) all.push({ of: write, row });
  return all;
};

/** Restricts a part to machines that are written. */
export const OK = 'JOIN ok USING (account_id, id)';
/** Why machines of a batch may be left out: they lost a claim, their balances bear too little, or it is not the writer's turn. */
export interface Preconditions {
  lost: boolean;
  short: boolean;
  turn: boolean;
}

/** Restricts the machines written to those that none of these holds back; none: everyone passes. */
export const conditionsOf = (preconditions: Preconditions): string[] => [
  ...(preconditions.turn ? ['EXISTS (SELECT 1 FROM turn)'] : []),
  ...(['lost', 'short'] as const)
    .filter((name) => preconditions[name])
    .map(
      (name) =>
        `NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.account_id = t.account_id AND ${name}.id = t.id)`,
    ),
];

/** Tells the shapes apart, in a part's letter. */
export const preconditionLetters = (preconditions: Preconditions): string =>
  `${preconditions.lost ? 'l' : ''}${preconditions.short ? 's' : ''}`;
