import { expect, it } from 'vitest';
import { kinds } from '../../machines/index.ts';
import type { Write } from '../../src/engine/store.ts';
import { commitOf } from '../../src/store/sql/commit.ts';

const at = Date.UTC(2026, 10, 20);

/** A write with a bit of everything. `record`: the kind that keeps one. */
const aWrite = (id: number, kind: (typeof kinds)[number], born: boolean, parent: number | null): Write => ({
  ...{ account: 7, id, parent, guard: 1, heard: [9], releases: ['k'] },
  birth: born ? { kind: kind.name, version: 1, createdAt: at } : null,
  row: {
    ...{ revision: 1, state: 's', milestones: '[]', snapshot: '{}', agenda: '[]', wakeAt: null },
    ...{ heldBy: 5, stepId: id, attention: null, endedAt: null },
  },
  history: [{ revision: 1, at, event: 'born', payload: '{}', state: 's', asked: '' }],
  record: kind.record
    ? {
        kind: kind.name,
        born: born ? Object.keys(kind.record.born).map(() => null) : null,
        living: Object.keys(kind.record.living).map(() => null),
      }
    : null,
  tells: [{ account: 7, machine: 1, id: 8, event: '{}', at }],
  claims: [{ key: `k${id}`, until: at, answer: null }],
  bookings: [{ id: 3, account: 7, purse: 'balance', amount: 1, entry: 'refund', at }],
});

it('the largest batch has a name that the server reads to its end, and no other shape has the same', () => {
  const commit = commitOf(kinds);
  const everything = kinds.flatMap((kind, nth) => [
    aWrite(10 * nth + 1, kind, false, null),
    aWrite(10 * nth + 2, kind, true, 10 * nth + 1),
    aWrite(10 * nth + 3, kind, true, 10 * nth + 2),
  ]);
  expect(commit(everything, at).name.length).toBeLessThanOrEqual(63);
  const texts = new Map<string, string>();
  for (let without = 0; without < 2 ** 8; without += 1) {
    const { name, text } = commit(reduced(everything, without), at);
    expect([name, texts.get(name) ?? text]).toEqual([name, text]);
    texts.set(name, text);
  }
  expect(texts.size).toBeGreaterThan(30);
});

/** The batch without what these bits say. */
const reduced = (batch: readonly Write[], without: number): Write[] => {
  const lacks = (bit: number): boolean => (without & (1 << bit)) !== 0;
  return batch
    .filter(({ birth, parent }) => !(lacks(0) && !birth && parent === null) && !(lacks(1) && parent !== null))
    .map((write) => ({
      ...write,
      parent: lacks(2) ? null : write.parent,
      claims: lacks(3) ? [] : write.claims,
      bookings: lacks(4) ? [] : write.bookings,
      heard: lacks(5) ? [] : write.heard,
      tells: lacks(6) ? [] : write.tells,
      record: lacks(7) ? null : write.record,
    }))
    .concat(batch.length > 0 && lacks(0) && lacks(1) ? [batch[1]!] : []);
};
