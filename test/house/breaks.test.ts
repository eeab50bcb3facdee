/** The breaks of `npm run breaks` keep up with the code: one that applies nowhere any more shows nothing. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../breaks/catalogue.ts';

test('each break has a name of its own and stands exactly once in its file', () => {
  const names = catalogue.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const astray = catalogue.filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2);
  expect(astray.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
});

test('each names tests that are there', () => {
  const named = catalogue.flatMap(({ by }) => by).flatMap((one) => ('tests' in one ? one.tests : []));
  expect(named.filter((file) => !existsSync(`test/${file}.test.ts`))).toEqual([]);
});
