/** A journal of which no head can be read is there all the same: it is told of, and its lines are used where they are whole. */
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frameJournalLine } from '../../src/journal/frames.ts';
import { aBed, DAY_MS, ended, NOON, numbersOf, onlyOf, upTo } from './bed.ts';

const changed = (path: string, change: (bytes: Buffer) => Buffer): void =>
  writeFileSync(path, change(readFileSync(path)));

test('lines behind a damaged head are read, as long as the head still says how long it is', async () => {
  const bed = aBed();
  const path = await ended(bed);
  changed(path, (bytes) => bytes.fill('X', 30, 31));
  const kept = await onlyOf(bed.open());
  expect(kept).toMatchObject({ isHeadless: true, era: 7, lastAt: NOON });
  expect(kept.owner).toMatchObject({ identity: 'shard-1', incarnation: 5, name: '' });
  expect([...kept.seen]).toEqual([5]);
  expect(kept.problem).toBeUndefined();
  expect(kept.last).toEqual(new Map([[0, 10]]));
  expect(await numbersOf(kept, [[0, 3]])).toEqual(upTo(10, 4));
});

test('a line that was cut short behind a damaged head is passed over as any is', async () => {
  const bed = aBed();
  const path = await ended(bed);
  changed(path, (bytes) => bytes.fill('X', 30, 31).subarray(0, -5));
  const kept = await onlyOf(bed.open());
  expect(kept.problem).toBeUndefined();
  expect(await numbersOf(kept)).toEqual(upTo(9));
});

test.each<[string, (path: string) => void]>([
  ['whose first bytes are zeros', (path) => changed(path, (bytes) => bytes.fill(0, 0, 20))],
  ['whose head and first lines are damaged', (path) => changed(path, (bytes) => bytes.fill(0, 30, 400))],
  ['that was cut off within its head', (path) => truncateSync(path, 60)],
  ['that was emptied', (path) => truncateSync(path, 0)],
  ['that a newer release wrote', (path) => writeFileSync(path, newer())],
])('a journal %s counts, and cannot be relied on', async (_name, harm) => {
  const bed = aBed();
  const path = await ended(bed);
  harm(path);
  const kept = await onlyOf(bed.open());
  expect(kept).toMatchObject({ isHeadless: true, isReachUnknown: true, owner: { incarnation: 5 } });
  expect(kept.problem).toContain(path);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged' });
});

const newer = (): Buffer => Buffer.concat(frameJournalLine(['h {"format":2}']).buffers);

test.each<[string, (path: string) => void]>([
  ['a folder', (path) => mkdirSync(path)],
  ['a link', (path) => symlinkSync(`${path}.away`, path)],
])('so does one in whose place there is %s, which nothing is read from', async (_name, put) => {
  const bed = aBed();
  const path = await ended(bed);
  renameSync(path, `${path}.away`);
  put(path);
  const kept = await onlyOf(bed.open());
  expect(kept).toMatchObject({ isHeadless: true, isReachUnknown: true });
  expect(kept.problem).toContain(path);
});

test('so does a compressed one that was emptied', async () => {
  const bed = aBed();
  const path = await ended(bed);
  await bed.open({ isProcessDead: () => true }).upkeep(NOON + DAY_MS);
  truncateSync(`${path}.gz`, 0);
  expect(await onlyOf(bed.open())).toMatchObject({ isHeadless: true, isReachUnknown: true });
});

test('a last segment that was emptied leaves unknown what the journal reaches', async () => {
  const bed = aBed();
  await ended(bed, { last: 30, segmentBytes: 1_000 });
  const whole = await onlyOf(bed.open());
  expect(whole.last.get(0)).toBe(30);
  const paths = [1, 2, 3, 4, 5].map((segment) => join(bed.folder, `5.000${segment}.journal`));
  const path = paths.findLast((one) => readIfThere(one) !== undefined)!;
  truncateSync(path, 0);
  const kept = await onlyOf(bed.open());
  expect(kept).toMatchObject({ isReachUnknown: true });
  expect(kept.problem).toContain(path);
  expect(kept.isHeadless).toBeUndefined();
});

const readIfThere = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

test('a last segment that cannot be opened leaves that unknown as well', async () => {
  const bed = aBed();
  const path = await ended(bed);
  const second = path.replace('0001', '0002');
  mkdirSync(second);
  const kept = await onlyOf(bed.open());
  expect(kept).toMatchObject({ isReachUnknown: true, owner: { name: 'node' } });
  expect(kept.problem).toContain(second);
});

test('numbers of lines behind damage are known', async () => {
  const bed = aBed();
  const path = await ended(bed);
  changed(path, (bytes) => bytes.fill('D', bytes.indexOf('deed 0.4\n'), bytes.indexOf('deed 0.4\n') + 1));
  const kept = await onlyOf(bed.open());
  expect(kept.problem).toContain(path);
  expect(kept.last.get(0)).toBe(10);
});

test('what a process left that was killed while it made its first file is no journal', async () => {
  const bed = aBed();
  const path = await ended(bed);
  const bytes = readFileSync(path);
  rmSync(path);
  writeFileSync(`${path}.part`, '');
  writeFileSync(join(bed.folder, '6.0001.journal.part'), bytes.subarray(0, 40));
  expect(await bed.open().kept('shard-1')).toEqual([]);
  expect(bed.said).toEqual([]);
});

test('it is logged once, however often it is read', async () => {
  const bed = aBed();
  const path = await ended(bed);
  truncateSync(path, 0);
  const journal = bed.open();
  await journal.kept('shard-1');
  await journal.kept('shard-1');
  expect(bed.said).toMatchObject([{ level: 'error', fields: { path }, message: /cannot be read/ }]);
});
