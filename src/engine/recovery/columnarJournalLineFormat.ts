/**
 * A batch of steps as columns, and back: what a store packs for its own statement is the line of the journal as well, so
 * that a step is not laid out twice.
 *
 * A line is `COLUMNS_MARK`, the length of a head, a space, the head, and the columns one after the other. The head is JSON:
 * version, the time `at`, the length of each column in bytes, and the tables that the columns belong to. A table has the
 * names and types of its columns; rows of two tables belong together where `account_id` and `id` do.
 *
 * A column is `text` (UTF-8, joined by U+001F, null as U+001E), `number` (an array in PostgreSQL's binary format) or
 * `literal` (an array in PostgreSQL's text format, of texts, numbers and booleans).
 */
import { upgradeVersion1ColumnName, upgradeVersion1JournalWrite } from './upgradeVersion1Writes.ts';
import type { HistoryRow, RecordTableWrite, MachineRowState, MachineWrite } from '../contract/rows.ts';

/** The first word of a head: what this release writes. */
export const COLUMNAR_JOURNAL_FORMAT_VERSION = 2;

export type JournalColumnType = 'text' | 'number' | 'literal';

/** Tables of a line. `record` is of one kind. */
export type JournalLineTableName =
  | 'steps'
  | 'births'
  | 'history'
  | 'tells'
  | 'heard'
  | 'claims'
  | 'releases'
  | 'moved'
  | 'entered'
  | 'record';

/** A table as the head names it; `record`: its kind, and how many of its columns are written at birth only (null: none). */
export type JournalLineTableHeader = [
  name: JournalLineTableName,
  columns: [name: string, type: JournalColumnType][],
  record?: [kind: string, born: number | null],
];

/** A line that no release wrote, or a newer one. */
export class UnreadableEntry extends Error {
  override name = 'UnreadableEntry';
}

type Row = Record<string, unknown>;

interface Table {
  name: JournalLineTableName;
  columns: readonly string[];
  record: readonly [kind: string, born: number | null] | undefined;
  rows: Row[];
}

