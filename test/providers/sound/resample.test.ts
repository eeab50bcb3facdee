import { describe, expect, it } from 'vitest';
import { resample, resampler } from '../../../src/providers/sound/resample.ts';
import { concatenateSamples } from '../../../src/providers/sound/soundStage.ts';

const tone = (hertz: number, rate: number, seconds = 1, level = 16_000) =>
  Int16Array.from({ length: rate * seconds }, (_, n) => level * Math.sin((2 * Math.PI * hertz * n) / rate));

/** How strong one frequency is in the middle of a sound (Goertzel), as an amplitude. */
const strength = (samples: Int16Array, hertz: number, rate: number) => {
  const middle = samples.subarray(samples.length >> 2, (samples.length * 3) >> 2);
  let real = 0;
  let imaginary = 0;
  middle.forEach((sample, n) => {
    real += sample * Math.cos((2 * Math.PI * hertz * n) / rate);
    imaginary += sample * Math.sin((2 * Math.PI * hertz * n) / rate);
  });
  return (2 * Math.hypot(real, imaginary)) / middle.length;
};

const loudest = (samples: Int16Array) =>
  samples.subarray(100, samples.length - 100).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('resampling from 22,050 to 8,000 Hz', () => {
  it.each([200, 440, 1000, 2000, 3000, 3400])('keeps a tone of %i Hz as loud as it was', (hertz) => {
    const result = resample(tone(hertz, 22_050), 22_050, 8000);
    expect(strength(result, hertz, 8000) / 16_000).toBeGreaterThan(0.97);
    expect(strength(result, hertz, 8000) / 16_000).toBeLessThan(1.03);
  });

  it.each([4200, 5000, 7000, 10_000])('takes a tone of %i Hz out instead of folding it back', (hertz) => {
    expect(loudest(resample(tone(hertz, 22_050), 22_050, 8000))).toBeLessThan(32);
  });

  it('keeps the length', () => {
    expect(resample(new Int16Array(22_050 * 3), 22_050, 8000).length).toBe(24_000);
    expect(resample(new Int16Array(0), 22_050, 8000).length).toBe(0);
  });

  it('keeps silence silent and a steady level steady', () => {
    expect(loudest(resample(new Int16Array(22_050), 22_050, 8000))).toBe(0);
    const steady = resample(new Int16Array(22_050).fill(12_345), 22_050, 8000);
    expect(new Set(steady.subarray(100, 7900))).toEqual(new Set([12_345]));
  });

  it('does not wrap around at full level', () => {
    const square = Int16Array.from({ length: 22_050 }, (_, n) => (n % 100 < 50 ? 32_767 : -32_768));
    const result = resample(square, 22_050, 8000);
    for (let n = 101; n < 7900; n++) expect(Math.abs(result[n]! - result[n - 1]!)).toBeLessThan(60_000);
  });
});

describe('resampling', () => {
  it('goes up as well', () => {
    const result = resample(tone(1000, 8000), 8000, 16_000);
    expect(result.length).toBe(16_000);
    expect(strength(result, 1000, 16_000) / 16_000).toBeCloseTo(1, 1);
    expect(strength(result, 7000, 16_000)).toBeLessThan(16);
  });

  it('leaves a sound alone that has the rate already', () => {
    const same = tone(1000, 8000);
    expect(resample(same, 8000, 8000)).toBe(same);
  });
});

describe('sound in parts', () => {
  it.each([
    [44_100, 8000],
    [8000, 16_000],
    [24_000, 8000],
  ])('becomes the same from %d to %d as in one piece', (from, to) => {
    const sound = tone(500, from);
    const stage = resampler(from, to);
    const parts: Int16Array[] = [];
    for (let at = 0; at < sound.length; at += 777) parts.push(stage.push(sound.subarray(at, at + 777)));
    expect(concatenateSamples([...parts, stage.end()])).toEqual(resample(sound, from, to));
  });
});
