import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataFolder } from '../../src/compose/dataFolder.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'ramal-data-folder-'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('is made with all above it, for its owner only, and found again', () => {
  const folder = join(place, 'deep', 'data');
  prepareDataFolder(folder);
  prepareDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('what stands in its place is named', () => {
  const file = join(place, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataFolder(file)).toThrow(`DATA_DIR ${file} cannot be used: EEXIST`);
  expect(() => prepareDataFolder(join(file, 'data'))).toThrow(/^DATA_DIR \S+ cannot be used: ENOTDIR/);
});

test.runIf(process.platform === 'linux')(
  'where nothing can be made the start ends, and does not hang',
  () => {
    expect(() => prepareDataFolder('/proc/ramal')).toThrow('DATA_DIR /proc/ramal cannot be used: ENOENT');
  },
);
