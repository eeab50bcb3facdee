/** What is heard on a leg, from both sides. */
import { describe, expect, it } from 'vitest';
import { aPrompt, prompt, type Scene } from './call.ts';

const longSilence = [{ silenceMs: 300_000 }];

export const describeHearing = (on: Scene): void => {
  describe('what is heard on a leg', () => {
    it('plays prompts in order and says when they are over', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      const prompts = [{ media: prompt }, { silenceMs: 200 }, { tone: 'beep' as const }];
      await perform('play', { leg: 1, playback: 'first', prompts });
      await perform('play', { leg: 1, playback: 'second', prompts: aPrompt });
      await heard.until({ type: 'played', leg: 1, playback: 'second' });
      const played = heard.facts.filter((fact) => fact.type === 'played').map((fact) => fact.playback);
      expect(played).toEqual(['first', 'second']);
    });

    it('says so when a prompt cannot be played', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await perform('play', {
        leg: 1,
        playback: 'p1',
        prompts: [{ media: 'nowhere-to-be-found' }],
      });
      await expect(heard.until({ type: 'playFailed', leg: 1, playback: 'p1' })).resolves.toBeDefined();
    });

    it('stops a playback', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      // As soon as it is taken: whether it has begun by then is chance.
      for (let nth = 0; nth < 20; nth++) {
        await perform('play', { leg: 1, playback: `long ${nth}`, prompts: longSilence });
        await perform('stopPlay', { leg: 1, playback: `long ${nth}` });
      }
      await perform('play', { leg: 1, playback: 'short', prompts: aPrompt });
      await expect(heard.until({ type: 'played', leg: 1, playback: 'short' })).resolves.toBeDefined();
    });

    it('hears the digits that are pressed', async () => {
      const { number, digits } = on.bed.numbers.presses;
      const { heard, answered, perform } = on.call();
      await answered(1, number);
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      expect(await heard.until({ type: 'digitReceived', leg: 1 })).toMatchObject({
        digit: digits[0],
      });
    });

    it('sends digits to the far end', async () => {
      const { answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await expect(perform('sendDigits', { leg: 1, digits: '12#' })).resolves.toBeUndefined();
    });

    it('takes a person for a person', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.human);
      await perform('detectMachine', { leg: 1 });
      expect(await heard.until({ type: 'machineDetected', leg: 1 })).toMatchObject({
        result: 'human',
      });
    });

    it('takes a machine for a machine, and can play to it', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.machine);
      await perform('detectMachine', { leg: 1 });
      expect(await heard.until({ type: 'machineDetected', leg: 1 })).toMatchObject({
        result: 'machine',
      });
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await expect(heard.until({ type: 'played', leg: 1, playback: 'p1' })).resolves.toBeDefined();
    });
  });
};
