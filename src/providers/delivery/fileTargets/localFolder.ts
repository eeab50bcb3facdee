/** Files for customers in a folder of this machine: each account below a folder of its own. */
import { constants } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileTarget, FileToDeliver } from '../../contracts/delivery.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { temporaryName, isTemporaryNameOf } from './temporaryNames.ts';
import { rememberContentSourceError } from '../idleTimeout.ts';

export interface LocalFolderOptions {
  /** The account's own folder, absolute; made when it is first needed. */
  root: string;
  /** Below it, as `rules/deliveries/fileDeliveryProfileSchemas.ts` allows; empty: the root itself. */
  folder: string;
}

export const localFolderDeliveryTarget = ({ root, folder }: LocalFolderOptions): FileTarget => ({
  async put(given) {
    const content = rememberContentSourceError(given.content);
    const file = { ...given, content };
    try {
      const place = await placeOf(root, folder);
      await removeDrafts(place, file);
      await write(place, file);
      return {};
    } catch (error) {
      throw content.failure() ?? kindOf(error);
    }
  },
});

/** The folder as it really is: a link that leads out of the account's own is not followed. */
const placeOf = async (root: string, folder: string): Promise<string> => {
  await mkdir(join(root, folder), { recursive: true, mode: 0o750 });
  const [home, place] = await Promise.all([realpath(root), realpath(join(root, folder))]);
  if (place === home || place.startsWith(home + sep)) return place;
  throw new NotRetryable('folderRefused', `the folder ${folder} leads out of the account's own`);
};

/** Writes a temporary file, flushes and renames it, so that a reader never sees half of it. */
const write = async (place: string, { name, content, draft, signal }: FileToDeliver): Promise<void> => {
  const path = join(place, temporaryName(name, draft));
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
  const handle = await open(path, flags, 0o640);
  try {
    await pipeline(Readable.from(content), handle.createWriteStream({ flush: true }), { signal });
    signal.throwIfAborted();
    await rename(path, join(place, name));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

/** What a process that died left behind. */
const removeDrafts = async (place: string, { name, draft }: FileToDeliver): Promise<void> => {
  const left = (await readdir(place)).filter((entry) => isTemporaryNameOf(entry, name, draft));
  await Promise.all(left.map((entry) => rm(join(place, entry), { force: true })));
};

/** Codes of a disk that may be better tomorrow; a path that is none stays none. */
const passing = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'EBUSY', 'ESTALE', 'ETIMEDOUT']);
const lasting = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTEMPTY',
]);

const kindOf = (error: unknown): unknown => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (passing.has(code)) return new Retryable(`the folder cannot be written now: ${code}`, { cause: error });
  if (lasting.has(code))
    return new NotRetryable('folderRefused', `the folder cannot be written: ${code}`, { cause: error });
  if ((error as Error).name === 'AbortError')
    return new Retryable(`broken off: ${message}`, { cause: error });
  return error;
};
