/** A connection knows a prepared statement by its name: two texts under one name fail at whichever comes second. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const src = join(import.meta.dirname, '../../src');
const named = [/\bname: '([^']+)',\s*text:/g, /\brows\(\s*'([^']+)',/g];

const names = (readdirSync(src, { recursive: true }) as string[])
  .filter((file) => file.endsWith('.ts') && /^(store|recovery|backup)\//.test(file))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8');
    return named.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => ({ name: name!, file })));
  });

it('every prepared statement has a name of its own', () => {
  const twice = names.filter(({ name }, nth) => names.some((other, at) => at !== nth && other.name === name));
  expect(names.length).toBeGreaterThan(100);
  expect(twice).toEqual([]);
});
