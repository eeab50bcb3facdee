/** A part of the commit: one common table expression, over the rows that it is given as lists. */
import type { ColumnType } from '../../../engine/contract/kind.ts';
import type {
  JournalColumnType as LineType,
  JournalLineTableHeader,
  JournalLineTableName,
} from '../../../engine/recovery/columnarJournalLineFormat.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
  packTextArrayParameter,
  unpackTextArrayParameterSql,
  type SqlParameter,
} from '../packArrayParameters.ts';
import type { MachineWrite } from '../../../engine/contract/rows.ts';

/** A column of a part: how its values travel, and how they are read from the parameter. */
export interface SqlParameterColumn<Row> {
  name: string;
  /** How a line of the journal has it. */
  type: LineType;
  pack(rows: readonly Row[]): SqlParameter;
  /** The array as SQL, from the parameter of this number. */
  read(parameter: number): string;
}

export interface Part {
  /** Names the part within the statement's name; no two shapes of a part share it. */
  letter: string;
  /** The columns as a line of the journal has them; absent: they say nothing that those of other parts do not. */
  table?: JournalLineTableHeader;
  /** Its columns' values, in order. */
  values: SqlParameter[];
  /** The expression, its parameters counted from this one. */
  sql(firstParameter: number): string;
}

/** A row that hangs on a machine. */
export interface RowOfMachineWrite<Row> {
  of: MachineWrite;
  row: Row;
}

export const integerParameterColumn = <Row>(
  name: string,
  of: (row: Row) => number | null,
): SqlParameterColumn<Row> => ({
  ...{ name, type: 'number' },
  pack: (rows) => packIntegerArrayParameter(rows, of),
  read: (parameter) => `$${parameter}::integer[]`,
});

export const bigintParameterColumn = <Row>(
  name: string,
  of: (row: Row) => number | null,
): SqlParameterColumn<Row> => ({
  ...{ name, type: 'number' },
  pack: (rows) => packBigintArrayParameter(rows, of),
  read: (parameter) => `$${parameter}::bigint[]`,
});

/** JSON text, or our own words. */
export const packedTextParameterColumn = <Row>(
  name: string,
  of: (row: Row) => string | null,
): SqlParameterColumn<Row> => ({
  ...{ name, type: 'text' },
  pack: (rows) => packTextArrayParameter(rows, of),
  read: unpackTextArrayParameterSql,
});

/** Any value of an SQL type. */
export const sqlParameterColumnOfType = <Row>(
  name: string,
  type: ColumnType,
  of: (row: Row) => unknown,
): SqlParameterColumn<Row> => {
  if (type === 'integer') return integerParameterColumn(name, of as (row: Row) => number | null);
  if (type === 'bigint') return bigintParameterColumn(name, of as (row: Row) => number | null);
  return {
    ...{ name, type: 'literal' },
    pack: (rows) => formatArrayLiteral(rows, of),
    read: (parameter) => `$${parameter}::${type}[]`,
  };
};

/** The key of a machine, of whatever row knows its write. */
export const machineKeyColumns = <Row>(write: (row: Row) => MachineWrite): SqlParameterColumn<Row>[] => [
  integerParameterColumn('account_id', (row) => write(row).account),
  bigintParameterColumn('id', (row) => write(row).id),
];

/** What a table of the journal's line is called, before its columns are known. */
export interface JournalTableHeaderBeforeColumns {
  name: JournalLineTableName;
  /** Of a record: its kind, and how many columns are written at birth only; null: none. */
  record?: [kind: string, born: number | null];
}

const heads = new WeakMap<readonly SqlParameterColumn<never>[], JournalLineTableHeader>();

/** Columns are declared once, and so are heads: they are told apart by the array that holds them. */
const headOf = (
  { name, record }: JournalTableHeaderBeforeColumns,
  columns: readonly SqlParameterColumn<never>[],
): JournalLineTableHeader => {
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
  columns: readonly SqlParameterColumn<Row>[],
  sql: (rows: string) => string,
  table?: JournalTableHeaderBeforeColumns,
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
export const collectMachineChildRows = <Row>(
  batch: readonly MachineWrite[],
  rowsOf: (write: MachineWrite) => readonly Row[],
): RowOfMachineWrite<Row>[] => {
  const all: RowOfMachineWrite<Row>[] = [];
  for (const write of batch) for (const row of rowsOf(write)) all.push({ of: write, row });
  return all;
};

/** Restricts a part to machines that are written. */
export const OK = 'JOIN ok USING (account_id, id)';
/** Why machines of a batch may be left out: they lost a claim, their balances bear too little, or it is not the writer's turn. */
export interface CommitPreconditions {
  lost: boolean;
  short: boolean;
  turn: boolean;
}

/** Restricts the machines written to those that none of these holds back; none: everyone passes. */
export const commitConditionsSql = (preconditions: CommitPreconditions): string[] => [
  ...(preconditions.turn ? ['EXISTS (SELECT 1 FROM turn)'] : []),
  ...(['lost', 'short'] as const)
    .filter((name) => preconditions[name])
    .map(
      (name) =>
        `NOT EXISTS (SELECT 1 FROM ${name} WHERE ${name}.account_id = t.account_id AND ${name}.id = t.id)`,
    ),
];

/** Tells the shapes apart, in a part's letter. */
export const preconditionStatementSuffix = (preconditions: CommitPreconditions): string =>
  `${preconditions.lost ? 'l' : ''}${preconditions.short ? 's' : ''}`;
