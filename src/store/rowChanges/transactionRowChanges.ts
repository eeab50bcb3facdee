/** The rows that one transaction changes, and what it makes of them. */
import {
  changedColumns,
  type IdCounterChange,
  type RowOrIdCounterChange,
  latestColumnWriteTime,
  type ColumnWriteTimes,
  type RowChange,
} from './rowChange.ts';
import {
  type Ask,
  type JsonRow,
  lockColumnWriteTimes,
  readRowsByKey,
  saveColumnWriteTimes,
} from './columnWriteTimes.ts';
import {
  JOURNALED_TABLES,
  type JournaledTableName,
  findJournaledTable,
  type Key,
  formatPrimaryKey,
} from './journaledTables.ts';

interface Touched {
  table: JournaledTableName;
  key: string;
  before: JsonRow | undefined;
  marks: ColumnWriteTimes;
}

export class RowChangeSession {
  readonly #ask: Ask;
  readonly #touched = new Map<string, Touched>();
  readonly #counters: IdCounterChange[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  get ask(): Ask {
    return this.#ask;
  }

  /**
   * To be called before these rows are written, whether they are there or are made. `isWhole`: nothing of them was kept
   * before, so that all of each is. Default false.
   */
  async touch(table: JournaledTableName, keys: readonly Key[], isWhole = false): Promise<void> {
    const fresh = [...new Set(keys.map((key) => formatPrimaryKey(table, key)))].filter(
      (key) => !this.#touched.has(`${table} ${key}`),
    );
    if (fresh.length === 0) return;
    const marks = await lockColumnWriteTimes(this.#ask, table, fresh);
    const rows = await readRowsByKey(this.#ask, table, fresh, true);
    for (const key of fresh)
      this.#touched.set(`${table} ${key}`, {
        ...{ table, key, before: isWhole ? undefined : rows.get(key) },
        marks: marks.get(key) ?? {},
      });
  }

  /** Small ids of a counter were reserved, and the next one is this. */
  reserved(counter: string, next: number): void {
    this.#counters.push({ counter, next });
  }

  /** Whether there is something to be told; marks are written then. `at`: microseconds. */
  async changes(at: number): Promise<RowOrIdCounterChange[]> {
    const changes: RowChange[] = [];
    for (const table of new Set([...this.#touched.values()].map((one) => one.table)))
      changes.push(...(await this.#changesOf(table, at)));
    await saveColumnWriteTimes(
      this.#ask,
      changes.map((change) => ({ table: change.table, key: change.key, marks: this.#marksAfter(change) })),
    );
    return [...changes, ...this.#counters];
  }

  async #changesOf(table: JournaledTableName, at: number): Promise<RowChange[]> {
    const touched = [...this.#touched.values()].filter((one) => one.table === table);
    const keys = touched.map(({ key }) => key);
    const rows = await readRowsByKey(this.#ask, table, keys, false);
    return touched.flatMap(({ key, before, marks }) => {
      const change = { table, key, at: Math.max(at, latestColumnWriteTime(marks) + 1) };
      const after = rows.get(key);
      if (!after) return before && !findJournaledTable(table)?.forgets ? [change] : [];
      const set = changedColumns(before, after, findJournaledTable(table)?.unkept ?? []);
      return set ? [{ ...change, set }] : [];
    });
  }

  #marksAfter({ table, key, at, set }: RowChange): ColumnWriteTimes {
    if (!set) return { gone: at };
    const { marks } = this.#touched.get(`${table} ${key}`)!;
    return { ...marks, ...Object.fromEntries(Object.keys(set).map((column) => [column, at])) };
  }
}

export const isJournaledTable = (table: string): table is JournaledTableName =>
  Object.hasOwn(JOURNALED_TABLES, table);
