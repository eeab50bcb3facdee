/** Legs that outlive the process that dialled them. */
import { describe, expect, it } from 'vitest';
import { legId } from '../../../../src/providers/contracts/telephony.ts';
import { aPrompt, type Scene } from './call.ts';

export const describeTakeover = (on: Scene): void => {
  describe('when another process takes over', () => {
    it('goes on with live legs and says which are gone', async () => {
      const first = await on.another();
      const before = on.callOn(first);
      await before.answered(1, on.bed.numbers.answers);
      await before.answered(2, on.bed.numbers.answers);
      await first.abandon();

      const second = await on.another();
      const after = before.on(second);
      on.ends(after);
      await after.perform('hangUp', { leg: 2, reason: 'normal' });
      await after.perform('adopt', { legs: [1, 2, 3] });

      expect(await after.heard.until({ type: 'legFound', leg: 1 })).toMatchObject({
        state: 'up',
      });
      await after.heard.until({ type: 'hungUp', leg: 2 });
      await after.heard.until({ type: 'hungUp', leg: 3, lost: true });
      await after.perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await after.heard.until({ type: 'played', leg: 1, playback: 'p1' });
      await after.perform('hangUp', { leg: 1, reason: 'normal' });
      await after.heard.until({ type: 'hungUp', leg: 1 });
      expect(await on.bed.dialCount(legId(after.machine, 1))).toBe(1);
    });

    it('hears the end of a leg that was still ringing', async () => {
      const first = await on.another();
      const before = on.callOn(first);
      await before.dial(1, on.bed.numbers.neverAnswers, { ringSeconds: 60 });
      await before.heard.until({ type: 'ringing', leg: 1 });
      await first.abandon();

      const after = before.on(await on.another());
      on.ends(after);
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'legFound', leg: 1 });
      await after.perform('hangUp', { leg: 1, reason: 'normal' });
      expect(await after.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        outcome: 'cancelled',
      });
    });

    it('looks up a leg: found when it lives, lost when it was never made', async () => {
      const { heard, answered, perform } = on.call();
      await perform('lookUp', { leg: 2 });
      await heard.until({ type: 'hungUp', leg: 2, lost: true });
      await answered(1, on.bed.numbers.answers);
      await perform('lookUp', { leg: 1 });
      expect(await heard.until({ type: 'legFound', leg: 1 })).toMatchObject({ state: 'up' });
    });
  });
};
