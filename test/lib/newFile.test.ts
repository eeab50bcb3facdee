import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pipeIntoNewFile } from '../../src/lib/newFile.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ramal-new-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
// oxlint-disable-next-line require-yield
async function* breaking(): AsyncGenerator<Buffer> {
  throw new Error('broke at once');
}

it('has all of it when it settles', async () => {
  const path = join(folder, 'one');
  await pipeIntoNewFile(pieces('a', 'b'), path);
  expect(readFileSync(path, 'utf8')).toBe('ab');
  await expect(pipeIntoNewFile(pieces('c'), path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(path, 'utf8')).toBe('ab');
});

it('makes no file after it has rejected: what is removed then stays removed', async () => {
  const paths = Array.from({ length: 50 }, (_, nth) => join(folder, String(nth)));
  await Promise.all(
    paths.map(async (path) => {
      await expect(pipeIntoNewFile(breaking(), path)).rejects.toThrow('broke at once');
      await rm(path, { force: true });
    }),
  );
  await pipeIntoNewFile(pieces('x'), join(folder, 'last'));
  expect(readdirSync(folder)).toEqual(['last']);
});
