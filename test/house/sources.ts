/** The sources of the house, as its rules read them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from './rooms.ts';

const root = join(import.meta.dirname, '../..');

const under = (folder: string): SourceFile[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('src/generated/'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** All TypeScript of `machines` and `src` that is written by hand. */
export const files: readonly SourceFile[] = [...under('machines'), ...under('src')];
