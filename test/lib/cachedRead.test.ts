import { expect, it } from 'vitest';
import { cachedRead } from '../../src/lib/cachedRead.ts';

it('reads once for all who ask meanwhile, believes it for a while, and then reads anew', async () => {
  let now = 0;
  let reads = 0;
  let answer: (() => void) | undefined;
  const look = cachedRead(
    () =>
      new Promise<number>((resolve) => {
        reads += 1;
        answer = () => resolve(reads);
      }),
    { forMs: 1_000, now: () => now },
  );
  const asked = [look(), look(), look()];
  answer!();
  expect(await Promise.all(asked)).toEqual([1, 1, 1]);
  now = 999;
  expect(await look()).toBe(1);
  now = 1_000;
  const again = look();
  answer!();
  expect(await again).toBe(2);
});

it('tells a failure to those who wait, and to no others', async () => {
  let fails = true;
  const look = cachedRead(async () => (fails ? Promise.reject(new Error('away')) : 'there'), {
    forMs: 1_000,
    now: () => 0,
  });
  await expect(look()).rejects.toThrow('away');
  fails = false;
  expect(await look()).toBe('there');
});
