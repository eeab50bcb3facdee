/** Looks for an espeak-ng: a program of the system, or the npm package, which need not be installed. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Where it may be looked for. */
export interface EspeakSearchPlaces {
  /** A search path (`PATH`); undefined: no program is looked for. */
  path: string | undefined;
  /** Whether the npm package will do. */
  package: boolean;
}

export interface EspeakInstallation {
  version: string;
  /** Path of the program; undefined: it is the npm package. */
  program: string | undefined;
}

const PATIENCE_MS = 10_000;

/**
 * The first program of the search path that runs, else the npm package as a module at `from` would find it; undefined:
 * there is neither. `from` is a file's address; default: this one.
 */
export const findEspeak = async (
  { path, package: mayBePackage }: EspeakSearchPlaces,
  from: string = import.meta.url,
): Promise<EspeakInstallation | undefined> => {
  for (const folder of (path ?? '').split(delimiter).filter((part) => part !== '')) {
    const program = join(folder, 'espeak-ng');
    const version = await versionOf(program).catch(() => undefined);
    if (version !== undefined) return { version, program };
  }
  const version = mayBePackage ? packageVersion(from) : undefined;
  return version === undefined ? undefined : { version, program: undefined };
};

/** What people call it. */
export const espeakProgramTitle = ({ version, program }: EspeakInstallation): string =>
  program === undefined ? `espeak-ng of npm (${version})` : `espeak-ng ${version} (${program})`;

const versionOf = async (program: string): Promise<string | undefined> => {
  await access(program, constants.X_OK);
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: PATIENCE_MS, env: {} });
  return /^eSpeak NG text-to-speech: (\S+)/.exec(stdout)?.[1];
};

const packageVersion = (from: string): string | undefined => {
  try {
    return (createRequire(from)('espeak-ng/package.json') as { version: string }).version;
  } catch (error) {
    if ((error as { code?: string }).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
};
