/**
 * The carrier's memory: an append-only file that every process sharing DATA_DIR writes and reads.
 *
 * Lines are handed to the operating system before anyone is told that they were taken, so they outlive a killed
 * process. Reading and writing are synchronous: a few microseconds against the page cache, and no moment in
 * between in which the file and the carrier's mind could differ.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  parseSandboxCallLogLines,
  serializeSandboxCallLogLines,
  type SandboxChannelSnapshotLogLine,
  type Line,
} from './callLogLineFormat.ts';

export interface SandboxSharedCallLogFile {
  /** Opens it, and makes it when there is none. Input/output errors pass through. */
  open(): void;
  /** Lines that others have written since the last time; the first time, all of them. */
  news(): Line[];
  /** Appends in one write. Throws when the operating system did not take all of it. */
  append(lines: readonly Line[]): void;
  /** Whether it has grown so long that it should be cut. */
  readonly isLong: boolean;
  /** Begins it anew with these lines, unless another process is doing so; the old one stays beside it until the next cut. */
  cut(kept: readonly Line<SandboxChannelSnapshotLogLine>[]): void;
  close(): void;
}

export interface SandboxCallLogFileOptions {
  /** Holds `calls.log` and, after a cut, `calls.1.log`. */
  folder: string;
  /** The name this process writes under (`by`). */
  by: string;
  /** Length at which the log is cut, bytes. Default 32 MiB. */
  longBytes?: number;
}

/** A lock left by a process that died while cutting is ignored after this time. */
const staleLockMs = 60_000;

export const sandboxCallLogInFile = ({
  folder,
  by,
  longBytes = 32 * 1024 * 1024,
}: SandboxCallLogFileOptions): SandboxSharedCallLogFile => {
  const path = join(folder, 'calls.log');
  const previous = join(folder, 'calls.1.log');
  const lock = join(folder, 'cutting');
  let file = -1;
  let inode = 0;
  /** How far it has been read, or written without lines of another process in between. */
  let known = 0;
  let cutAt = longBytes;
  /** A write failed half way: our own lines are news until read. */
  let unsure = false;

  const openFile = (): void => {
    file = openSync(path, 'a+', 0o600);
    inode = fstatSync(file).ino;
    known = 0;
  };

  const readOn = (): Line[] => {
    const size = fstatSync(file).size;
    if (size <= known) return [];
    const bytes = Buffer.alloc(size - known);
    const whole = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, known)).lastIndexOf('\n') + 1;
    known += whole;
    const lines = parseSandboxCallLogLines(bytes.toString('utf8', 0, whole)).filter(
      (line) => unsure || line.by !== by,
    );
    unsure = false;
    return lines;
  };

  /** Another process has cut the log: what is left of the old one, then on to the new one. */
  const follow = (): Line[] => {
    const left = readOn();
    closeSync(file);
    openFile();
    return left;
  };

  const news = (): Line[] => {
    const left = statSync(path).ino === inode ? [] : follow();
    return [...left, ...readOn()];
  };

  return {
    open: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      openFile();
    },
    news,
    append: (lines) => {
      // What another process wrote last may have been cut short by a full disk, as ours may: nothing is glued to it.
      const isAlone = fstatSync(file).size === known;
      const text = Buffer.from((isAlone ? '' : '\n') + serializeSandboxCallLogLines(lines));
      unsure = true;
      if (writeSync(file, text) !== text.length) throw new Error(`${path} did not take the whole line`);
      unsure = false;
      // When another process wrote in between, `news` reads both lines and passes over ours.
      if (fstatSync(file).size === known + text.length) known += text.length;
    },
    get isLong() {
      return known > cutAt;
    },
    cut: (kept) => {
      if (!takeLock(lock)) return;
      try {
        const draft = join(folder, `calls.${by}.part`);
        const text = Buffer.from(serializeSandboxCallLogLines(kept));
        writeFileSync(draft, text, { mode: 0o600 });
        rmSync(previous, { force: true });
        linkSync(path, previous);
        renameSync(draft, path);
        // What others wrote to the old one in the meantime is written to the new one, and read there with the news.
        const late = follow();
        known = text.length;
        cutAt = Math.max(longBytes, 2 * known);
        if (late.length > 0) appendFileSync(file, serializeSandboxCallLogLines(late));
      } finally {
        rmSync(lock, { force: true });
      }
    },
    close: () => {
      if (file !== -1) closeSync(file);
      file = -1;
    },
  };
};

const takeLock = (lock: string): boolean => {
  try {
    if (Date.now() - statSync(lock).mtimeMs > staleLockMs) rmSync(lock, { force: true });
  } catch {
    // There is no lock: no other process is cutting.
  }
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch {
    return false;
  }
};

/** A log in memory, for carriers under a virtual clock; instances that share `lines` share the carrier. */
export const sandboxCallLogInMemory = (lines: Line[], by: string): SandboxSharedCallLogFile => {
  let known = 0;
  return {
    open: () => {},
    news: () => {
      const fresh = lines.slice(known).filter((line) => line.by !== by);
      known = lines.length;
      return fresh;
    },
    append: (more) => void lines.push(...more),
    isLong: false,
    cut: () => {},
    close: () => {},
  };
};
