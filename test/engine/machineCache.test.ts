import { expect, test } from 'vitest';
import { CachedMachine, MachineCache } from '../../src/engine/writer/cachedMachine.ts';

const machine = (id: number, phase: CachedMachine['phase'] = 'idle') =>
  Object.assign(new CachedMachine(1, id), { phase });

test('a machine that is read while all others are busy stays: its timer is due', () => {
  const cache = new MachineCache(3);
  for (const id of [1, 2, 3]) cache.add(machine(id, 'held'));
  cache.add(machine(4));
  expect([...cache].map(({ id }) => id)).toContain(4);
});

test('machines that rest are forgotten for it, the oldest first, and busy ones are not', () => {
  const cache = new MachineCache(10);
  cache.add(machine(1, 'writing'));
  for (let id = 2; id <= 11; id++) cache.add(machine(id));
  expect([...cache].map(({ id }) => id).toSorted((one, other) => one - other)).toEqual([
    1, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ]);
});

test('to make room few machines are looked at, however many are busy', () => {
  const cache = new MachineCache(10);
  let looks = 0;
  for (let id = 1; id <= 2_000; id++) {
    const busy = machine(id, 'writing');
    Object.defineProperty(busy, 'isEvictable', { get: () => ((looks += 1), false) });
    cache.add(busy);
  }
  expect(cache.size).toBe(2_000);
  expect(looks).toBeLessThan(2_000 * 50);
});

test('a crowd that was busy at once is forgotten as others come, once it rests', () => {
  const cache = new MachineCache(100);
  const crowd = Array.from({ length: 2_000 }, (_, index) => machine(index + 1, 'writing'));
  for (const one of crowd) cache.add(one);
  for (const one of crowd) one.phase = 'idle';
  for (let id = 2_001; id <= 2_100; id++) cache.add(machine(id));
  expect(cache.size).toBe(100);
});
