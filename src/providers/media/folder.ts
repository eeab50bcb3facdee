/**
 * Media in a folder: `<folder>/<account>/<id>.wav`, or `.mp3`.
 * A file is written beside its place and moved there when it is whole and on the disk.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readWavHeader } from '../sound/wav.ts';
import { readFileHead } from '../readFileHead.ts';
import { fileNameOf, idOfFileName, isStoredMediaId } from '../contracts/media.ts';
import type { ListedMedia, MediaStat, MediaStore } from '../contracts/media.ts';
import { lruOf } from '../../lib/lru.ts';

/** Keeps media under this folder, which is made when it is first needed. */
export const folderMediaStore = (folder: string): MediaStore => {
  const place = (account: number, id: string): string | undefined =>
    Number.isSafeInteger(account) && account >= 0 && isStoredMediaId(id)
      ? join(folder, String(account), fileNameOf(id))
      : undefined;

  return {
    async put(account, id, content) {
      const path = place(account, id);
      if (path === undefined) throw new TypeError(`"${id}" of account ${account} cannot name a media file`);
      await mkdir(dirname(path), { recursive: true, mode: 0o750 });
      await writeWhole(path, content);
      return (await statOf(path))!;
    },

    async stat(account, id) {
      const path = place(account, id);
      return path === undefined ? undefined : statOf(path);
    },

    async open(account, id, range) {
      const path = place(account, id);
      if (path === undefined) return undefined;
      const known = await statOf(path);
      return known && { ...known, stream: createReadStream(path, range) };
    },

    async list(prefix) {
      const accounts = (await namesIn(folder)).filter((name) => /^\d+$/.test(name)).map(Number);
      const found: ListedMedia[] = [];
      for (const account of accounts) {
        const names = await namesIn(join(folder, String(account)));
        const ids = names.map(idOfFileName).filter((id) => id !== undefined);
        for (const id of ids.filter((one) => one.startsWith(prefix))) {
          const known = await stat(join(folder, String(account), fileNameOf(id))).catch(absentAs(undefined));
          if (known) found.push({ account, id, bytes: known.size, modifiedAt: Math.round(known.mtimeMs) });
        }
      }
      return found.toSorted((one, other) => one.modifiedAt - other.modifiedAt);
    },

    async delete(account, id) {
      const path = place(account, id);
      if (path === undefined) return false;
      return unlink(path).then(() => true, absentAs(false));
    },
  };
};

const writeWhole = async (path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> => {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(draft, 'wx', 0o640);
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(absentAs([]));

const HEAD_BYTES = 1024;
/** Files whose lengths are known without reading them: what is played often is asked for before every call. */
const KNOWN_LENGTHS = 5_000;

/** Seconds of a file, by its path; true as long as the file is the same. */
const lengths = lruOf<string, { file: string; seconds: number }>(KNOWN_LENGTHS);

const statOf = async (path: string): Promise<MediaStat | undefined> => {
  const found = await stat(path).catch(absentAs(undefined));
  if (!found) return undefined;
  const seconds = await secondsOf(path, found);
  return seconds === undefined
    ? undefined
    : { bytes: found.size, seconds, modifiedAt: Math.round(found.mtimeMs) };
};

const secondsOf = async (path: string, { ino, size, mtimeMs }: Stats): Promise<number | undefined> => {
  const file = `${ino} ${size} ${mtimeMs}`;
  const known = lengths.get(path);
  if (known?.file === file) return known.seconds;
  const head = await readFileHead(path, HEAD_BYTES).catch(absentAs(undefined));
  if (!head) return undefined;
  const seconds = readWavHeader(head, size)?.seconds ?? 0;
  lengths.set(path, { file, seconds });
  return seconds;
};

/** "No such file" is an answer; every other error is one. */
const absentAs =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return answer;
    throw error;
  };
