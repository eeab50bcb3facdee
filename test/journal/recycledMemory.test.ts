/** Bytes that are kept in memory that is used again and again. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeptBytes, RecycledMemory, viewKeptBytes } from '../../src/journal/recycledMemory.ts';

const MEGABYTE = 1024 * 1024;

const bytesOf = (kept: KeptBytes): Buffer => Buffer.concat(viewKeptBytes(kept));

const chunksOf = (kept: KeptBytes): ArrayBufferLike[] => viewKeptBytes(kept).map(({ buffer }) => buffer);

const filled = (bytes: number, value: number): Buffer => Buffer.alloc(bytes, value);

test('what is kept is read as it was, whatever is given back and kept beside it', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 1.5 * MEGABYTE }), { maxLength: 3 });
  const steps = fc.array(fc.oneof(sizes, fc.constant('oldest given back' as const)), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      const memory = new RecycledMemory();
      const held: { kept: KeptBytes; was: Buffer }[] = [];
      for (const [index, step] of all.entries()) {
        if (step === 'oldest given back') {
          const oldest = held.shift();
          if (oldest) memory.release(oldest.kept);
          continue;
        }
        const buffers = step.map((bytes, place) => filled(bytes, (7 * index + place) % 256));
        held.push({ kept: memory.keep(buffers), was: Buffer.concat(buffers) });
        // A caller may use its buffers for something else.
        for (const buffer of buffers) buffer.fill(0);
      }
      return held.every(({ kept, was }) => bytesOf(kept).equals(was));
    }),
    { numRuns: 30 },
  );
});

test('memory that was given back is used again', () => {
  const memory = new RecycledMemory();
  const first = memory.keep([filled(MEGABYTE, 1)]);
  const second = memory.keep([filled(MEGABYTE, 2)]);
  const chunks = new Set([...chunksOf(first), ...chunksOf(second)]);
  expect(chunks.size).toBe(2);
  for (let round = 0; round < 10; round += 1) {
    memory.release(round === 0 ? first : []);
    const next = memory.keep([filled(MEGABYTE, 3)]);
    for (const chunk of chunksOf(next)) chunks.add(chunk);
    memory.release(next);
  }
  expect(chunks.size).toBe(2);
  expect(bytesOf(second).equals(filled(MEGABYTE, 2))).toBe(true);
});

test('a chunk begins anew when all of its bytes were given back', () => {
  const memory = new RecycledMemory();
  const chunks = new Set<ArrayBufferLike>();
  for (let round = 0; round < 10; round += 1) {
    const kept = memory.keep([filled(MEGABYTE / 3, 1)]);
    for (const chunk of chunksOf(kept)) chunks.add(chunk);
    memory.release(kept);
  }
  expect(chunks.size).toBe(1);
});
