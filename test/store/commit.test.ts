import { expect, it } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { createCommitStatementBuilder } from '../../src/store/sql/commit.ts';
import { aBitOfEverything, at } from './writes.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

it('the largest batch has a name that the server reads to its end, and no other shape has the same', () => {
  const commit = createCommitStatementBuilder(machineKinds);
  const everything = aBitOfEverything();
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
const reduced = (batch: readonly MachineWrite[], without: number): MachineWrite[] => {
  const lacks = (bit: number): boolean => (without & (1 << bit)) !== 0;
  return batch
    .filter(
      ({ insert: birth, parent }) =>
        !(lacks(0) && !birth && parent === null) && !(lacks(1) && parent !== null),
    )
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
