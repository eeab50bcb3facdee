/** Code that our guides print compiles as printed, at the place that it names. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

interface Printed {
  /** As its first line names it. */
  path: string;
  code: string;
}

const printedIn = (page: string): Printed[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)^```/gm)].map(
    ([, path, code]) => ({ path: path!, code: code! }),
  );

/** The printed files in a folder that the compiler lays over the repository. */
const laidOver = (files: readonly Printed[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-printed-'));
  folders.push(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { path, code } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { rootDirs: ['.', root], noEmit: true },
    include: [],
    files: files.map(({ path }) => path),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return folder;
};

test.each(['docs/guides/add-a-provider.md', 'docs/guides/add-an-operation.md'])('%s compiles', (page) => {
  const files = printedIn(page);
  expect(files.map(({ path }) => path)).toHaveLength(2);
  const folder = laidOver(files);
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
});
