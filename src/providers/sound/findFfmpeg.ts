/** Looks for an ffmpeg that still gets security fixes. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export interface FoundFfmpegProgram {
  path: string;
  version: string;
}

/** Older ones get no repairs any more. */
const OLDEST_MAJOR = 5;
const PATIENCE_MS = 10_000;

/** The first ffmpeg of a search path (`PATH`) that runs and is recent enough; undefined when there is none. */
export const findFfmpeg = async (searchPath: string): Promise<FoundFfmpegProgram | undefined> => {
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, 'ffmpeg');
    const version = await versionOf(path).catch(() => undefined);
    if (version !== undefined && isKept(version)) return { path, version };
  }
  return undefined;
};

const versionOf = async (path: string): Promise<string | undefined> => {
  await access(path, constants.X_OK);
  const { stdout } = await promisify(execFile)(path, ['-version'], { timeout: PATIENCE_MS, env: {} });
  return /^ffmpeg version (\S+)/.exec(stdout)?.[1];
};

/** What has no number is built from the newest sources. */
const isKept = (version: string): boolean => {
  const major = /^n?(\d+)\./.exec(version)?.[1];
  return major === undefined || Number(major) >= OLDEST_MAJOR;
};
