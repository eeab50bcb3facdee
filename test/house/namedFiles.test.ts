/** A file that a page or a comment names by its path, or by the end of it, is there. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { SourceFile } from './rooms.ts';

const root = join(import.meta.dirname, '../..');
const skipped = /^(node_modules|dist|data|coverage|\.git|generated|\.cache)$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.test(entry.name) ? [] : filesBelow(path);
    return [relative(root, path)];
  });

const paths = filesBelow(root);
const text = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** What stands elsewhere than in this tree: former names, a reader's own file, what the generator of the client writes. */
const elsewhere: Record<string, RegExp> = {
  'CHANGELOG.md': /./,
  'docs/guides/engine.md': /^doorbell\.ts$/,
  'test/house/docs.test.ts': /^src\/gone\.ts$/,
  'test/house/namedFiles.test.ts': /^rest\/door\.ts$/,
};

/** Of a released chart `x.2.ts` is the next version, which examples name. */
const namesIn = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/`([\w/-][\w./-]*\.tsx?)`/g)]
    .map(([, name]) => name!)
    .filter((name) => !/\.\d\.ts$/.test(name));

const isThere = (name: string): boolean => paths.some((path) => path === name || path.endsWith(`/${name}`));

const gone = (file: SourceFile): string[] =>
  namesIn(file)
    .filter((name) => !isThere(name) && !elsewhere[file.path]?.test(name))
    .map((name) => `${file.path}: ${name}`);

test('files that pages and comments name are there', () => {
  const texts = paths.filter((path) => /\.(tsx?|md|prisma|jsonc)$/.test(path)).map(text);
  expect(texts.flatMap(namesIn).length).toBeGreaterThan(400);
  expect(texts.flatMap(gone)).toEqual([]);
});

test('a name that no file has is found, with the page that says it', () => {
  expect(gone({ path: 'src/README.md', text: 'see `rest/endpoint.ts` and `rest/door.ts`' })).toEqual([
    'src/README.md: rest/door.ts',
  ]);
});
