/** While a journal cannot be written, nothing is taken for written, and nothing is lost. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  aBed,
  canMount,
  aFolder,
  anOwner,
  append,
  type Bed,
  linesOf,
  mounted,
  NOON,
  numbersOf,
  onlyOf,
  upTo,
} from './bed.ts';

const hasMounts = canMount();
const text = 'x'.repeat(5_000);

/** A journal on a disk that is full, and lines that wait. */
const onFullDisk = async (): Promise<{
  bed: Bed;
  waiting: Promise<void>[];
  journal: ReturnType<Bed['open']>;
}> => {
  const bed = aBed(mounted('-t', 'tmpfs', '-o', 'size=256k', 'tmpfs'));
  const journal = bed.open();
  await journal.begin(anOwner(5), NOON);
  const waiting = upTo(100).map((_, index) => append(journal, 0, index + 1, { text }));
  await expect.poll(() => journal.problem).toBeDefined();
  return { bed, waiting, journal };
};

const grow = (directory: string) => execFileSync('mount', ['-o', 'remount,size=8m', directory]);

describe.skipIf(!hasMounts)('a full disk', () => {
  test('is a problem until there is room; lines wait, and are written in their order', async () => {
    const { bed, waiting, journal } = await onFullDisk();
    expect(journal.problem).toBe(`cannot write its journal (ENOSPC, ${join(bed.folder, '5.0001.journal')})`);
    let isWritable = false;
    const writable = journal.writable().then(() => (isWritable = true));
    let settled = 0;
    for (const one of waiting) void one.then(() => (settled += 1));
    await expect.poll(() => bed.said.length).toBe(1);
    expect(settled).toBeLessThan(100);
    expect(isWritable).toBe(false);
    grow(bed.directory);
    await Promise.all([...waiting, writable]);
    expect(journal.problem).toBeUndefined();
    await journal.writable();
    expect(readdirSync(bed.folder)).toEqual(['5.0001.journal']);
    expect(await numbersOf(await onlyOf(bed.open()))).toEqual(upTo(100));
    expect(bed.said.map(({ level }) => level)).toEqual(['error', 'info']);
  });

  test('leaves a journal that others can read meanwhile', async () => {
    const { bed, waiting, journal } = await onFullDisk();
    const kept = await onlyOf(bed.open());
    expect(kept.problem).toBeUndefined();
    expect(await numbersOf(kept)).toEqual(upTo(kept.last.get(0) ?? 0));
    grow(bed.directory);
    await Promise.all(waiting);
    expect(journal.problem).toBeUndefined();
  });

  test('does not hold up the end: what waits is rejected', async () => {
    const { waiting, journal } = await onFullDisk();
    const settled = Promise.allSettled(waiting);
    const writable = journal.writable();
    await journal.close();
    await writable;
    expect((await settled).at(-1)).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('cannot write its journal (ENOSPC') as string },
    });
  });

  test('lets no journal begin, and leaves nothing behind', async () => {
    const bed = aBed(mounted('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs'));
    await bed.open().begin(anOwner(4), NOON);
    try {
      writeFileSync(join(bed.directory, 'filler'), Buffer.alloc(100_000));
    } catch {
      // It is full now.
    }
    await expect(bed.open().begin(anOwner(5), NOON)).rejects.toThrow(
      /^the shard cannot write its journal \(ENOSPC/,
    );
    expect(readdirSync(bed.folder)).toEqual(['4.0001.journal']);
    rmSync(join(bed.directory, 'filler'));
    await bed.open().begin(anOwner(5), NOON);
  });

  test('of which a half line is left does not damage the line that is written when there is room', async () => {
    const { bed, waiting } = await onFullDisk();
    const bytes = readFileSync(join(bed.folder, '5.0001.journal'));
    expect(bytes.at(-1)).not.toBe(10);
    grow(bed.directory);
    await Promise.all(waiting);
    const lines = await linesOf(await onlyOf(bed.open()));
    expect(lines.every((line) => line.text === text)).toBe(true);
  });
});

