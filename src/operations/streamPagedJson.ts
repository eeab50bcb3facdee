/** A list as JSON text, read page by page while it is sent: neither memory nor a read transaction grows with it. */

/** Rows read at a time; longer answers are written as they come. */
export const rowsPerStreamedRead = 1_000;

export interface RowsForStreamedJsonAnswer<Row extends { id: number }> {
  /** Its key beside `return`. */
  key: string;
  /** Rows in all. */
  most: number;
  /** Rows newest first, only ids below. */
  read(page: { limit: number; belowId?: number }): Promise<Row[]>;
  write(row: Row): unknown;
  /** What else stands in `return`. */
  beside(): Readonly<Record<string, unknown>>;
}

/** A part a page. Pages follow the key, each read when the one before has been taken. */
export async function* streamPagesAsJson<Row extends { id: number }>({
  key,
  most,
  read,
  write,
  beside,
}: RowsForStreamedJsonAnswer<Row>): AsyncGenerator<string> {
  let left = most;
  let below = {};
  for (let first = true, last = false; !last; first = false) {
    const limit = Math.min(rowsPerStreamedRead, left);
    const rows = await read({ limit, ...below });
    left -= rows.length;
    last = rows.length < limit || left === 0;
    const begin = first ? `{${JSON.stringify(key)}:[` : rows.length > 0 ? ',' : '';
    const part = rows.map((row) => JSON.stringify(write(row))).join(',');
    yield `${begin}${part}${last ? endOf(beside()) : ''}`;
    below = { belowId: rows.at(-1)?.id };
  }
}

const endOf = (more: Readonly<Record<string, unknown>>): string =>
  `],"return":${JSON.stringify({ status: 'OK', status_code: '0', ...more })}}`;

/** Warnings, as every answer has them. */
export const formatWarningField = (warnings: readonly string[]): Readonly<Record<string, unknown>> =>
  warnings.length > 0 ? { warning: warnings.join('; ') } : {};
