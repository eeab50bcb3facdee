import { expect, it } from 'vitest';
import { concatenateSamples, type AudioSampleProcessor } from '../../../src/providers/sound/soundStage.ts';
import { audioTimeStretcher } from '../../../src/providers/sound/timeStretch.ts';
import { aTone } from '../../helpers/wav.ts';

const RATE = 16_000;

/** Passes sound through a stage in parts of this many samples. */
const through = (stage: AudioSampleProcessor, sound: Int16Array, part: number): Int16Array => {
  const parts: Int16Array[] = [];
  for (let at = 0; at < sound.length; at += part) parts.push(stage.push(sound.subarray(at, at + part)));
  return concatenateSamples([...parts, stage.end()]);
};

const hertzOf = (sound: Int16Array): number => {
  let rises = 0;
  for (let n = 1; n < sound.length; n++) if (sound[n - 1]! < 0 && sound[n]! >= 0) rises += 1;
  return rises / (sound.length / RATE);
};

/** The quietest peak of any hundredth of a second. */
const quietest = (sound: Int16Array): number => {
  const peaks: number[] = [];
  for (let at = 0; at + 160 <= sound.length; at += 160)
    peaks.push(Math.max(...sound.subarray(at, at + 160).map(Math.abs)));
  return Math.min(...peaks);
};

it.each([0.5, 0.8, 1.25, 2])('takes 1/%d of the time, at the same pitch and without gaps', (speed) => {
  const made = through(audioTimeStretcher(RATE, speed), aTone(4, { hertz: 220, sampleRate: RATE }), 1000);
  expect(made.length).toBe(Math.round((4 * RATE) / speed));
  expect(Math.abs(hertzOf(made) - 220)).toBeLessThan(2);
  // The last frame runs out of sound.
  expect(quietest(made.subarray(0, made.length - RATE / 10))).toBeGreaterThan(6500);
});

it('makes the same of sound in parts as of sound in one piece', () => {
  const sound = aTone(1, { hertz: 300, sampleRate: RATE });
  expect(through(audioTimeStretcher(RATE, 1.3), sound, 37)).toEqual(
    through(audioTimeStretcher(RATE, 1.3), sound, RATE),
  );
});

it('makes nothing of nothing', () => {
  expect(audioTimeStretcher(RATE, 2).end()).toHaveLength(0);
});