/** Reads what stands behind the mark. Throws `UnreadableEntry`. */
export const parseColumnarJournalLine = (line: Buffer): { at: number; writes: MachineWrite[] } => {
  try {
    const { version, at, tables } = tablesIn(line);
    const writes = writesOf(tables);
    return { at, writes: version === 1 ? writes.map(upgradeVersion1JournalWrite) : writes };
  } catch (error) {
    if (error instanceof UnreadableEntry) throw error;
    throw new UnreadableEntry(`a line of the journal cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

const tablesIn = (line: Buffer): { version: number; at: number; tables: Table[] } => {
  const start = line.indexOf(' ') + 1;
  const headBytes = start > 0 ? Number(line.toString('latin1', 0, start - 1)) : NaN;
  if (!Number.isSafeInteger(headBytes)) throw new UnreadableEntry('this is no line of a journal');
  const [version, at, lengths, heads] = JSON.parse(line.toString('utf8', start, start + headBytes)) as [
    number,
    number,
    number[],
    JournalLineTableHeader[],
  ];
  if (!(version <= COLUMNAR_JOURNAL_FORMAT_VERSION))
    throw new UnreadableEntry(`a newer release wrote this line of the journal (columns ${version})`);
  let offset = start + headBytes;
  const bytes = lengths.map((length) => {
    offset += length;
    return line.subarray(offset - length, offset);
  });
  if (offset !== line.length) throw new UnreadableEntry('a line of the journal has not the length it says');
  return { version, at, tables: heads.map((head) => tableOf(head, bytes)) };
};

/** Takes the table's columns off the front of those that are left. */
const tableOf = ([name, columns, record]: JournalLineTableHeader, bytes: Buffer[]): Table => {
  const values = bytes.splice(0, columns.length).map((column, index) => READERS[columns[index]![1]](column));
  const rows = (values[0] ?? []).map((_, row) =>
    Object.fromEntries(
      columns.map(([column], index) => [upgradeVersion1ColumnName(column), values[index]![row]]),
    ),
  );
  return { name, columns: columns.map(([column]) => column), record, rows };
};

const readTexts = (column: Buffer): (string | null)[] =>
  column
    .toString('utf8')
    .split('\u001f')
    .map((word) => (word === '\u001e' ? null : word));

/** Before the elements: dimensions, whether there are nulls, type, count, first index. */
const COUNT_AT = 12;
const ELEMENTS_AT = 20;

const readNumbers = (column: Buffer): (number | null)[] => {
  const numbers: (number | null)[] = [];
  let at = ELEMENTS_AT;
  for (let left = column.readInt32BE(COUNT_AT); left > 0; left -= 1) {
    const bytes = column.readInt32BE(at);
    at += 4;
    if (bytes < 0) numbers.push(null);
    else numbers.push(bytes === 4 ? column.readInt32BE(at) : Number(column.readBigInt64BE(at)));
    at += Math.max(0, bytes);
  }
  return numbers;
};

/** An element of an array literal: quoted, or a word. */
const ELEMENT = /"((?:[^"\\]|\\.)*)"|[^",{}]+/gs;

const readLiterals = (column: Buffer): unknown[] =>
  [...column.toString('utf8').matchAll(ELEMENT)].map(([word, quoted]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
    return word === 'NULL' ? null : (JSON.parse(word) as unknown);
  });

const READERS: Record<JournalColumnType, (column: Buffer) => unknown[]> = {
  text: readTexts,
  number: readNumbers,
  literal: readLiterals,
};

/** The steps, and what belongs to each. */
const writesOf = (tables: readonly Table[]): MachineWrite[] => {
  const writes = new Map<string, MachineWrite>();
  const bookings = new Map<unknown, Row>();
  for (const { name, rows } of tables) {
    if (name === 'steps' || name === 'births') for (const row of rows) writes.set(keyOf(row), writeOf(row));
    if (name === 'entered') for (const row of rows) bookings.set(row['booking'], row);
  }
  for (const table of tables) {
    const add = ADDERS[table.name];
    if (add)
      for (const row of table.rows) {
        const write = writes.get(keyOf(row));
        if (!write) throw new UnreadableEntry('a line of the journal has rows of no step');
        add(write as Growing, row, table, bookings);
      }
  }
  return [...writes.values()];
};

const keyOf = (row: Row): string => `${String(row['account_id'])} ${String(row['id'])}`;

const numberIn = (row: Row, column: string): number => row[column] as number;
const textIn = (row: Row, column: string): string => (row[column] ?? '') as string;

const writeOf = (row: Row): MachineWrite => ({
  account: numberIn(row, 'account_id'),
  id: numberIn(row, 'id'),
  insert:
    row['kind'] === undefined
      ? null
      : {
          kind: textIn(row, 'kind'),
          version: numberIn(row, 'version'),
          createdAt: numberIn(row, 'created_at'),
        },
  parent: (row['parent'] ?? null) as number | null,
  guard: (row['guard'] ?? 0) as number,
  row: stateOf(row),
  ...{ history: [], record: null, tells: [], heard: [], claims: [], releases: [], bookings: [] },
});

const stateOf = (row: Row): MachineRowState => ({
  revision: numberIn(row, 'revision'),
  state: textIn(row, 'state'),
  milestones: textIn(row, 'milestones'),
  snapshot: textIn(row, 'snapshot'),
  agenda: textIn(row, 'agenda'),
  wakeAt: row['wake_at'] as number | null,
  heldBy: numberIn(row, 'held_by'),
  stepId: numberIn(row, 'step_id'),
  attention: row['attention'] as string | null,
  endedAt: row['ended_at'] as number | null,
});

/** A step whose rows are still being added. */
type Growing = {
  -readonly [Field in keyof MachineWrite]: MachineWrite[Field] extends readonly (infer One)[]
    ? One[]
    : MachineWrite[Field];
};

type Add = (write: Growing, row: Row, table: Table, entered: ReadonlyMap<unknown, Row>) => void;

const ADDERS: Partial<Record<JournalLineTableName, Add>> = {
  history: (write, row) => write.history.push(historyOf(row)),
  tells: (write, row) =>
    write.tells.push({
      account: numberIn(row, 'account_id'),
      machine: numberIn(row, 'machine_id'),
      id: numberIn(row, 'row_id'),
      event: textIn(row, 'event'),
      at: numberIn(row, 'at'),
    }),
  heard: (write, row) => write.heard.push(numberIn(row, 'row_id')),
  claims: (write, row) =>
    write.claims.push({
      key: textIn(row, 'key'),
      until: numberIn(row, 'until'),
      answer: row['answer'] as string | null,
    }),
  releases: (write, row) => write.releases.push(textIn(row, 'key')),
  moved: (write, row, _table, entered) => {
    const entry = entered.get(row['booking']);
    write.bookings.push({
      id: numberIn(row, 'booking'),
      account: numberIn(row, 'owner'),
      balance: textIn(row, 'balance'),
      amount: numberIn(row, 'amount'),
      // One that the ledger does not hear of has no time.
      entry: (entry?.['entry'] ?? null) as string | null,
      at: (entry?.['at'] ?? 0) as number,
    });
  },
  record: (write, row, table) => void (write.record = recordOf(row, table)),
};

const historyOf = (row: Row): HistoryRow => ({
  revision: numberIn(row, 'revision'),
  at: numberIn(row, 'at'),
  event: textIn(row, 'event'),
  payload: row['payload'] as string | null,
  state: textIn(row, 'state'),
  asked: textIn(row, 'asked'),
  // Lines of before transitions were written down have none.
  taken: textIn(row, 'taken'),
});

/** The key's two columns stand first, then those written at birth, then those that follow every step. */
const recordOf = (row: Row, { columns, record }: Table): RecordTableWrite => {
  const [kind, born] = record!;
  const values = columns.slice(2).map((column) => row[column]);
  return { kind, inserted: born === null ? null : values.slice(0, born), updated: values.slice(born ?? 0) };
};
