import { describe, expect, it } from 'vitest';
import { LowPriorityQueue } from '../../src/engine/writer/lowPriorityQueue.ts';
import { CachedMachine } from '../../src/engine/writer/cachedMachine.ts';

const some = (count: number): CachedMachine[] =>
  Array.from({ length: count }, (_, id) => new CachedMachine(7, id));
const queueOf = (cache: readonly CachedMachine[], at: (id: number) => number = () => 0): LowPriorityQueue => {
  const patients = new LowPriorityQueue();
  for (const cached of cache) patients.add(cached, at(cached.id));
  return patients;
};
const idsOf = (cache: readonly CachedMachine[]): number[] => cache.map(({ id }) => id);

describe('machines that wait patiently', () => {
  it('take turns in the order they came while there is time, up to a batch that others need not wait long for', () => {
    const patients = queueOf(some(100));
    expect(idsOf(patients.take(1, false, 3))).toEqual([0, 1, 2]);
    expect(idsOf(patients.take(1, false, 750))).toEqual(Array.from({ length: 64 }, (_, n) => n + 3));
    expect(idsOf(patients.take(1, false, 750))).toHaveLength(33);
    expect([patients.size, patients.isDue(1, false)]).toEqual([0, false]);
  });

  it('have a turn four times a second in a busy process', () => {
    const patients = queueOf(some(10));
    expect(idsOf(patients.take(1_000, true, 750))).toEqual([0]);
    expect([patients.isDue(1_249, true), idsOf(patients.take(1_249, true, 750))]).toEqual([false, []]);
    expect(idsOf(patients.take(1_250, true, 750))).toEqual([1]);
  });

  it('have their turn in a busy process when they waited a minute', () => {
    const patients = queueOf(some(10), (id) => id * 1_000);
    expect(idsOf(patients.take(60_950, true, 750))).toEqual([0]);
    expect(idsOf(patients.take(60_960, true, 750))).toEqual([]);
    expect(idsOf(patients.take(63_000, true, 750))).toEqual([1, 2, 3]);
    expect(idsOf(patients.take(90_000, true, 2))).toEqual([4, 5]);
  });

  it('have their turn in a busy process, too, when too many wait', () => {
    const patients = queueOf(some(10_003));
    expect(idsOf(patients.take(1, true, 750))).toEqual([0, 1, 2]);
    expect(patients.size).toBe(10_000);
  });

  it('are called in between when somebody waits for them, and have no second turn', () => {
    const cache = some(3);
    const patients = queueOf(cache);
    cache[1]!.phase = 'ready';
    expect(idsOf(patients.take(1, false, 750))).toEqual([0, 2]);
  });
});
