/**
 * The columns of a batch as a line of the journal (`src/engine/recovery/columnarJournalLineFormat.ts`). Each text is brought into bytes once, for
 * the line and for the server.
 */
import { COLUMNAR_JOURNAL_FORMAT_VERSION } from '../../../engine/recovery/columnarJournalLineFormat.ts';
import { COLUMNAR_JOURNAL_LINE_MARK, type JournalLineChunks } from '../../../engine/contract/journal.ts';
import type { Part } from './commitStatementPart.ts';

/** From so many letters on the server is given the line's bytes of a text, and not the text, to be brought into bytes again. */
const SHARED_LETTERS = 2_048;

/** Makes a line; long texts among the parts' values become views of it. `shape`: the statement's name. */
export type FormatJournalLine = (shape: string, parts: readonly Part[], at: number) => JournalLineChunks;

export const createJournalLineFormatter = (): FormatJournalLine => {
  /** By shape: its tables and their columns, as JSON. */
  const tablesOf = new Map<string, string>();
  return (shape, parts, at) => {
    const kept = parts.filter(({ table }) => table);
    let tables = tablesOf.get(shape);
    if (tables === undefined) tablesOf.set(shape, (tables = JSON.stringify(kept.map(({ table }) => table))));
    const { body, lengths } = laidOut(kept);
    const head = `[${COLUMNAR_JOURNAL_FORMAT_VERSION},${at},[${lengths.join(',')}],${tables}]`;
    return [`${COLUMNAR_JOURNAL_LINE_MARK}${head.length} ${head}`, body];
  };
};

/** The columns one after the other, and how many bytes each has. Short texts that stand together are written together. */
const laidOut = (kept: readonly Part[]): { body: Buffer; lengths: number[] } => {
  const lengths: number[] = [];
  let bytes = 0;
  for (const { values } of kept)
    for (const value of values) {
      const length = typeof value === 'string' ? Buffer.byteLength(value) : value.length;
      lengths.push(length);
      bytes += length;
    }
  const body = Buffer.allocUnsafe(bytes);
  let texts = '';
  let offset = 0;
  let column = 0;
  const flush = (): void => {
    if (texts !== '') offset += body.write(texts, offset);
    texts = '';
  };
  for (const { values, table } of kept)
    for (let index = 0; index < values.length; index += 1, column += 1) {
      const value = values[index]!;
      if (typeof value === 'string' && value.length < SHARED_LETTERS) {
        texts += value;
        continue;
      }
      flush();
      const end = offset + lengths[column]!;
      if (typeof value !== 'string') body.set(value, offset);
      else {
        body.write(value, offset);
        if (table![1][index]![1] === 'text') values[index] = body.subarray(offset, end);
      }
      offset = end;
    }
  flush();
  return { body, lengths };
};
