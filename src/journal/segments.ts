/** The files of a shard's journals: `<incarnation>.<segment>.journal`, and `.gz` behind it where it is compressed. */
import { constants } from 'node:fs';
import { lstat, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A segment by its name. */
export interface SegmentFile {
  folder: string;
  incarnation: number;
  /** Counts from 1 for each incarnation. */
  segment: number;
}

const NAME = /^(\d{1,16})\.(\d{4,9})\.journal(?:\.gz)?$/;
const PART = /^\d{1,16}\.\d{4,9}\.journal(?:\.gz)?\.part$/;

export const segmentFilePath = ({ folder, incarnation, segment }: SegmentFile): string =>
  join(folder, `${incarnation}.${String(segment).padStart(4, '0')}.journal`);

export const compressedPathOf = (file: SegmentFile): string => `${segmentFilePath(file)}.gz`;

/** The name of a file while it is made; readers pass it over. */
export const unfinishedFilePath = (path: string): string => `${path}.part`;

/** Segments in a folder, those of one incarnation in their order; none when there is no such folder. */
export const listJournalSegments = async (folder: string): Promise<SegmentFile[]> => {
  const entries = await readdir(folder).catch(noneIfGone);
  const found = new Map<string, SegmentFile>();
  for (const entry of entries) {
    // What is no file cannot be read, and stands in the place of one.
    const name = NAME.exec(entry);
    if (!name) continue;
    const file = { folder, incarnation: Number(name[1]), segment: Number(name[2]) };
    // One that was just compressed may be there in both shapes.
    found.set(segmentFilePath(file), file);
  }
  return [...found.values()].toSorted((a, b) => a.incarnation - b.incarnation || a.segment - b.segment);
};

/** Files that were being made and have not been written to since a time of this host, epoch milliseconds. */
export const findStaleJournalPartFiles = async (folder: string, since: number): Promise<string[]> => {
  const names = await readdir(folder).catch(noneIfGone);
  const stale: string[] = [];
  for (const name of names.filter((one) => PART.test(one))) {
    const stats = await lstat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile() && stats.mtimeMs < since) stale.push(join(folder, name));
  }
  return stale;
};

export const deleteIfThere = async (path: string): Promise<void> => {
  await unlink(path).catch(noneIfGone);
};

const noneIfGone = (error: unknown): never[] => {
  if (isFileNotFound(error)) return [];
  throw error;
};

/** There is no such file, any more or at all. */
export const isFileNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** This process has no means to look just now: that says nothing of the file. */
export const isProcessResourceError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(EMFILE|ENFILE|ENOMEM|EAGAIN|EINTR)$/.test(String(error.code));

/** By incarnation, in the order of the list. */
export const groupSegmentsByIncarnation = (files: readonly SegmentFile[]): Map<number, SegmentFile[]> => {
  const groups = new Map<number, SegmentFile[]>();
  for (const file of files) {
    const group = groups.get(file.incarnation);
    if (group) group.push(file);
    else groups.set(file.incarnation, [file]);
  }
  return groups;
};

/** A segment that is being read. */
export interface ReadableJournalSegment {
  path: string;
  isCompressed: boolean;
  /** Its bytes as they were appended, from one of them on; a compressed one is read from its beginning only. */
  chunks(from: number): AsyncIterable<Buffer>;
  /** On the disk, bytes. */
  size: number;
  /** When it was last written, by this host's clock, epoch milliseconds. */
  modifiedAt: number;
}

/** Finds a segment in the shape in which it is now. Throws ENOENT when it is gone. */
export const openJournalSegmentForReading = async (file: SegmentFile): Promise<ReadableJournalSegment> => {
  const path = segmentFilePath(file);
  const stats = await lstat(path).catch((error: unknown) => {
    if (isFileNotFound(error)) return undefined;
    throw error;
  });
  if (stats)
    return { path, isCompressed: false, chunks: (from) => plainChunks(path, from), ...sizeOf(stats) };
  const compressed = compressedPathOf(file);
  return {
    path: compressed,
    isCompressed: true,
    chunks: () => compressedChunks(compressed),
    ...sizeOf(await lstat(compressed)),
  };
};

const sizeOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => ({ size, modifiedAt: mtimeMs });

const CHUNK_BYTES = 256 * 1024;

async function* plainChunks(path: string, from: number): AsyncGenerator<Buffer, void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(inWords);
  try {
    for (let position = from; ;) {
      const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** What is said of a symbolic link speaks of too many of them. */
const inWords = (error: NodeJS.ErrnoException): never => {
  if (error.code === 'ELOOP')
    throw new Error('it is a symbolic link: put the file itself in its place', { cause: error });
  throw error;
};

/** What was compressed. One that ends too soon throws. */
async function* compressedChunks(path: string): AsyncGenerator<Buffer, void> {
  // What stands before something that is damaged comes in pieces of this length.
  const text = createGunzip({ chunkSize: 16 * 1024 });
  // What goes wrong with either is thrown where the text is read.
  pipeline(plainChunks(path, 0), text, () => {});
  for await (const chunk of text) yield chunk as Buffer;
}
