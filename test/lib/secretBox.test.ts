import { expect, it } from 'vitest';
import { secretBoxOf } from '../../src/lib/secretBox.ts';

const secretBox = secretBoxOf('a secret key', 'profiles');

it('opens what it sealed, and seals the same text differently every time', () => {
  const one = secretBox.seal('hush – ção', 'profile 1/2');
  expect(secretBox.open(one, 'profile 1/2')).toBe('hush – ção');
  expect(secretBox.seal('hush – ção', 'profile 1/2')).not.toBe(one);
  expect(one).not.toContain('hush');
});

it('opens nothing that was moved, changed or cut, or sealed with another key or for another purpose', () => {
  const sealed = secretBox.seal('hush', 'profile 1/2');
  const flipped = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  expect(() => secretBox.open(sealed, 'profile 1/3')).toThrow(RangeError);
  for (const wrong of [flipped, sealed.slice(0, 20), '', 'v0.abc', 'hush'])
    expect(() => secretBox.open(wrong, 'profile 1/2')).toThrow(RangeError);
  expect(() => secretBoxOf('another key', 'profiles').open(sealed, 'profile 1/2')).toThrow(RangeError);
  expect(() => secretBoxOf('a secret key', 'voices').open(sealed, 'profile 1/2')).toThrow(RangeError);
});

it('seals with the first of several keys and opens what any of them sealed', () => {
  const old = secretBoxOf('the old key', 'profiles').seal('hush', 'profile 1/2');
  const both = secretBoxOf('the new key, the old key', 'profiles');
  expect(both.open(old, 'profile 1/2')).toBe('hush');
  const anew = both.reseal(old, 'profile 1/2')!;
  expect(secretBoxOf('the new key', 'profiles').open(anew, 'profile 1/2')).toBe('hush');
  expect(both.reseal(anew, 'profile 1/2')).toBeUndefined();
  expect(() => both.reseal(old, 'profile 1/3')).toThrow(RangeError);
  const third = secretBoxOf('a third key', 'profiles').seal('hush', 'profile 1/2');
  expect(() => both.reseal(third, 'profile 1/2')).toThrow(RangeError);
});
