/** One list from its file into the database, over a connection of its own; here or in a process of its own. */
import type { ClientBase } from 'pg';
import { ListBroken } from '../../rules/lists/broken.ts';
import { ListRowBuffer } from '../../rules/lists/listRowsForPostgresCopy.ts';
import { storeDestinationList } from '../../store/sql/storeDestinationList.ts';
import { detectListFormat } from './detectListFormat.ts';
import { parseUploadedListRows } from './parseList.ts';
import type { ListLoadJob, ListLoadSuccess, ListLoadFailure, MakeKeyClaimsForList } from './job.ts';

/** Throws when the database fails; then, and with a failure, nothing is kept. `onLost`: as `storeList`. */
export const loadListFile = async (
  client: ClientBase,
  job: ListLoadJob,
  claimsOf: MakeKeyClaimsForList,
  onLost?: (error: Error) => void,
): Promise<ListLoadSuccess | ListLoadFailure> => {
  const inspected = await detectListFormat(job.file);
  if (inspected.program) return { failed: 'executable', why: `the file is a program: ${inspected.program}` };
  if (inspected.isWorkbook)
    return {
      failed: 'broken',
      why: 'the file is a spreadsheet or an archive; save the sheet as CSV and send that',
    };
  const form = job.as === 'records' ? 'json' : inspected.form;
  const rows = new ListRowBuffer(job);
  const reading = parseUploadedListRows(job.file, { ...inspected, form }, rows);
  const loaded = (): ListLoadSuccess => {
    const { accepted, rejected, cut, bytes } = rows;
    return { id: job.id, accepted, rejected, cut, bytes };
  };
  const list = { ...job, file: job.as === 'file' ? job.file.name : '', claims: () => claimsOf(loaded()) };
  try {
    const stored = await storeDestinationList(client, list, rows, reading, onLost);
    if (stored === 'stored') return loaded();
    if (stored === 'taken') return { failed: 'claimed', why: 'the same request was answered meanwhile' };
    return { failed: 'empty', why: emptyText(rows) };
  } catch (error) {
    if (!(error instanceof ListBroken)) throw error;
    const failed = error.tooMany ? 'tooMany' : form === 'json' ? 'notJson' : 'broken';
    return { failed, why: error.message, line: error.line };
  } finally {
    await reading.return(undefined);
  }
};

/** All of them were refused. The first reason is told here, because no list is kept to look it up in. */
const emptyText = ({ rejected, firstRefusal }: ListRowBuffer): string =>
  firstRefusal
    ? `none of the ${rejected} records can be taken; record ${firstRefusal.row}: ${firstRefusal.why}`
    : 'there are no records';
