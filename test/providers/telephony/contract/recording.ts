/** Recordings, and what is in them. */
import { describe, expect, it } from 'vitest';
import { measureWav } from '../../../helpers/wav.ts';
import { account, aPrompt, type Scene } from './call.ts';

export const describeRecording = (on: Scene): void => {
  describe('recording', () => {
    it('records what the far end says, and measures it from the file', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.speaks);
      await perform('record', {
        leg: 1,
        recording: 'says',
        scope: 'leg',
        maxSeconds: 2,
        beep: true,
      });
      const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'says' });
      const { seconds, peak } = measureWav(await on.bed.media.read(account, String(recorded.media)));
      expect(recorded.seconds).toBeCloseTo(seconds, 1);
      expect(seconds).toBeGreaterThan(1.5);
      expect(seconds).toBeLessThan(3.5);
      expect(peak).toBeGreaterThan(1000);
    });

    it('records both sides of a call until it is stopped', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await perform('record', {
        leg: 1,
        recording: 'both',
        scope: 'call',
        maxSeconds: 300,
        beep: false,
      });
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await heard.until({ type: 'played', leg: 1, playback: 'p1' });
      await perform('stopRecord', { leg: 1, recording: 'both' });
      const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'both' });
      const { seconds, peak } = measureWav(await on.bed.media.read(account, String(recorded.media)));
      expect(seconds).toBeGreaterThan(0.5);
      expect(peak).toBeGreaterThan(1000);
    });

    it('keeps what was recorded when the leg ends', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await perform('record', {
        leg: 1,
        recording: 'cut',
        scope: 'call',
        maxSeconds: 300,
        beep: false,
      });
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await heard.until({ type: 'played', leg: 1, playback: 'p1' });
      await perform('hangUp', { leg: 1, reason: 'normal' });
      const recorded = await heard.until({ type: 'recorded', leg: 1, recording: 'cut' });
      const { seconds } = measureWav(await on.bed.media.read(account, String(recorded.media)));
      expect(seconds).toBeGreaterThan(0.5);
    });
  });
};
