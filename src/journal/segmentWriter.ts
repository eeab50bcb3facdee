/** One segment that is written: a file that only grows, by whole lines. */
import { constants, writevSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import type { DiskLatencyMonitor } from './diskPace.ts';
import type { FramedLine } from './frames.ts';
import { deleteIfThere, unfinishedFilePath, segmentFilePath, type SegmentFile } from './segments.ts';

const CREATE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;

/** What the operating system said, or that it took less than it was given. */
class ShortWrite extends Error {
  override name = 'ShortWrite';
  readonly code = 'ESHORT';
}

export class SegmentWriter {
  readonly path: string;
  readonly file: SegmentFile;
  readonly #handle: FileHandle;
  #bytes: number;
  #isEmpty: boolean;
  /** That it is in its folder is on the disk as well. */
  #isListed = false;

  private constructor(file: SegmentFile, handle: FileHandle, bytes: number, isEmpty: boolean) {
    this.file = file;
    this.path = segmentFilePath(file);
    this.#handle = handle;
    this.#bytes = bytes;
    this.#isEmpty = isEmpty;
  }

  /** Where the last whole line ends. */
  get bytes(): number {
    return this.#bytes;
  }

  /** It has a head only. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /**
   * Makes it with its first lines, the head before all; it is there with all of them, or not at all, also after a power cut: a
   * file without a head is one that was damaged. Makes the folders above it too. Rejects as the operating system says; EEXIST
   * when there is one already.
   */
  static async create(file: SegmentFile, lines: readonly FramedLine[]): Promise<SegmentWriter> {
    await mkdir(file.folder, { recursive: true, mode: 0o700 });
    await refuseExisting(segmentFilePath(file));
    const part = unfinishedFilePath(segmentFilePath(file));
    await deleteIfThere(part);
    const handle = await open(part, CREATE, 0o600);
    try {
      const bytes = await writeAll(handle, lines, 0);
      await handle.datasync();
      await rename(part, segmentFilePath(file));
      return new SegmentWriter(file, handle, bytes, lines.length === 1);
    } catch (error) {
      await handle.close().catch(() => {});
      await unlink(part).catch(() => {});
      throw error;
    }
  }

  /**
   * Appends lines with one write. What a write that failed has left behind the last whole line is written over by the
   * next one. A few lines are written while the process waits, as long as the disk takes them at once.
   */
  async write(lines: readonly FramedLine[], pace: DiskLatencyMonitor): Promise<void> {
    this.#bytes += await writeAll(this.#handle, lines, this.#bytes, pace);
    this.#isEmpty = false;
  }

  /** Settles when all that was written is on the disk; rejects when that is not known, or the file was deleted. */
  async sync(): Promise<void> {
    await this.#handle.datasync();
    const { nlink } = await this.#handle.stat();
    if (nlink === 0) throw Object.assign(new Error(`${this.path} was deleted`), { code: 'ENOENT' });
    if (!this.#isListed) await fsyncFolder(this.file.folder);
    this.#isListed = true;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Closes and deletes it, as far as that can be done. */
  async remove(): Promise<void> {
    await this.close().catch(() => {});
    await unlink(this.path).catch(() => {});
  }
}

const refuseExisting = async (path: string): Promise<void> => {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw Object.assign(new Error(`${path} is there already`), { code: 'EEXIST' });
};

/** The operating system says why it took less when it is given the rest. */
const writeAll = async (
  handle: FileHandle,
  lines: readonly FramedLine[],
  position: number,
  pace?: DiskLatencyMonitor,
): Promise<number> => {
  const all = lines.reduce((sum, { bytes }) => sum + bytes, 0);
  const buffers = lines.flatMap((line) => line.buffers);
  let bytesWritten = pace?.takesAtOnce(all)
    ? pace.timed(() => writevSync(handle.fd, buffers, position))
    : (await handle.writev(buffers, position)).bytesWritten;
  if (bytesWritten < all) {
    const rest = Buffer.concat(buffers).subarray(bytesWritten);
    bytesWritten += (await handle.write(rest, 0, rest.length, position + bytesWritten)).bytesWritten;
  }
  if (bytesWritten < all) throw new ShortWrite('the operating system did not take all of it');
  return all;
};

/** What was made or renamed in a folder is there after a power cut, too. */
export const fsyncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
