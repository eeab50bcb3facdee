/** Two legs that are brought together and parted. */
import { describe, expect, it } from 'vitest';
import { measureWav } from '../../../helpers/wav.ts';
import { account, aPrompt, type Scene, type TestCall } from './call.ts';

const bothUp = async ({ answered }: TestCall, first: string, second: string): Promise<void> => {
  await answered(1, first);
  await answered(2, second, { onBehalfOf: 1 });
};

export const describeTwoLegs = (on: Scene): void => {
  describe('two legs', () => {
    it('holds one with music, plays to it, and goes on holding it', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      for (const music of ['music', 'ringing', 'silence'] as const) await perform('hold', { leg: 1, music });
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await expect(heard.until({ type: 'played', leg: 1, playback: 'p1' })).resolves.toBeDefined();
    });

    it('joins them so that one hears the other', async () => {
      const made = on.call();
      await bothUp(made, on.bed.numbers.answers, on.bed.numbers.speaks);
      await made.perform('hold', { leg: 1, music: 'silence' });
      await made.perform('bridge', { legs: [1, 2] });
      await made.perform('record', {
        leg: 1,
        recording: 'talk',
        scope: 'call',
        maxSeconds: 3,
        beep: false,
      });
      const recorded = await made.heard.until({ type: 'recorded', leg: 1, recording: 'talk' });
      const { seconds, peak } = measureWav(await on.bed.media.read(account, String(recorded.media)));
      expect(seconds).toBeGreaterThan(1);
      expect(peak).toBeGreaterThan(1000);
    });

    it('leaves the second up when the first ends', async () => {
      const made = on.call();
      await bothUp(made, on.bed.numbers.answers, on.bed.numbers.answers);
      await made.perform('bridge', { legs: [1, 2] });
      await made.perform('hangUp', { leg: 1, reason: 'normal' });
      await made.heard.until({ type: 'hungUp', leg: 1 });
      await made.perform('play', { leg: 2, playback: 'p1', prompts: aPrompt });
      await expect(made.heard.until({ type: 'played', leg: 2, playback: 'p1' })).resolves.toBeDefined();
    });

    it('parts them and leaves both up', async () => {
      const made = on.call();
      await bothUp(made, on.bed.numbers.answers, on.bed.numbers.answers);
      await made.perform('bridge', { legs: [1, 2] });
      await made.perform('unbridge', { legs: [1, 2] });
      for (const leg of [1, 2]) {
        await made.perform('play', { leg, playback: `p${leg}`, prompts: aPrompt });
        await expect(made.heard.until({ type: 'played', leg, playback: `p${leg}` })).resolves.toBeDefined();
      }
    });
  });
};
