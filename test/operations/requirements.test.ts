import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { allPromptContentSlotNumbers } from '../../src/rules/voice/promptSlots.ts';
import { operations } from '../../src/operations/index.ts';
import type { ParamDeclaration } from '../../src/operations/param.ts';

const root = join(import.meta.dirname, '..');

/** Every table beside this file. */
const requirements: Record<string, string> = {};
for (const file of readdirSync(import.meta.dirname)) {
  if (!/^requirements.*\.ts$/.test(file) || file.endsWith('.test.ts')) continue;
  const table = (await import(pathToFileURL(join(import.meta.dirname, file)).href)) as {
    requirements: Record<string, string>;
  };
  Object.assign(requirements, table.requirements);
}

const tests = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.endsWith('requirements.test.ts'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

test('every requirement is cited by a test', () => {
  const uncovered = Object.keys(requirements).filter((id) => !tests.includes(`[${id}]`));
  expect(uncovered).toEqual([]);
});

test('every citation names a requirement', () => {
  const cited = [...tests.matchAll(/\[((?:[2-8]|[2-8]\.\d+|idempotency)\/[^\]$]+)\]/g)].map(([, id]) => id!);
  expect(cited.filter((id) => !(id in requirements))).toEqual([]);
});

test('every declared parameter has a requirement', () => {
  const families = ['text1..11', 'content1..15', 'dtmf..dtmf11', 'placeholders'];
  const inFamily = (name: string) =>
    /^(text|dtmf|cont)\d*$/.test(name) ||
    allPromptContentSlotNumbers.some((n) => name === `content${n}`) ||
    /^(nome|extra\d|cod_cli)$/.test(name);
  const missing = operations.flatMap((op) =>
    Object.values(op.params as Record<string, ParamDeclaration>)
      .map(({ rest }) => rest)
      .filter((name) => !inFamily(name) && !(`${op.section}/${name}` in requirements))
      .map((name) => `${op.section}/${name}`),
  );
  expect(missing).toEqual([]);
  expect(families.every((family) => `4.2/${family}` in requirements)).toBe(true);
});
