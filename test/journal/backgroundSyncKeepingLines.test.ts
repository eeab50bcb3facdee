/** What is kept until the disk has it, while syncs are slow. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/engine/contract/ports.ts';
import type { Line } from '../../src/journal/queue.ts';
import type { SegmentWriter } from '../../src/journal/segmentWriter.ts';
import { DelayedDiskSync } from '../../src/journal/backgroundSyncKeepingLines.ts';

const never: Clock['after'] = () => () => {};

/** A segment whose syncs end when they are told to. */
const aSegment = () => {
  const syncs: { end(): void; fail(error: Error): void }[] = [];
  const sync = () => new Promise<void>((end, fail) => void syncs.push({ end, fail }));
  const segment = { path: 'segment', sync, close: async () => {} } as unknown as SegmentWriter;
  return { segment, syncs };
};

const line = (number: number): Line => ({
  ...{ bytes: 10, buffers: [], at: number, position: { lane: 0, number, era: 0 } },
});

const numbersIn = ({ kept }: DelayedDiskSync): number[] => kept.lines.map(({ at }) => at);

const aSyncing = (failed: (error: unknown) => void = () => {}) => {
  const base = { last: new Map<number, number>(), seen: new Set<number>(), at: 0, era: 0 };
  return new DelayedDiskSync({ clock: { after: never } as unknown as Clock, syncMs: 1_000, failed }, base);
};

test('lines that are written while others are synced are kept until a sync of their own', async () => {
  const { segment, syncs } = aSegment();
  const syncing = aSyncing();
  syncing.wrote(segment, [line(1), line(2)]);
  const first = syncing.now();
  syncing.wrote(segment, [line(3)]);
  syncs[0]!.end();
  await first;
  expect(numbersIn(syncing)).toEqual([3]);
  const second = syncing.now();
  await expect.poll(() => syncs.length).toBe(2);
  syncs[1]!.end();
  await second;
  expect(numbersIn(syncing)).toEqual([]);
});

test('a sync that failed keeps all that the disk may not have', async () => {
  const { segment, syncs } = aSegment();
  const failures: unknown[] = [];
  const syncing = aSyncing((error) => failures.push(error));
  syncing.wrote(segment, [line(1)]);
  const first = syncing.now();
  syncing.wrote(segment, [line(2)]);
  syncs[0]!.fail(new Error('the disk is gone'));
  await expect(first).rejects.toThrow('the disk is gone');
  expect([numbersIn(syncing), failures.length]).toEqual([[1, 2], 1]);
});

test('lines are kept with their text, though what they came in is used for something else', async () => {
  const { segment, syncs } = aSegment();
  const syncing = aSyncing();
  const buffers = [Buffer.from('one '), Buffer.from('line\n')];
  syncing.wrote(segment, [{ ...line(1), bytes: 9, buffers }]);
  for (const buffer of buffers) buffer.fill('x');
  const first = syncing.now();
  syncs[0]!.fail(new Error('the disk is gone'));
  await expect(first).rejects.toThrow('the disk is gone');
  const [kept] = syncing.kept.lines;
  expect(Buffer.concat(kept!.buffers as Buffer[]).toString()).toBe('one line\n');
});
