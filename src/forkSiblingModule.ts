/** Starts a module of ours as a process of its own. */
import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { setPriority } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of processes that give way: they get the processor time that calls leave. */
const NICE = 10;

export interface ForkBesideOptions extends ForkOptions {
  /** Its work may take longer while the machine is busy with calls: from its first moment, in which it loads its modules. */
  lowPriority?: boolean;
}

/**
 * Forks the module `name` that lies beside the one whose `import.meta.url` is `here`. The child gets an empty
 * environment, so no secrets, and no standard streams; it communicates by IPC only.
 */
export const forkSiblingModule = (
  here: string,
  name: string,
  { execArgv = [], lowPriority = false, ...options }: ForkBesideOptions = {},
): ChildProcess => {
  const { file, loader } = placeOf(here, name);
  const child = fork(file, {
    execArgv: [...execArgv, ...loader],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    ...options,
  });
  if (lowPriority) lowerPriority(child);
  return child;
};

const lowerPriority = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICE);
  } catch (error) {
    // It has ended already.
    if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
  }
};

/** Kills a process that was forked `detached`, and all that it started. */
export const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // None of the group is left.
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
};

let buildOfSources: string | undefined;

/** Sources that were built into `folder` are forked from there: tests, which have built them, save the loader's time. */
export const setBuildFolderForForks = (folder: string): void => {
  buildOfSources = folder;
};

/** Built, it is plain JavaScript. In development the sources run as they are, through tsx. */
const placeOf = (here: string, name: string): { file: string; loader: string[] } => {
  if (!here.endsWith('.ts')) return { file: fileURLToPath(new URL(`${name}.js`, here)), loader: [] };
  const source = fileURLToPath(new URL(`${name}.ts`, here));
  if (buildOfSources === undefined) return { file: source, loader: ['--import', 'tsx'] };
  return { file: join(buildOfSources, relative(root, source).replace(/\.ts$/, '.js')), loader: [] };
};
