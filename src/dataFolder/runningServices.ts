/** Which services run on a data folder, so that `ramal stop` finds them: a file for each process, named by its id. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessDead, ownProcessName } from '../lib/processIdentity.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'run');

/** Notes this process. `leave`: it has ended its work. A folder that takes no file is no reason not to start. */
export const registerRunningService = (dataDir: string): { leave(): void } => {
  const file = join(folderOf(dataDir), String(process.pid));
  try {
    mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 });
    writeFileSync(file, ownProcessName(), { mode: 0o600 });
  } catch {
    // `ramal stop` does not find it, and says so.
  }
  return { leave: () => rmSync(file, { force: true }) };
};

export interface RunningServiceProcess {
  pid: number;
  /** It surely ended. */
  hasEnded(): boolean;
}

/** Those that may still run: a process with the id and the start time that were noted. */
export const findRunningServices = (dataDir: string): RunningServiceProcess[] =>
  filesIn(folderOf(dataDir)).flatMap((name) => {
    const process = readOr(join(folderOf(dataDir), name));
    const one = { pid: Number(name), hasEnded: () => isProcessDead(process) };
    // What cannot be told apart (another container, another system than Linux) is left alone.
    return process.split(':')[2] === name && isOfHere(process) && !one.hasEnded() ? [one] : [];
  });

const isOfHere = (process: string): boolean => {
  const here = ownProcessName().split(':').slice(0, 2).join(':');
  return here !== 'unknown:unknown' && process.startsWith(`${here}:`);
};

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d{1,10}$/.test(name));
  } catch {
    return [];
  }
};

const readOr = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
