/** A module that runs as a process of its own hears its parent from its first line: the service must not run it as well. */
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, type SourceFile } from './rooms.ts';
import { files } from './sources.ts';

const fork = /forkSiblingModule\(\s*import\.meta\.url,\s*'(\w+)'/g;

const programsOf = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(fork)].map(([, name]) => join(dirname(path), `${name}.ts`));

/** One sentence for each file that runs what is another process's; types are only read. */
const runHere = (sources: readonly SourceFile[]): string[] => {
  const programs = new Set(sources.flatMap(programsOf));
  return sources.flatMap((file) =>
    importsOf(file)
      .filter(({ target, type }) => !type && programs.has(target))
      .map(({ target }) => `${file.path} runs ${target}`),
  );
};

test('programs of processes of their own are imported by no other module', () => {
  expect(files.flatMap(programsOf).length).toBeGreaterThanOrEqual(4);
  expect(runHere(files)).toEqual([]);
});

test('a module that imports one for a constant is caught, and one that imports its types is not', () => {
  const text = `forkSiblingModule(import.meta.url, 'soundChild');\nimport { names } from './soundChild.ts';`;
  expect(runHere([{ path: 'src/sound/maker.ts', text }])).toEqual([
    'src/sound/maker.ts runs src/sound/soundChild.ts',
  ]);
  const types = text.replace('import {', 'import type {');
  expect(runHere([{ path: 'src/sound/maker.ts', text: types }])).toEqual([]);
});
