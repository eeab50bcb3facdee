/** Brings the lines of a journal that its database lacks: they wait there to be written again, in the order of before. */
import { JournalUnreadable, type StoredJournal } from '../contract/journal.ts';
import { unreadableJournalSentence, clusterNodeLabel } from './describeDatabaseGap.ts';
import type { JournalRedoLine, ShardMachineStore } from '../contract/store.ts';

/** Lines, and letters of them, that are brought in one statement. */
const BROUGHT_LINES = 200;
const BROUGHT_LETTERS = 4_000_000;

interface BringDeps {
  store: ShardMachineStore;
  /** Hears of each line that the database lacks. */
  heard?: { brought(line: JournalRedoLine): void };
}

/** Brings what the database lacks of one journal; why that cannot be done, undefined: it is done. */
export const stageMissingJournalLines = async (
  to: BringDeps,
  journal: StoredJournal,
): Promise<string | undefined> => {
  const unreadable = (why: string): string => unreadableJournalSentence(journal, why);
  if (journal.problem !== undefined) return unreadable(journal.problem);
  try {
    return await bringReadable(to, journal);
  } catch (error) {
    if (error instanceof JournalUnreadable) return unreadable(error.message);
    throw error;
  }
};

/** The same for one that can be read. */
const bringReadable = async (
  { store, heard }: BringDeps,
  journal: StoredJournal,
): Promise<string | undefined> => {
  const { incarnation } = journal.owner;
  const { writers } = await store.standing(incarnation);
  const numbers = new Map(writers.map(({ lane, number }) => [lane, number]));
  let lines: JournalRedoLine[] = [];
  let letters = 0;
  const send = async (): Promise<void> => {
    if (lines.length > 0) await store.bring(lines);
    lines = [];
    letters = 0;
  };
  for await (const line of journal.lines(new Map(numbers))) {
    if (line.number !== (numbers.get(line.lane) ?? 0) + 1)
      return `the journal of ${clusterNodeLabel(journal.owner)} lacks a commit before its ${line.number}th`;
    numbers.set(line.lane, line.number);
    heard?.brought({ ...line, incarnation });
    lines.push({ ...line, incarnation });
    letters += line.text.length;
    if (lines.length >= BROUGHT_LINES || letters >= BROUGHT_LETTERS) await send();
  }
  await send();
  const isWhole = [...journal.last].every(([lane, last]) => (numbers.get(lane) ?? 0) >= last);
  return isWhole ? undefined : `the journal of ${clusterNodeLabel(journal.owner)} cannot be read to its end`;
};
