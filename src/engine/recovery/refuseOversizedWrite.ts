/** Whether what is to be written fits into a line of the journal: what does not must not be committed. */
import { type JournalEntry, MOST_JOURNAL_LINE_BYTES } from '../contract/journal.ts';
import type { MachineWrite } from '../contract/rows.ts';
import { BadBatch, BatchTookTooLong } from '../contract/store.ts';
import { formatJournalLine } from './journalLines.ts';

/** What a journal puts before a line, and around it. */
const AROUND_BYTES = 1024;
/** So many letters fit, whatever they are and however a store lays them out (`recovery/columnarJournalLineFormat.ts`). */
const SURELY_FIT = MOST_JOURNAL_LINE_BYTES / 8;

/**
 * The line of an entry that is so long that it had to be measured; undefined: it surely fits, in whatever layout. Throws
 * `BatchTookTooLong` where it does not fit, `BadBatch` for a single step.
 */
export const checkJournalLineSize = (entry: JournalEntry): readonly string[] | undefined => {
  if (lettersOf(entry) <= SURELY_FIT) return undefined;
  const line = formatJournalLine(entry);
  const bytes = line.reduce((sum, piece) => sum + Buffer.byteLength(piece), AROUND_BYTES);
  if (bytes > MOST_JOURNAL_LINE_BYTES) throw tooLong(entry, bytes);
  return line;
};

/** A batch may be written in parts; a step may not, and no later try makes it shorter. */
const tooLong = (entry: JournalEntry, bytes: number): Error => {
  const message = `a write of ${bytes} bytes does not fit into a line of the journal`;
  const isOneStep = entry.what === 'commit' && entry.writes.length === 1;
  return isOneStep
    ? new BadBatch(message, { code: PROGRAM_LIMIT_EXCEEDED, certain: true })
    : new BatchTookTooLong(message);
};

/** As PostgreSQL says it of its own limits. */
const PROGRAM_LIMIT_EXCEEDED = '54000';

/** About how much text an entry has. What else it has is numbers and short words. */
const lettersOf = (entry: JournalEntry): number => {
  switch (entry.what) {
    case 'commit':
      return sum(entry.writes, lettersOfWrite);
    case 'leave':
      return sum(entry.rows, ({ event }) => event.length + FEW);
    case 'records':
      return lettersIn([entry.blocked, entry.unblocked, entry.booked]);
    case 'takeUp':
      return FEW * entry.rows.length;
  }
};

/** Numbers and short words of a row. */
const FEW = 256;

const lettersOfWrite = ({ row, history, tells, claims, record, releases }: MachineWrite): number =>
  FEW +
  row.snapshot.length +
  row.agenda.length +
  sum(history, ({ payload, asked, taken }) => FEW + (payload?.length ?? 0) + asked.length + taken.length) +
  sum(tells, ({ event }) => FEW + event.length) +
  sum(claims, ({ key, answer }) => FEW + key.length + (answer?.length ?? 0)) +
  sum(releases, ({ length }) => length) +
  (record ? lettersIn(record.inserted) + lettersIn(record.updated) : 0);

const lettersIn = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 24;
  return sum(Array.isArray(value) ? value : Object.values(value), lettersIn);
};

/** A loop: it is asked for every step. */
const sum = <T>(all: readonly T[], of: (one: T) => number): number => {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
};
