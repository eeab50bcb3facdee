import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { AppendOnlyLogFile } from '../../src/providers/appendOnlyFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'ramal-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;
let path: string;
beforeEach(() => (path = join(folder, String(made++), 'lines.log')));

const read = () => readFileSync(path, 'utf8');

test('every line stands in the file once its writer hears so, in the order in which they came', async () => {
  const lines = new AppendOnlyLogFile(path);
  await lines.append('a');
  expect(read()).toBe('a');
  await Promise.all(['b', 'c', 'd', 'e', 'f'].map((text) => lines.append(text)));
  expect(read()).toBe('abcdef');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await lines.close();
});

test('several that write one file keep what each of them wrote', async () => {
  const [one, other] = [new AppendOnlyLogFile(path), new AppendOnlyLogFile(path)];
  await Promise.all([one, other, one, other].map((lines, nth) => lines.append(`\n${nth}`)));
  expect(read().split('\n').toSorted().join('')).toBe('0123');
  await Promise.all([one.close(), other.close()]);
});

test('a file that was moved away is begun anew', async () => {
  const lines = new AppendOnlyLogFile(path);
  await lines.append('before');
  renameSync(path, `${path}.1`);
  await lines.append('after');
  expect([read(), readFileSync(`${path}.1`, 'utf8')]).toEqual(['after', 'before']);
  rmSync(join(path, '..'), { recursive: true });
  await lines.append('again');
  expect(read()).toBe('again');
  await lines.close();
});

test('whoever wrote what could not be written hears it, and later lines are written again', async () => {
  const blocked = join(folder, `${made++}`);
  const file = new AppendOnlyLogFile(blocked);
  await file.append('blocks');
  const lines = new AppendOnlyLogFile(join(blocked, 'lines.log'));
  await expect(Promise.all([lines.append('a'), lines.append('b')])).rejects.toThrow(/ENOTDIR|EEXIST/);
  await file.close();
  rmSync(blocked);
  await lines.append('c');
  expect(readFileSync(join(blocked, 'lines.log'), 'utf8')).toBe('c');
  await lines.close();
});

test('closing waits for what is being written', async () => {
  const lines = new AppendOnlyLogFile(path);
  void lines.append('a');
  void lines.append('b');
  await lines.close();
  expect(read()).toBe('ab');
});
