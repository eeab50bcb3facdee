import { expect, it } from 'vitest';
import { createAudibleRangeFinder } from '../../../src/providers/sound/loudness.ts';
import { concatenateSamples } from '../../../src/providers/sound/soundStage.ts';
import { aTone, someSilence } from '../../helpers/wav.ts';

const heard = (...parts: Int16Array[]) => {
  const listener = createAudibleRangeFinder(8000);
  for (const part of parts) listener.hear(part);
  return listener;
};

it('finds where sound begins and ends, and leaves a twentieth of a second around it', () => {
  const listener = heard(someSilence(1), aTone(2), someSilence(1));
  expect(listener.bounds({ start: true, end: false })).toEqual({ from: 8000 + 1 - 400, to: 32_000 });
  const { from, to } = listener.bounds({ start: true, end: true });
  expect(from).toBe(7601);
  expect(Math.abs(to - (24_000 + 400))).toBeLessThan(20);
  expect(listener.bounds({ start: false, end: true }).from).toBe(0);
});

it('keeps silence between words, and all of it when nobody asks for less', () => {
  const listener = heard(concatenateSamples([aTone(1), someSilence(5), aTone(1)]));
  expect(listener.bounds({ start: true, end: true })).toEqual({ from: 0, to: 56_000 });
  expect(heard(someSilence(2), aTone(1)).bounds({ start: false, end: false })).toEqual({
    from: 0,
    to: 24_000,
  });
});

it('counts a hiss as silence, of which nothing is left', () => {
  const hiss = aTone(3, { level: 100 });
  expect(heard(hiss).bounds({ start: true, end: true })).toEqual({ from: 0, to: 0 });
  expect(heard(hiss).bounds({ start: false, end: false })).toEqual({ from: 0, to: 24_000 });
});
