/**
 * What one write made of a row: the columns that it changed, with the moment at which it did. Changes of a row may come in
 * any order, and more than once: of each column the latest stands.
 */

/** When columns were written last, microseconds; `gone`: when the row was deleted. */
export type ColumnWriteTimes = Readonly<Record<string, number>>;

/** Marks name columns, and this, which is none. */
const GONE = 'gone';

export interface RowChange {
  table: string;
  /** `formatPrimaryKey`. */
  key: string;
  /** Microseconds: later than all that the row was written before. */
  at: number;
  /** Columns as JSON; undefined: the row was deleted. */
  set?: Readonly<Record<string, unknown>>;
}

/** Small ids up to here were reserved: `small_ids`. */
export interface IdCounterChange {
  counter: string;
  next: number;
}

export type RowOrIdCounterChange = RowChange | IdCounterChange;

/** Of this release; a line of a newer one is refused. Lines have the changes under `images`, the word of earlier releases. */
const FORMAT = 1;

export class NewerRowChangeFormatError extends Error {
  override name = 'NewerRowChangeFormatError';
}

export const serializeRowChanges = (changes: readonly RowOrIdCounterChange[]): string =>
  JSON.stringify({ format: FORMAT, images: changes });

/** Throws `NewerRowChangeFormatError`, and `SyntaxError` for what is none of ours. */
export const parseRowChanges = (text: string): RowOrIdCounterChange[] => {
  const { format, images } = JSON.parse(text) as { format: number; images: RowOrIdCounterChange[] };
  if (format !== FORMAT) throw new NewerRowChangeFormatError(`a newer release wrote it (format ${format})`);
  return images;
};

export const latestColumnWriteTime = (marks: ColumnWriteTimes): number =>
  Math.max(0, ...Object.values(marks));

/** What of a change is later than what stands in the row, and is written. */
export interface RowChangeToApply {
  /** It goes, before columns are set. */
  goes: boolean;
  /** Columns that are later than what stands. */
  set: Record<string, unknown>;
  marks: ColumnWriteTimes;
}

/** Undefined: nothing of it is later than what stands. */
export const computeRowChangeToApply = (
  change: RowChange,
  marks: ColumnWriteTimes,
): RowChangeToApply | undefined => {
  const { at, set } = change;
  if (set === undefined)
    return at > latestColumnWriteTime(marks) ? { goes: true, set: {}, marks: { [GONE]: at } } : undefined;
  const floor = marks[GONE] ?? 0;
  const later = Object.entries(set).filter(([column]) => at > Math.max(marks[column] ?? 0, floor));
  if (later.length === 0) return undefined;
  const stamped = Object.fromEntries(later.map(([column]) => [column, at]));
  return { goes: false, set: Object.fromEntries(later), marks: { ...marks, ...stamped } };
};

/** Columns of `after` that are not as in `before`; undefined: none. */
export const changedColumns = (
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
  unkept: readonly string[],
): Record<string, unknown> | undefined => {
  const changed = Object.entries(after).filter(
    ([column, value]) =>
      !before || (!unkept.includes(column) && JSON.stringify(before[column]) !== JSON.stringify(value)),
  );
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
};
