/** What a crash leaves of a journal is read; what is missing from it is told. */
import {
  appendFileSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatJournalPositionPrefix, formatSegmentHead } from '../../src/journal/entries.ts';
import { frameJournalLine, type FramedLine } from '../../src/journal/frames.ts';
import { aBed, anOwner, ended, NOON, numbersOf, onlyOf, upTo } from './bed.ts';

const bytesOf = ({ buffers }: FramedLine): Buffer => Buffer.concat(buffers);

const isProcessDead = () => true;

test.each([1, 5, 25, 45])('a last line that lacks %d bytes is passed over, and told of', async (bytes) => {
  const bed = aBed();
  const path = await ended(bed);
  truncateSync(path, readFileSync(path).length - bytes);
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.problem).toBeUndefined();
  expect(kept.last.get(0)).toBe(9);
  expect(await numbersOf(kept)).toEqual(upTo(9));
  expect(bed.said).toMatchObject([{ level: 'warn', fields: { path }, message: /cut short/ }]);
});

test('what a power cut left of a file, zeros at its end, is passed over', async () => {
  const bed = aBed();
  const path = await ended(bed);
  appendFileSync(path, Buffer.alloc(8_192));
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.problem).toBeUndefined();
  expect(await numbersOf(kept)).toEqual(upTo(10));
});

test('a living writer that is at a line is not told of', async () => {
  const bed = aBed();
  const path = await ended(bed);
  truncateSync(path, readFileSync(path).length - 5);
  expect((await onlyOf(bed.open())).last.get(0)).toBe(9);
  expect(bed.said).toEqual([]);
});

/** Changes one byte in the middle of a deed's text. */
const damage = (path: string, number: number): number => {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(`deed 0.${number}\n`);
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.from('D'), 0, 1, at);
  closeSync(fd);
  return bytes.lastIndexOf('\n', at) + 1;
};

test('damage in the middle makes a journal one that cannot be relied on, and is named', async () => {
  const bed = aBed();
  const path = await ended(bed);
  const offset = damage(path, 4);
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.problem).toBe(`the journal is damaged (${path}, at byte ${offset})`);
  expect(kept.last.get(0)).toBe(10);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged', path, offset });
});

test('damage in an earlier segment is found when it is read, and not when it is not needed', async () => {
  const bed = aBed();
  const path = await ended(bed, { last: 100, segmentBytes: 2_000 });
  const offset = damage(path, 4);
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.last.get(0)).toBe(100);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged', path, offset });
  expect(await numbersOf(kept, [[0, 50]])).toEqual(upTo(100, 51));
});

test('a damaged head is named as well', async () => {
  const bed = aBed();
  await ended(bed, { last: 100, segmentBytes: 2_000 });
  const path = join(bed.folder, readdirSync(bed.folder).toSorted().at(-1)!);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill('X', 30, 31));
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.problem).toContain(`${path}, at byte 0`);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged' });
});

test('a segment that is missing in the middle is told of', async () => {
  const bed = aBed();
  await ended(bed, { last: 100, segmentBytes: 2_000 });
  rmSync(join(bed.folder, '5.0002.journal'));
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(kept.problem).toContain(`lacks a segment before ${join(bed.folder, '5.0003.journal')}`);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged' });
  expect(await numbersOf(kept, [[0, 70]])).toEqual(upTo(100, 71));
});

test('a segment that was emptied, the last one too, is told of: it was never there without its head', async () => {
  const bed = aBed();
  await ended(bed);
  const path = join(bed.folder, '5.0002.journal');
  writeFileSync(path, '');
  const kept = await onlyOf(bed.open());
  expect(kept.problem).toContain(path);
  expect(kept.last.get(0)).toBe(10);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged' });
});

test('a journal of a newer release counts, cannot be relied on, and is logged', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(6), NOON);
  await ended(bed);
  writeFileSync(join(bed.folder, '5.0001.journal'), bytesOf(frameJournalLine(['h {"format":2}'])));
  const [five, six] = await journal.kept('shard-1');
  expect(five).toMatchObject({
    isHeadless: true,
    problem: expect.stringContaining('a newer release wrote it'),
  });
  expect(six!.problem).toBeUndefined();
  expect(bed.said).toMatchObject([{ level: 'error', message: /cannot be read/ }]);
});

test('a journal that cannot be read hides no other, and says so', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(6), NOON);
  await ended(bed);
  appendFileSync(
    join(bed.folder, '5.0001.journal'),
    bytesOf(frameJournalLine(['? what a newer release may write'])),
  );
  const [five, six] = await bed.open().kept('shard-1');
  expect(five!.problem).toContain('this is no line of a journal');
  expect([five, six].map((kept) => kept!.owner.incarnation)).toEqual([5, 6]);
  expect(six!.problem).toBeUndefined();
});

test('lines that stand in two segments come once, and heal the first of them', async () => {
  const bed = aBed();
  await ended(bed, { last: 20 });
  // Segments as a sync that failed leaves them: the second holds once more what the first may have lost.
  const head = formatSegmentHead(anOwner(5), {
    last: new Map([[0, 8]]),
    seen: new Set([5]),
    at: NOON,
    era: 7,
  });
  const again = upTo(25, 9).map((_, index) => 9 + index);
  const lines = again.map((number) =>
    bytesOf(
      frameJournalLine([
        formatJournalPositionPrefix({ lane: 0, number, era: 7, position: number }, NOON),
        `deed 0.${number}`,
      ]),
    ),
  );
  writeFileSync(
    join(bed.folder, '5.0002.journal'),
    Buffer.concat([bytesOf(frameJournalLine([head])), ...lines]),
  );
  damage(join(bed.folder, '5.0001.journal'), 11);
  const kept = await onlyOf(bed.open({ isProcessDead }));
  expect(await numbersOf(kept)).toEqual(upTo(25));
  // Less than the second one says was there before it: lines are lost.
  damage(join(bed.folder, '5.0001.journal'), 7);
  await expect(numbersOf(kept)).rejects.toMatchObject({ name: 'JournalDamaged' });
});
