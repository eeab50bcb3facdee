/** Old segments take little room, and then none. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/patience.ts';
import { aBed, anOwner, append, type Bed, DAY_MS, linesOf, NOON, numbersOf, onlyOf, upTo } from './bed.ts';

/** A deed a day, from noon to noon, of an incarnation that has ended. */
const days = async (bed: Bed, incarnation: number, count: number): Promise<void> => {
  const journal = bed.open();
  await journal.begin(anOwner(incarnation), NOON);
  for (let day = 0; day < count; day += 1)
    await append(journal, 0, day + 1, { at: NOON + day * DAY_MS, text: `${day} ${'z'.repeat(50_000)}` });
  await journal.close();
};

const dead = (process: string) => process === 'host 5';

test('segments of days before are compressed, and read as before', async () => {
  const bed = aBed();
  await days(bed, 5, 3);
  const before = await linesOf(await onlyOf(bed.open()));
  await bed.open({ isProcessDead: dead }).upkeep(NOON + 2 * DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['5.0001.journal.gz', '5.0002.journal.gz', '5.0003.journal']);
  const path = join(bed.folder, '5.0001.journal.gz');
  expect(statSync(path).size).toBeLessThan(5_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = await onlyOf(bed.open());
  expect(await linesOf(kept)).toEqual(before);
  expect(await numbersOf(kept, [[0, 1]])).toEqual(upTo(3, 2));
});

test('a journal that is compressed to its end still says where that is', async () => {
  const bed = aBed();
  await days(bed, 5, 2);
  const { owner, last, lastAt, seen } = await onlyOf(bed.open());
  const reader = bed.open({ isProcessDead: dead });
  await reader.upkeep(NOON + 2 * DAY_MS);
  expect(readdirSync(bed.folder).every((name) => name.endsWith('.gz'))).toBe(true);
  expect(await onlyOf(reader)).toMatchObject({ owner, last, lastAt, seen });
  expect(await onlyOf(bed.open())).toMatchObject({ owner, last, lastAt, seen });
});

test('segments whose last line is older than some days are deleted', async () => {
  const bed = aBed();
  await days(bed, 5, 5);
  const journal = bed.open({ isProcessDead: dead, keepDays: 2 });
  await journal.upkeep(NOON + 4 * DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['5.0003.journal.gz', '5.0004.journal.gz', '5.0005.journal']);
  expect(await numbersOf(await onlyOf(journal))).toEqual(upTo(5, 3));
  await journal.upkeep(NOON + 9 * DAY_MS);
  expect(readdirSync(bed.folder)).toEqual([]);
});

test('files of the living are left to them, and what is being written is left open', async () => {
  const bed = aBed();
  await days(bed, 6, 3);
  const journal = bed.open({ isProcessDead: dead, keepDays: 1 });
  await journal.begin(anOwner(7), NOON);
  await append(journal, 0, 1);
  await append(journal, 0, 2, { at: NOON + DAY_MS });
  await append(journal, 0, 3, { at: NOON + 2 * DAY_MS });
  await journal.begin(anOwner(8), NOON + 2 * DAY_MS);
  await append(journal, 0, 1, { at: NOON + 2 * DAY_MS });
  const others = ['6.0001.journal', '6.0002.journal', '6.0003.journal'];
  // Its own incarnation of before is brought to the disk first.
  await expect
    .poll(async () => {
      await journal.upkeep(NOON + 9 * DAY_MS);
      return readdirSync(bed.folder);
    })
    .toEqual([...others, '8.0001.journal']);
  await append(journal, 0, 2, { at: NOON + 9 * DAY_MS });
  expect(await numbersOf((await journal.kept('shard-1')).at(-1)!)).toEqual(upTo(2));
});

/** As one of another container, of which it cannot be told whether it has ended. */
const untouchedFor = (bed: Bed, ms: number): void => {
  const time = new Date(Date.now() - ms);
  for (const name of readdirSync(bed.folder)) utimesSync(join(bed.folder, name), time, time);
};

test('files that no process has touched for days are seen to, whoever wrote them', async () => {
  const bed = aBed();
  await days(bed, 6, 5);
  const journal = bed.open({ keepDays: 2 });
  untouchedFor(bed, DAY_MS);
  await journal.upkeep(NOON + 4 * DAY_MS);
  expect(readdirSync(bed.folder)).toHaveLength(5);
  untouchedFor(bed, 3 * DAY_MS);
  await journal.upkeep(NOON + 4 * DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['6.0003.journal.gz', '6.0004.journal.gz', '6.0005.journal']);
  expect(await numbersOf(await onlyOf(journal))).toEqual(upTo(5, 3));
});

test('a process that lives touches its file, however little it has to write', async () => {
  const bed = aBed();
  const idle = bed.open();
  await idle.begin(anOwner(6), NOON);
  await append(idle, 0, 1);
  // What is not on the disk yet is brought there first.
  await eventually(async () => {
    untouchedFor(bed, 3 * DAY_MS);
    await idle.upkeep(NOON + 9 * DAY_MS);
    await bed.open({ keepDays: 2 }).upkeep(NOON + 9 * DAY_MS);
    expect(readdirSync(bed.folder)).toEqual(['6.0001.journal']);
  });
  await append(idle, 0, 2);
  expect(await numbersOf(await onlyOf(bed.open()))).toEqual(upTo(2));
});

test('a segment is compressed without the line that was cut short, and a damaged one is not compressed', async () => {
  const bed = aBed();
  await days(bed, 5, 2);
  const torn = join(bed.folder, '5.0002.journal');
  truncateSync(torn, statSync(torn).size - 10);
  const damaged = join(bed.folder, '5.0001.journal');
  const bytes = readFileSync(damaged);
  writeFileSync(damaged, Buffer.concat([bytes.subarray(0, 1_000), bytes]));
  const journal = bed.open({ isProcessDead: dead });
  await journal.upkeep(NOON + 3 * DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['5.0001.journal', '5.0002.journal.gz']);
  expect((await onlyOf(journal)).last).toEqual(new Map([[0, 1]]));
});

test('a compressed segment that was damaged is told of', async () => {
  const bed = aBed();
  const journal = bed.open({ isProcessDead: dead });
  const writer = bed.open();
  await writer.begin(anOwner(5), NOON);
  const noise = (number: number) => createHash('sha512').update(String(number)).digest('hex');
  for (let number = 1; number <= 1_000; number += 1) await append(writer, 0, number, { text: noise(number) });
  await writer.close();
  await journal.upkeep(NOON + DAY_MS);
  const path = join(bed.folder, '5.0001.journal.gz');
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(50_000) ^ 1, 50_000);
  writeFileSync(path, bytes);
  await expect(numbersOf(await onlyOf(journal))).rejects.toMatchObject({ name: 'JournalDamaged', path });
  truncateSync(path, 50_000);
  await expect(numbersOf(await onlyOf(journal))).rejects.toMatchObject({ name: 'JournalDamaged', path });
});

test('what a process left unfinished is swept away when nobody works on it any more', async () => {
  const bed = aBed();
  await days(bed, 5, 1);
  const [old, fresh] = ['5.0001.journal.gz.part', '6.0001.journal.part'].map((name) =>
    join(bed.folder, name),
  );
  for (const path of [old!, fresh!]) writeFileSync(path, 'half');
  utimesSync(old!, new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));
  const journal = bed.open({ isProcessDead: dead });
  await journal.upkeep(NOON + DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['5.0001.journal', '6.0001.journal.part']);
  await journal.upkeep(NOON + DAY_MS);
  expect(readdirSync(bed.folder)).toEqual(['5.0001.journal.gz', '6.0001.journal.part']);
});

test('calls meanwhile join the one that is under way', async () => {
  const bed = aBed();
  await days(bed, 5, 2);
  const journal = bed.open({ isProcessDead: dead });
  expect(journal.upkeep(NOON + DAY_MS)).toBe(journal.upkeep(NOON + DAY_MS));
  await journal.upkeep(NOON + DAY_MS);
});
