/** Puts a whole copy of a journal in the place of one that cannot be read. What was there is set aside, not deleted. */
import { copyFile, open, rename } from 'node:fs/promises';
import { fsyncFolder } from './segmentWriter.ts';
import {
  compressedPathOf,
  deleteIfThere,
  openJournalSegmentForReading,
  isFileNotFound,
  listJournalSegments,
  unfinishedFilePath,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';

/** What is set aside is named so behind its own name; no reader takes it for a journal. */
const ASIDE = '.damaged';

/** Segments of one incarnation, from one folder of a shard to another. No process may be writing it. */
export const replaceJournalWithCopy = async (
  from: string,
  to: string,
  incarnation: number,
): Promise<void> => {
  const files = (await listJournalSegments(from)).filter((file) => file.incarnation === incarnation);
  for (const file of files) await replaceSegment(file, { ...file, folder: to });
  await fsyncFolder(to);
};

const replaceSegment = async (from: SegmentFile, to: SegmentFile): Promise<void> => {
  const { path, isCompressed } = await openJournalSegmentForReading(from);
  const place = isCompressed ? compressedPathOf(to) : segmentFilePath(to);
  const part = unfinishedFilePath(place);
  await deleteIfThere(part);
  await copyFile(path, part);
  await bringToDisk(part);
  for (const before of [segmentFilePath(to), compressedPathOf(to)]) await setAside(before);
  await rename(part, place);
};

const bringToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const setAside = (path: string): Promise<void> =>
  rename(path, `${path}${ASIDE}`).catch((error: unknown) => {
    if (!isFileNotFound(error)) throw error;
  });
