import { expect, it } from 'vitest';
import { lruOf } from '../../src/lib/lru.ts';

it('forgets what was longest unused first, one entry at a time', () => {
  const kept = lruOf<string, number>(3);
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) kept.set(key, value);
  expect(kept.get('a')).toBe(1);
  kept.set('d', 4);
  expect([...kept.keys()].toSorted()).toEqual(['a', 'c', 'd']);
});

it('takes a changed entry as the newest, and counts it once', () => {
  const kept = lruOf<number, string>(2);
  kept.set(1, 'one');
  kept.set(2, 'two');
  kept.set(1, 'uno');
  kept.set(3, 'three');
  expect(Object.fromEntries(kept.entries())).toEqual({ 1: 'uno', 3: 'three' });
});
