/** Where a person finds a row again: the line of the CSV file, else its place among the records. Pure. */
import type { Word } from '../../words/index.ts';

interface PlacedRow {
  row: number;
  /** Null: the list is of no CSV file. */
  line: number | null;
}

export const placeOf = ({ row, line }: PlacedRow): number => line ?? row;

/** All rows of a list are placed alike. */
export const placeWord = (one: PlacedRow | undefined): Word =>
  (one?.line ?? null) === null ? 'cpRecord' : 'cpLine';
