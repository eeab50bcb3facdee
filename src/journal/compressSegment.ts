/** Compresses a segment in the background: a quarter of the time, at the lowest level. */
import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../engine/contract/ports.ts';
import { formatSegmentEnd } from './entries.ts';
import { frameJournalLine } from './frames.ts';
import type { JournalSegmentSummary } from './segmentSummaryCache.ts';
import { fsyncFolder } from './segmentWriter.ts';
import {
  compressedPathOf,
  deleteIfThere,
  openJournalSegmentForReading,
  type ReadableJournalSegment,
  unfinishedFilePath,
  segmentFilePath,
  type SegmentFile,
} from './segments.ts';
import type { JournalSummaryCache } from './segmentSummaryCache.ts';

const CREATE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
/** How much longer it rests than it works. */
const REST = 3;

export interface SegmentCompressionDeps {
  clock: Clock;
  summaries: JournalSummaryCache;
  isStopped(): boolean;
}

/**
 * Puts a compressed segment in the place of a plain one, without what was cut short at its end. A damaged one stays as it
 * is, and so does one that another process is compressing. Rejects as the operating system says.
 */
export const compressJournalSegment = async (
  file: SegmentFile,
  scope: SegmentCompressionDeps,
): Promise<void> => {
  const segment = await openJournalSegmentForReading(file);
  if (segment.isCompressed) return;
  const summary = await scope.summaries.of(file);
  if (!summary.hasHead || summary.damage) return;
  const path = compressedPathOf(file);
  const handle = await openPart(unfinishedFilePath(path));
  if (!handle) return;
  await writePart(handle, segment, summary, scope).catch(async (error: unknown) => {
    await deleteIfThere(unfinishedFilePath(path));
    throw error;
  });
  await rename(unfinishedFilePath(path), path);
  await fsyncFolder(file.folder);
  await deleteIfThere(segmentFilePath(file));
};

const openPart = async (path: string): Promise<FileHandle | undefined> =>
  open(path, CREATE, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  });

const writePart = async (
  handle: FileHandle,
  segment: ReadableJournalSegment,
  summary: JournalSegmentSummary,
  scope: SegmentCompressionDeps,
): Promise<void> => {
  try {
    await pipeline(contents(segment, summary, scope), createGzip({ level: 1 }), async (compressed) => {
      for await (const chunk of compressed) await handle.appendFile(chunk as Buffer);
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** What the segment reaches, so that a reader need not read all of it for that, and its whole lines. */
async function* contents(
  segment: ReadableJournalSegment,
  { reached, wholeBytes }: JournalSegmentSummary,
  { clock, isStopped }: SegmentCompressionDeps,
): AsyncGenerator<Uint8Array, void> {
  yield* frameJournalLine([formatSegmentEnd(reached)]).buffers;
  let left = wholeBytes;
  for await (const chunk of segment.chunks(0)) {
    if (isStopped()) throw new Error('the journal is closed');
    const began = clock.monotonic();
    yield chunk.subarray(0, left);
    left -= Math.min(left, chunk.length);
    const workedMs = clock.monotonic() - began;
    await new Promise<void>((resolve) => void clock.after(REST * workedMs, resolve));
  }
}
