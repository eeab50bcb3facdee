/** Temporary files: one folder a node, private, emptied at the start; the files of a request go when it ends. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadedFile } from '../../operations/operationUploadTypes.ts';
import { UploadRefused } from './refused.ts';

/** A node's folder that was not written to for so long is removed, milliseconds. */
const abandonedMs = 24 * 3_600_000;

/** A folder for this node's temporary files, empty. What abandoned neighbours left is removed with it. */
export const prepareTemporaryFolder = (root: string, node: string): string => {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (name === node || changed < Date.now() - abandonedMs) rmSync(path, { recursive: true, force: true });
  }
  const own = join(root, node);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
};

/** What is known of a file before it is written. */
export type UploadFileInfo = Pick<UploadedFile, 'name' | 'field' | 'contentType'>;

/** The temporary files of one request. */
export class TemporaryFiles {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #spend: (bytes: number) => void;
  readonly #opened: { path: string; handle: FileHandle }[] = [];
  #bytes = 0;

  /** `maxBytes`: of all of them together. `spend` hears of all that is written, before it is; it may throw. */
  constructor(folder: string, maxBytes: number, spend: (bytes: number) => void = () => {}) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#spend = spend;
  }

  /** Begins a file. Throws `UploadRefused`. */
  async begin(about: UploadFileInfo): Promise<UploadFileWriter> {
    const path = join(this.#folder, randomUUID());
    const handle = await orNotStored(async () => {
      // A neighbour that started after a quiet day has taken it for abandoned.
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return open(path, 'wx', 0o600);
    });
    this.#opened.push({ path, handle });
    let bytes = 0;
    return {
      write: async (piece) => {
        this.#bytes += piece.length;
        bytes += piece.length;
        if (this.#bytes > this.#maxBytes) throw new UploadRefused('tooLarge');
        this.#spend(piece.length);
        await orNotStored(() => writeAll(handle, piece));
      },
      end: async () => {
        await orNotStored(() => handle.close());
        return uploadedFile(path, bytes, about);
      },
    };
  }

  /** Removes all of them. */
  async discard(): Promise<void> {
    await Promise.all(
      this.#opened.splice(0).map(async ({ path, handle }) => {
        await handle.close().catch(() => {});
        await rm(path, { force: true });
        await rm(besideOf(path), { force: true });
      }),
    );
  }
}

export interface UploadFileWriter {
  /** Throws `UploadRefused`: too large, or the disk refuses. */
  write(piece: Uint8Array): Promise<void>;
  end(): Promise<UploadedFile>;
}

const writeAll = async (handle: FileHandle, piece: Uint8Array): Promise<void> => {
  for (let at = 0; at < piece.length;) at += (await handle.write(piece, at)).bytesWritten;
};

const orNotStored = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new UploadRefused('notStored', { cause: error });
  }
};

const besideOf = (path: string): string => `${path}.made`;

const uploadedFile = (path: string, bytes: number, about: UploadFileInfo): UploadedFile => ({
  ...about,
  path,
  beside: besideOf(path),
  bytes,
  open: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
  digest: async () => {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return hash.digest('base64url');
  },
});
