/** A copy of what was built, with some of its text replaced. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Edit } from '../breaks.ts';

const repository = join(import.meta.dirname, '../../..');

export interface BrokenBuild {
  /** What is run. */
  main: string;
  remove(): void;
}

/** Throws where a text is not found exactly once: then the break says nothing of this build. */
export const breakBuild = (edits: readonly Edit[], from = repository): BrokenBuild => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-broken-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    // The service looks for its packages and files beside `dist`.
    for (const name of readdirSync(from))
      if (name !== 'dist' && name !== '.git') symlinkSync(join(from, name), join(folder, name));
    cpSync(join(from, 'dist'), join(folder, 'dist'), { recursive: true });
    for (const edit of edits) apply(join(folder, 'dist'), edit);
  } catch (error) {
    remove();
    throw error;
  }
  return { main: join(folder, 'dist/src/main.js'), remove };
};

const apply = (dist: string, { file, text, instead }: Edit): void => {
  const path = join(dist, file);
  const pieces = readFileSync(path, 'utf8').split(text);
  if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times, not once: ${text}`);
  writeFileSync(path, pieces.join(instead));
};
