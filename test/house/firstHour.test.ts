/** The page of what was found in the first hour: each finding has its answers, and tests that there are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/first-hour.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (typed|measured) \|/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

test('each row says what was typed, both answers, and its tests', () => {
  expect(rows.length).toBeGreaterThan(85);
  expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
});

test('each test that a row names is there, and each row names one', () => {
  const testsOf = (cells: string[]): string[] =>
    cells[3]!.match(/(?:test\/[\w./-]+\.test\.ts|\.ci\/\w+)/g) ?? [];
  expect(rows.filter((cells) => testsOf(cells).length === 0)).toEqual([]);
  expect(rows.flatMap(testsOf).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
