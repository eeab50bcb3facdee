/** How much room is left where the service keeps its data: said at the start, before a database says it in its own words. */
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

const mebibyte = 1024 * 1024;
/** Below this an operator should look. */
const good = 1024 * mebibyte;
/** With less a start that failed failed for want of it: the database takes 16 MB at a time. */
const least = 32 * mebibyte;

/** Said by the kernel, or by a database that it said it to. */
const isFull = (error: unknown): boolean => /ENOSPC|no space left/i.test(String(error));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Bytes that may still be written in a folder; one that cannot be looked at is not full. */
const freeIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
};

const said = (bytes: number): string => `${Math.floor(bytes / mebibyte).toLocaleString('en')} MB`;

/** Where the service writes, by the settings that say so; the journals only where they are on another disk perhaps. */
export const dataFoldersBySetting = ({ dataDir, outgoingDir }: Pick<Config, 'dataDir' | 'outgoingDir'>) => ({
  DATA_DIR: dataDir,
  ...(outgoingDir.startsWith(join(dataDir, '/')) ? {} : { OUTGOING_DIR: outgoingDir }),
});

/** Warns where the disk is nearly full. `folders`: by the settings that name them. */
export const warnOfSmallDisk = (folders: Readonly<Record<string, string>>, log: Pick<Log, 'warn'>): void => {
  for (const [setting, folder] of Object.entries(folders)) {
    const free = freeIn(folder);
    if (free < good)
      log.warn(
        { folder, freeBytes: free },
        `${said(free)} are free where ${setting} is: make room before it is used up, the database, recordings and journals grow`,
      );
  }
};

/** Of each folder whose disk is full, a sentence for who looks after it. `folders`: by the settings that name them. */
export const fullDiskSentences = (folders: Readonly<Record<string, string>>): string[] =>
  Object.entries(folders)
    .map(([setting, folder]) => ({ setting, free: freeIn(folder) }))
    .filter(({ free }) => free < least)
    .map(({ setting, free }) => `the disk is full where ${setting} is (${said(free)} are free): make room`);

/**
 * The error of a start that failed; for want of room in one of the folders: one that says so. Where there is little room, and
 * another reason is given: both, for a server that found none may not say so.
 */
export const orFullDisk = (error: unknown, folders: Readonly<Record<string, string>>): unknown => {
  for (const [setting, folder] of Object.entries(folders)) {
    const free = freeIn(folder);
    const full = `the disk is full where ${setting} is (${folder}, ${said(free)} are free): make room and start again; nothing is lost`;
    if (isFull(error)) return new Error(full, { cause: error });
    if (free < least) return new Error(`${messageOf(error)}; and ${full}`, { cause: error });
  }
  return error;
};