describe.skipIf(!hasMounts)('a disk that becomes read-only', () => {
  test('is a problem until it can be written again', async () => {
    const bed = aBed();
    const journal = bed.open({ segmentBytes: 1_000 });
    await journal.begin(anOwner(5), NOON);
    await append(journal, 0, 1, { text });
    // Another look at the same folder, through which nothing can be made.
    execFileSync('mount', ['--bind', bed.folder, bed.folder]);
    execFileSync('mount', ['-o', 'remount,ro,bind', bed.folder]);
    const appended = append(journal, 0, 2);
    await expect.poll(() => journal.problem).toContain('cannot write its journal (EROFS, ');
    execFileSync('umount', [bed.folder]);
    await appended;
    expect(await numbersOf(await onlyOf(bed.open()))).toEqual(upTo(2));
  });
});

describe('a folder that was deleted', () => {
  test('is made again, with what the disk did not have yet', async () => {
    const bed = aBed();
    const journal = bed.open({ syncMs: 300_000 });
    await journal.begin(anOwner(5), NOON);
    await append(journal, 0, 1);
    rmSync(bed.folder, { recursive: true });
    await append(journal, 0, 2);
    await journal.close();
    expect(bed.said[0]).toMatchObject({
      level: 'error',
      fields: { path: join(bed.folder, '5.0001.journal') },
    });
    const kept = await onlyOf(bed.open());
    expect(await numbersOf(kept)).toEqual(upTo(2));
  });
});

/** A disk that promises more than it has: what it takes cannot all be brought to it. */
const aLyingDisk = () => {
  const host = mounted('-t', 'tmpfs', '-o', 'size=6m', 'tmpfs');
  if (!host) return undefined;
  const image = join(host, 'image');
  writeFileSync(image, '');
  truncateSync(image, 64_000_000);
  // Its own tables are few, stand from the beginning, and are believed: what is lost is what the journal writes.
  const features = ['-O', '^has_journal,^metadata_csum', '-N', '64', '-E', 'lazy_itable_init=0'];
  try {
    execFileSync('mkfs.ext4', ['-q', ...features, image], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const options = ['-o', 'loop,errors=continue', image];
  const directory = mounted(...options);
  if (!directory) return undefined;
  return {
    directory,
    repair: () => execFileSync('mount', ['-o', 'remount,size=200m', host]),
    mountAnew: () => {
      execFileSync('umount', [directory]);
      execFileSync('mount', [...options, directory]);
    },
  };
};

describe('a disk that loses what it took', () => {
  test('is given it once more, in another segment', async (context) => {
    const disk = aLyingDisk();
    if (!disk) return context.skip();
    const bed = aBed(disk.directory);
    const journal = bed.open({ syncMs: 100 });
    await journal.begin(anOwner(5), NOON);
    const long = 'y'.repeat(100_000);
    await Promise.all(upTo(150).map((_, index) => append(journal, 0, index + 1, { text: long })));
    await expect.poll(() => journal.problem).toMatch(/^cannot write its journal \((EIO|ENOSPC), /);
    const waiting = append(journal, 0, 151, { text: long });
    disk.repair();
    await waiting;
    await journal.close();
    expect(readdirSync(bed.folder).length).toBeGreaterThan(1);
    // As after a power cut: what stands on the disk, and nothing else.
    disk.mountAnew();
    const kept = await onlyOf(bed.open());
    expect(await numbersOf(kept)).toEqual(upTo(151));
    expect(bed.said.map(({ level }) => level)).toEqual(['error', 'info']);
  });
});

test('an unwritable folder is a sentence', async () => {
  const directory = join(aFolder(), 'file');
  writeFileSync(directory, '');
  await expect(aBed(directory).open().begin(anOwner(5), NOON)).rejects.toThrow(
    'cannot write its journal (ENOTDIR, ',
  );
});
