/** How one leg goes, from its dial to its end. */
import { describe, expect, it } from 'vitest';
import { NotRetryable } from '../../../../src/engine/contract/performer.ts';
import { legId } from '../../../../src/providers/contracts/telephony.ts';
import { aPrompt, type Scene } from './call.ts';

export const describeLegs = (on: Scene, { rejects }: { rejects?: string }): void => {
  describe('how a leg goes', () => {
    it('rings, is answered, and ends when we hang up', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await perform('hangUp', { leg: 1, reason: 'normal' });
      const end = await heard.until({ type: 'hungUp', leg: 1 });
      expect(end).toMatchObject({ outcome: 'normal', cause: 16, by: 'us' });
      expect(heard.facts.map((fact) => fact.type)).toEqual(['ringing', 'answered', 'hungUp']);
    });

    it('numbers the facts of a leg in ascending order', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.answers);
      await perform('hangUp', { leg: 1, reason: 'normal' });
      await heard.until({ type: 'hungUp', leg: 1 });
      expect(heard.facts.map((fact) => fact.source)).toEqual(['leg 1', 'leg 1', 'leg 1']);
      const numbers = heard.facts.map((fact) => fact.seq ?? 0);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    });

    it('ends when the far end hangs up', async () => {
      const { heard, answered, perform } = on.call();
      await answered(1, on.bed.numbers.hangsUp);
      await perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        outcome: 'normal',
        by: 'them',
      });
    });

    it('is told busy', async () => {
      const { heard, dial } = on.call();
      await dial(1, on.bed.numbers.busy);
      const end = await heard.until({ type: 'hungUp', leg: 1 });
      expect(end).toMatchObject({ outcome: 'busy', cause: 17, sipStatus: 486 });
    });

    it('rings in vain for as long as we let it', async () => {
      const { heard, dial } = on.call();
      await dial(1, on.bed.numbers.neverAnswers, { ringSeconds: 2 });
      await heard.until({ type: 'ringing', leg: 1 });
      expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        outcome: 'noAnswer',
        cause: 19,
      });
    });

    if (rejects !== undefined)
      it('is rejected', async () => {
        const { heard, dial } = on.call();
        await dial(1, rejects);
        const end = await heard.until({ type: 'hungUp', leg: 1 });
        expect(end).toMatchObject({ outcome: 'declined', cause: 21, sipStatus: 603 });
      });

    it('meets congestion', async () => {
      const { heard, dial } = on.call();
      await dial(1, on.bed.numbers.congestion);
      const end = await heard.until({ type: 'hungUp', leg: 1 });
      expect(end).toMatchObject({ outcome: 'congestion', cause: 34, sipStatus: 503 });
    });

    it('cannot reach the number', async () => {
      const { heard, dial } = on.call();
      await dial(1, on.bed.numbers.unreachable);
      const end = await heard.until({ type: 'hungUp', leg: 1 });
      expect(end).toMatchObject({ outcome: 'unreachable', cause: 1, sipStatus: 404 });
    });

    it('is cancelled when we hang up before the answer', async () => {
      const { heard, dial, perform } = on.call();
      await dial(1, on.bed.numbers.neverAnswers);
      await heard.until({ type: 'ringing', leg: 1 });
      await perform('hangUp', { leg: 1, reason: 'normal' });
      expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        outcome: 'cancelled',
        by: 'us',
      });
    });

    it('is ended by the carrier at its limit, whatever happens to us', async () => {
      const { heard, answered } = on.call();
      await answered(1, on.bed.numbers.answers, { limitSeconds: 4 });
      expect(await heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'normal' });
    });

    it('is dialled once, also when the originate is repeated while it lives', async () => {
      const { heard, machine, answered, dial } = on.call();
      await answered(1, on.bed.numbers.answers);
      const again = dial(1, on.bed.numbers.answers);
      await expect(again).rejects.toBeInstanceOf(NotRetryable);
      await expect(again).rejects.toMatchObject({ reason: 'duplicate' });
      expect(heard.facts.filter((fact) => fact.type === 'answered')).toHaveLength(1);
      expect(await on.bed.dialCount(legId(machine, 1))).toBe(1);
    });

    it('accepts a hang-up of a leg that is gone, and refuses to play on it', async () => {
      const { heard, dial, perform } = on.call();
      await dial(1, on.bed.numbers.busy);
      await heard.until({ type: 'hungUp', leg: 1 });
      await perform('hangUp', { leg: 1, reason: 'normal' });
      const play = perform('play', { leg: 1, playback: 'p1', prompts: aPrompt });
      await expect(play).rejects.toMatchObject({ name: 'NotRetryable', reason: 'gone' });
    });
  });
};
