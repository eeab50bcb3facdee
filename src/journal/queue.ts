/** What was appended and waits to be written, or was written and may not be on the disk yet. */
import { advanceJournalProgress, type JournalProgress } from './entries.ts';
import type { JournalWritePosition } from '../engine/contract/journal.ts';
import type { FramedLine } from './frames.ts';

/** A line on its way. */
export interface Line extends FramedLine {
  /** Shard's time, epoch milliseconds. */
  at: number;
  /** Absent for a line that is no write. */
  position?: Pick<JournalWritePosition, 'lane' | 'number' | 'era'>;
  /** Absent for a line that tells nothing of others. */
  incarnations?: readonly number[];
  /** Told when it has been written, or never will be. */
  done?: (error?: Error) => void;
}

const DAY_MS = 86_400_000;

/** The UTC day of a time, counted from 1970. */
export const utcDayNumber = (at: number): number => Math.floor(at / DAY_MS);

/** The first lines, of one day and not much more than so many bytes: what one write takes. */
export const nextJournalLinesToWrite = (lines: readonly Line[], mostBytes: number): Line[] => {
  const batch: Line[] = [];
  let bytes = 0;
  for (const line of lines) {
    if (bytes >= mostBytes || utcDayNumber(line.at) !== utcDayNumber(lines[0]!.at)) break;
    batch.push(line);
    bytes += line.bytes;
  }
  return batch;
};

/** Changes `reached` to what it is after a line. */
export const pass = (
  reached: JournalProgress,
  { position, incarnations, at }: Pick<Line, 'position' | 'incarnations' | 'at'>,
): void => {
  if (position) advanceJournalProgress(reached, position);
  for (const one of incarnations ?? []) reached.seen.add(one);
  reached.at = at;
};
