import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generated } from '../../docs/tools/generated.ts';
import { brokenLinks, missingFiles } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const skipped = ['node_modules', 'dist', 'data', 'coverage', '.git', '.cache', '.tmp', 'generated'];

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const pages = pagesBelow('.').map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const exists = (path: string) => existsSync(join(root, path));
/** Folders that running something makes. */
const made = ['src/generated', 'test/asterisk/.cache', 'test/bench/results'];
const isMade = (path: string) => made.some((folder) => path.startsWith(folder));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(generated())('$path says what the code says; `npm run docs` makes it anew', ({ path, content }) => {
  expect(read(path)).toBe(content);
});

test.each(['docs/operations', 'docs/admin', 'docs/collections', 'docs/machines'])(
  'nothing is left over in %s from what is gone',
  (folder) => {
    const wanted = generated().map(({ path }) => path);
    const standing = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
    expect(standing.filter((path) => !wanted.includes(path))).toEqual([]);
  },
);

test('every link between pages leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.flatMap((page) => brokenLinks(page, exists, read))).toEqual([]);
});

test('every file that a page names is there', () => {
  expect(pages.flatMap((page) => missingFiles(page, (path) => isMade(path) || exists(path)))).toEqual([]);
});

test('every decision is in the index', () => {
  const index = read('docs/decisions/README.md');
  const records = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
  expect(records.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test('every page is in the list of all pages, or in an index that stands there', () => {
  const list = read('docs/README.md');
  const indexed = ['decisions', 'operations', 'admin'].filter((folder) =>
    list.includes(`(${folder}/README.md)`),
  );
  const own = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
  const isListed = (path: string) => {
    const [, folder = '', name] = path.split('/');
    return indexed.includes(folder)
      ? name === 'README.md' || read(`docs/${folder}/README.md`).includes(`(${name})`)
      : list.includes(`(${path.slice('docs/'.length)})`);
  };
  expect(own.filter((path) => !isListed(path))).toEqual([]);
});

test('every setting is in the table of the README', () => {
  const table = read('README.md');
  const settings = [...read('src/config.ts').matchAll(/(?:optional|or|required)\('([A-Z_]+)'/g)].map(
    ([, name]) => name!,
  );
  expect(settings.length).toBeGreaterThan(20);
  expect(settings.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

describe('the reader of pages', () => {
  const files: Record<string, string> = { 'docs/a.md': '# One\n\n## Two & three\n', 'src/main.ts': '' };
  const has = (path: string) => path in files || Object.keys(files).some((file) => dirname(file) === path);
  const links = (text: string) => brokenLinks({ path: 'docs/b.md', text }, has, (path) => files[path]!);

  test('follows files, folders and headings', () => {
    expect(
      links('[a](a.md) [b](a.md#two--three) [c](../src) [d](#here) [e](https://example.org/)\n# Here'),
    ).toEqual([]);
  });

  test('names what leads nowhere', () => {
    expect(links('[a](none.md) [b](a.md#four) [c](#there)')).toEqual([
      'docs/b.md: none.md',
      'docs/b.md: a.md#four',
      'docs/b.md: #there',
    ]);
  });

  test('passes over what only looks like a link', () => {
    expect(links('```\n[a](none.md)\n```\n`[b](none.md)`')).toEqual([]);
  });

  test('knows files by their folder, and leaves patterns alone', () => {
    const named = missingFiles(
      { path: 'README.md', text: '`src/main.ts` `src/gone.ts` `src/<name>.ts`' },
      has,
    );
    expect(named).toEqual(['README.md: src/gone.ts']);
  });
});
