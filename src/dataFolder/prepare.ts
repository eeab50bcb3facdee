/** `DATA_DIR`: made when it is not there, and what in it is this node's own. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';

/**
 * Before anything is started. What earlier releases left readable to all users is closed to them. Throws a sentence
 * when the folder cannot be made or written to.
 */
export const prepareDataFolder = (dataDir: string): void => {
  prepareFolder('DATA_DIR', dataDir);
  for (const name of foldersOfOurs) closeToOthers(join(dataDir, name));
};

/** Makes the folder that a setting names. Throws a sentence when it cannot be made or written to. */
export const prepareFolder = (setting: string, folder: string): void => {
  try {
    make(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${setting} ${folder} cannot be used: ${(error as Error).message}`, { cause: error });
  }
};

/** With numbers, texts and voices of people in them. `postgres` closes its own. */
const foldersOfOurs = ['sandbox', 'media', 'tmp', 'deliveries', 'outgoing'];

/**
 * The folder and what stands right in it; who owns it and who shares it by their group keep their rights. What links point to
 * lies elsewhere, and is not ours: a link is passed over, in the place of the folder too.
 */
const closeToOthers = (folder: string): void => {
  if (!closePath(folder)) return;
  for (const name of namesIn(folder)) closePath(join(folder, name));
};

/** Links are not followed, and no pipe is waited for. */
const LOOK = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** False: it is not there yet, is a link, or is another user's, who has to do it. */
const closePath = (path: string): boolean => {
  let file: number | undefined;
  try {
    file = openSync(path, LOOK);
    const { mode } = fstatSync(file);
    if (mode & 0o007) fchmodSync(file, mode & 0o7770);
    return true;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The node's own folder of temporary files, which its next start empties (`prepareTemporaryFolder`). */
export const temporaryFolderPath = ({ dataDir, nodeName }: Pick<Config, 'dataDir' | 'nodeName'>): string =>
  join(dataDir, 'tmp', nodeName);

/** Level by level: Node's own `recursive` never returns below /proc, where nothing can be made. */
const make = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) make(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // A neighbour may have made it this very moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
