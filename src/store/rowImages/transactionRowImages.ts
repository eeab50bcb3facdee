/** The rows that one transaction changes, and what it makes of them. */
import {
  changedColumns,
  type IdCounterImage,
  type RowOrIdCounterImage,
  latestColumnWriteTime,
  type ColumnWriteTimes,
  type RowImage,
} from './rowImage.ts';
import {
  type Ask,
  type JsonRow,
  lockColumnWriteTimes,
  readRowsByKey,
  saveColumnWriteTimes,
} from './columnWriteTimes.ts';
import {
  IMAGED,
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

export class RowImageSession {
  readonly #ask: Ask;
  readonly #touched = new Map<string, Touched>();
  readonly #counters: IdCounterImage[] = [];

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
  async images(at: number): Promise<RowOrIdCounterImage[]> {
    const images: RowImage[] = [];
    for (const table of new Set([...this.#touched.values()].map((one) => one.table)))
      images.push(...(await this.#imagesOf(table, at)));
    await saveColumnWriteTimes(
      this.#ask,
      images.map((image) => ({ table: image.table, key: image.key, marks: this.#marksAfter(image) })),
    );
    return [...images, ...this.#counters];
  }

  async #imagesOf(table: JournaledTableName, at: number): Promise<RowImage[]> {
    const touched = [...this.#touched.values()].filter((one) => one.table === table);
    const keys = touched.map(({ key }) => key);
    const rows = await readRowsByKey(this.#ask, table, keys, false);
    return touched.flatMap(({ key, before, marks }) => {
      const image = { table, key, at: Math.max(at, latestColumnWriteTime(marks) + 1) };
      const after = rows.get(key);
      if (!after) return before && !findJournaledTable(table)?.forgets ? [image] : [];
      const set = changedColumns(before, after, findJournaledTable(table)?.unkept ?? []);
      return set ? [{ ...image, set }] : [];
    });
  }

  #marksAfter({ table, key, at, set }: RowImage): ColumnWriteTimes {
    if (!set) return { gone: at };
    const { marks } = this.#touched.get(`${table} ${key}`)!;
    return { ...marks, ...Object.fromEntries(Object.keys(set).map((column) => [column, at])) };
  }
}

export const isJournaledTable = (table: string): table is JournaledTableName => Object.hasOwn(IMAGED, table);
