/** What was appended to a journal in files is found there, by its writer and by others. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { aBed, anOwner, append, appendUpTo, DAY_MS, linesOf, NOON, numbersOf, onlyOf, upTo } from './bed.ts';

test('a deed that was appended is read with its place and its text', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  const text = '12 [1,"x"]{"name":"Zoë 😀"}';
  await journal.append([text], { lane: 1, number: 1, era: NOON - 5, position: 2 ** 52 + 1 }, NOON + 3);
  const kept = await onlyOf(bed.open());
  expect(kept.owner).toEqual(anOwner(5));
  expect(kept.lastAt).toBe(NOON + 3);
  expect(kept.last).toEqual(new Map([[1, 1]]));
  expect(await linesOf(kept)).toEqual([{ lane: 1, number: 1, era: NOON - 5, position: 2 ** 52 + 1, text }]);
});

test('lines come in the order in which they were appended, and only those above', async () => {
  const journal = aBed().open();
  await journal.begin(anOwner(5), NOON);
  await Promise.all([
    append(journal, 0, 1),
    append(journal, 1, 1),
    append(journal, 0, 2),
    append(journal, 1, 2),
  ]);
  const kept = await onlyOf(journal);
  expect(await numbersOf(kept)).toEqual(['0.1', '1.1', '0.2', '1.2']);
  expect(await numbersOf(kept, [[0, 1]])).toEqual(['1.1', '0.2', '1.2']);
  expect(
    await numbersOf(kept, [
      [0, 2],
      [1, 9],
    ]),
  ).toEqual([]);
});

test('what was appended in one turn is in the file when the last of it settles', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  const path = join(bed.folder, '5.0001.journal');
  await Promise.all(upTo(500).map((_, index) => append(journal, 0, index + 1)));
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(501);
});

test('a journal is for its owner only', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  expect(statSync(bed.folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(bed.folder, '5.0001.journal')).mode & 0o777).toBe(0o600);
});

test('nothing is appended before a journal has begun, or after it was closed', async () => {
  const journal = aBed().open();
  await expect(append(journal, 0, 1)).rejects.toThrow('not open');
  await journal.begin(anOwner(5), NOON);
  await journal.close();
  await expect(append(journal, 0, 1)).rejects.toThrow('not open');
});

test('whom its owner saw alive stands in it once, however many segments follow', async () => {
  const bed = aBed();
  const journal = bed.open({ segmentBytes: 400 });
  await journal.begin(anOwner(5), NOON);
  journal.saw([5, 6], NOON);
  journal.saw([5, 6, 9], NOON + 1);
  await appendUpTo(journal, 0, 30);
  expect((await onlyOf(journal)).seen).toEqual(new Set([5, 6, 9]));
  expect((await onlyOf(bed.open())).seen).toEqual(new Set([5, 6, 9]));
});

test('segments that have grown long are followed by others, and read as one', async () => {
  const bed = aBed();
  const journal = bed.open({ segmentBytes: 1_000 });
  await journal.begin(anOwner(5), NOON);
  await appendUpTo(journal, 0, 100);
  expect(readdirSync(bed.folder).length).toBeGreaterThan(5);
  const kept = await onlyOf(bed.open());
  expect(kept.last).toEqual(new Map([[0, 100]]));
  expect(await numbersOf(kept)).toEqual(upTo(100));
  expect(await numbersOf(kept, [[0, 63]])).toEqual(upTo(100, 64));
});

test('segments that end below are not even opened', async () => {
  const bed = aBed();
  const journal = bed.open({ segmentBytes: 1_000 });
  await journal.begin(anOwner(5), NOON);
  await appendUpTo(journal, 0, 100);
  const kept = await onlyOf(bed.open());
  writeFileSync(join(bed.folder, '5.0002.journal'), 'no line of a journal');
  expect(await numbersOf(kept, [[0, 90]])).toEqual(upTo(100, 91));
});

test('each day has segments of its own', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  await append(journal, 0, 1, { at: NOON });
  await Promise.all([
    append(journal, 0, 2, { at: NOON + DAY_MS / 2 - 1 }),
    append(journal, 0, 3, { at: NOON + DAY_MS / 2 }),
  ]);
  expect(readdirSync(bed.folder)).toEqual(['5.0001.journal', '5.0002.journal']);
  expect(await numbersOf(await onlyOf(journal))).toEqual(upTo(3));
});

test('a node that joins anew begins another journal, and both are kept', async () => {
  const journal = aBed().open();
  await journal.begin(anOwner(12), NOON);
  await append(journal, 0, 1);
  await journal.begin(anOwner(7), NOON + 1);
  await append(journal, 0, 1, { text: 'of the other' });
  const kept = await journal.kept('shard-1');
  expect(kept.map(({ owner }) => owner.incarnation)).toEqual([7, 12]);
  expect(await linesOf(kept[0]!)).toMatchObject([{ text: 'of the other' }]);
  expect(await numbersOf(kept[1]!)).toEqual(['0.1']);
});

test('what waits for its turn when a node joins anew goes to the journal it was meant for', async () => {
  const journal = aBed().open();
  await journal.begin(anOwner(5), NOON);
  const appended = append(journal, 0, 1);
  await journal.begin(anOwner(6), NOON);
  await appended;
  const [five, six] = await journal.kept('shard-1');
  expect([five!.last.get(0), six!.last.get(0)]).toEqual([1, undefined]);
});

test('an incarnation has one journal', async () => {
  const bed = aBed();
  await bed.open().begin(anOwner(5), NOON);
  await expect(bed.open().begin(anOwner(5), NOON)).rejects.toThrow('cannot write its journal (EEXIST, ');
});

test('journals of another identity, and of other shards, are not told of', async () => {
  const bed = aBed();
  const [one, other, elsewhere] = [bed.open(), bed.open(), bed.open({ shard: 'b' })];
  await one.begin(anOwner(5), NOON);
  await other.begin(anOwner(6, { identity: 'shard-2' }), NOON);
  await elsewhere.begin(anOwner(7, { shard: 'b' }), NOON);
  expect((await onlyOf(one)).owner.incarnation).toBe(5);
  expect((await onlyOf(one, 'shard-2')).owner.incarnation).toBe(6);
});

test('processes that share a folder read what the other has appended until now', async () => {
  const bed = aBed();
  const [one, other] = [bed.open(), bed.open()];
  await one.begin(anOwner(5), NOON);
  await appendUpTo(one, 0, 3);
  expect((await onlyOf(other)).last.get(0)).toBe(3);
  await appendUpTo(one, 0, 9, 4);
  const kept = await onlyOf(other);
  expect(kept.last.get(0)).toBe(9);
  await appendUpTo(one, 0, 12, 10);
  // What was handed out does not change.
  await other.kept('shard-1');
  expect(kept.last.get(0)).toBe(9);
});

test('files of others are left alone, links are not followed, and what bears the name of a journal counts as one', async () => {
  const bed = aBed();
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  await append(journal, 0, 1);
  const victim = join(bed.directory, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(bed.folder, '6.0001.journal'));
  symlinkSync(victim, join(bed.folder, '7.0001.journal.part'));
  symlinkSync(join(bed.folder, '5.0001.journal'), join(bed.folder, '8.0001.journal'));
  writeFileSync(join(bed.folder, '9.0001.journal'), 'not one of ours\n');
  writeFileSync(join(bed.folder, 'notes.txt'), 'nor this');
  const kept = await bed.open().kept('shard-1');
  expect(kept.map(({ owner, problem }) => [owner.incarnation, problem !== undefined])).toEqual([
    ...[
      [5, false],
      [6, true],
      [8, true],
      [9, true],
    ],
  ]);
  await expect(bed.open().begin(anOwner(6), NOON)).rejects.toThrow('EEXIST');
  await bed.open().begin(anOwner(7), NOON);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readFileSync(join(bed.folder, 'notes.txt'), 'utf8')).toBe('nor this');
});

test('a text above 64 MiB is refused, and the next one is appended', async () => {
  const journal = aBed().open();
  await journal.begin(anOwner(5), NOON);
  await expect(append(journal, 0, 1, { text: 'x'.repeat(64 * 1024 * 1024) })).rejects.toThrow(RangeError);
  await append(journal, 0, 1, { text: 'x'.repeat(64 * 1024 * 1024 - 100) });
  expect((await linesOf(await onlyOf(journal))).map(({ text }) => text.length)).toEqual([67_108_764]);
});

/** Appends without an end and prints the number of each that has settled. */
const writer = `
import { openFileJournal } from ${JSON.stringify(join(import.meta.dirname, '../../dist/src/journal/fileJournal.js'))};
const log = { info: () => {}, warn: () => {}, error: () => {} };
const journal = openFileJournal({ directory: process.argv[1], shard: 'a', log, keepDays: 1, isProcessDead: () => false, segmentBytes: 3_000_000 });
await journal.begin(JSON.parse(process.argv[2]), ${NOON});
for (let number = 1; ; number += 5) {
  await Promise.all([0, 1, 2, 3, 4].map(async (more) => {
    await journal.append('x'.repeat(20_000), { lane: 0, number: number + more, era: 0, position: number }, ${NOON});
    process.stdout.write(number + more + '\\n');
  }));
}`;

test('what was appended outlives a process that is killed', async () => {
  const bed = aBed();
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', writer, bed.directory, JSON.stringify(anOwner(5))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let told = 0;
  for await (const line of createInterface(child.stdout)) {
    told = Math.max(told, Number(line));
    if (told >= 400) child.kill('SIGKILL');
  }
  const kept = await onlyOf(bed.open());
  const last = kept.last.get(0)!;
  expect(last).toBeGreaterThanOrEqual(told);
  expect(await numbersOf(kept)).toEqual(upTo(last));
});
