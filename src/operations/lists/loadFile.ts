/** One list from its file into the database, over a connection of its own; here or in a process of its own. */
import type { ClientBase } from 'pg';
import { ListBroken } from '../../rules/lists/broken.ts';
import { ListRows } from '../../rules/lists/rows.ts';
import { storeList } from '../../store/sql/storeList.ts';
import { inspectList } from './inspect.ts';
import { readList } from './parseList.ts';
import type { ListJob, ListLoaded, ListFailure, ClaimsOf } from './job.ts';

/** Throws when the database fails; then, and with a failure, nothing is kept. `onLost`: as `storeList`. */
export const loadFile = async (
  client: ClientBase,
  job: ListJob,
  claimsOf: ClaimsOf,
  onLost?: (error: Error) => void,
): Promise<ListLoaded | ListFailure> => {
  const inspected = await inspectList(job.file);
  if (inspected.program) return { failed: 'executable', why: `the file is a program: ${inspected.program}` };
  if (inspected.isWorkbook)
    return {
      failed: 'broken',
      why: 'the file is a spreadsheet or an archive; save the sheet as CSV and send that',
    };
  const form = job.as === 'records' ? 'json' : inspected.form;
  const rows = new ListRows(job);
  const reading = readList(job.file, { ...inspected, form }, rows);
  const loaded = (): ListLoaded => {
    const { accepted, rejected, bytes } = rows;
    return { id: job.id, accepted, rejected, bytes };
  };
  const list = { ...job, file: job.as === 'file' ? job.file.name : '', claims: () => claimsOf(loaded()) };
  try {
    const stored = await storeList(client, list, rows, reading, onLost);
    if (stored === 'stored') return loaded();
    if (stored === 'taken') return { failed: 'claimed', why: 'the same request was answered meanwhile' };
    return { failed: 'empty', why: emptyText(rows) };
  } catch (error) {
    if (!(error instanceof ListBroken)) throw error;
    return { failed: error.tooMany ? 'tooMany' : form === 'json' ? 'notJson' : 'broken', why: error.message };
  } finally {
    await reading.return(undefined);
  }
};

/** All of them were refused. The first reason is told here, because no list is kept to look it up in. */
const emptyText = ({ rejected, firstRefusal }: ListRows): string =>
  firstRefusal
    ? `none of the ${rejected} records can be taken; record ${firstRefusal.row}: ${firstRefusal.why}`
    : 'there are no records';
