import { beforeEach, expect, it } from 'vitest';
import { MachineCountCache } from '../../src/store/machineCountCache.ts';
import { eventually } from '../helpers/patience.ts';

let now: number;
let began: number;
let settle: { resolve(count: number): void; reject(error: Error): void };
let failures: unknown[];
beforeEach(() => {
  [now, began, failures] = [0, 0, []];
});

const counts = (waitMs = 60_000): MachineCountCache<number> =>
  new MachineCountCache({
    count: () => {
      began += 1;
      return new Promise<number>((resolve, reject) => (settle = { resolve, reject }));
    },
    failed: (error) => failures.push(error),
    now: () => now,
    waitMs,
  });

it('counts once for all who ask, and who asks first waits for it', async () => {
  const of = counts();
  const asked = [of.read(10_000), of.read(10_000)];
  settle.resolve(7);
  expect(await Promise.all(asked)).toEqual([7, 7]);
  expect(began).toBe(1);
});

it('answers what was counted last while it counts anew, at most every ten seconds', async () => {
  const of = counts();
  const first = of.read(10_000);
  settle.resolve(7);
  await first;
  now = 9_999;
  expect(await of.read(0)).toBe(7);
  expect(began).toBe(1);
  now = 10_000;
  expect(await of.read(10_000)).toBe(7);
  expect(began).toBe(2);
  settle.resolve(8);
  await eventually(async () => expect(await of.read(10_000)).toBe(8));
});

it('counts the more seldom the longer it takes: a twentieth of the time', async () => {
  const of = counts();
  const first = of.read(10_000);
  now = 3_000;
  settle.resolve(7);
  await first;
  now = 62_999;
  await of.read(10_000);
  expect(began).toBe(1);
  now = 63_000;
  await of.read(10_000);
  expect(began).toBe(2);
});

it('is pending while the first count takes long, and failed after one that did not end, for a while', async () => {
  const of = counts(5);
  expect(await of.read(10_000)).toBe('pending');
  settle.reject(new Error('away'));
  await eventually(async () => expect(await of.read(10_000)).toBe('failed'));
  expect([began, failures.length]).toEqual([1, 1]);
  now = 10_000;
  const again = of.read(10_000);
  settle.resolve(9);
  expect(await again).toBe(9);
});
