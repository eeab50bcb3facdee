/** Legs whose node is gone: another takes them over, or nobody owns them any more. */
import { describe, expect, it } from 'vitest';
import { path } from '../../../../src/providers/telephony/asterisk/ariRestClient.ts';
import { type AsteriskBed } from '../asteriskBed.ts';
import { answers, answersByMachine, answersLate, hangsUp, pressesSeven } from './numbers.ts';
import { eventually } from '../../../helpers/patience.ts';

export const describeTakeovers = (bed: () => AsteriskBed): void => {
  describe('a takeover', () => {
    it('gets the answer of a leg that another node dialled and left ringing', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.dial(answersLate);
      await before.heard.until({ type: 'ringing', leg: 1 });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      expect(await after.heard.until({ type: 'legFound', leg: 1 })).toMatchObject({ state: 'ringing' });
      await after.heard.until({ type: 'answered', leg: 1 });
      await after.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'p1' });
    });

    it('goes on with the prompts of the node before, and tells when they are over', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answers);
      const prompts = [{ silenceMs: 2000 }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('plays what is left of the prompts when one ended while nobody listened', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answers);
      const prompts = [{ media: 'prompt' }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const { body } = await bed().ari.ask('GET', path`/channels/${before.channel(1)}`);
      const playing = (body as { channelvars: { PLAYING: string } }).channelvars.PLAYING;
      const { id } = JSON.parse(playing) as { id: string };
      const playbackStatus = async () => (await bed().ari.ask('GET', path`/playbacks/${id}`)).status;
      await eventually(async () => expect(await playbackStatus()).toBe(404));
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
    });

    it('stops what plays for the node before', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answers);
      await before.perform('play', { leg: 1, playback: 'old', prompts: [{ silenceMs: 200_000 }] });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('stopPlay', { leg: 1, playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('does not bring back prompts that were stopped', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answers);
      const prompts = [{ silenceMs: 200_000 }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await before.perform('stopPlay', { leg: 1, playback: 'old' });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
      expect(after.heard.facts.filter(({ playback }) => playback === 'old')).toEqual([]);
    });

    it('does not bring back prompts that could not be played', async () => {
      const first = await bed().aNode({ mediaUrl: () => 'http://127.0.0.1:9/none.wav' });
      const before = bed().aCall(first);
      await before.answered(answers);
      const prompts = [{ media: 'prompt' }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await before.heard.until({ type: 'playFailed', playback: 'old' });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
      expect(after.heard.facts.filter(({ type }) => type === 'played')).toHaveLength(1);
    });

    it('hears the verdict of a machine detection that another node began', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answersByMachine);
      await before.perform('detectMachine', { leg: 1 });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('detectMachine', { leg: 1 });
      expect(await after.heard.until({ type: 'machineDetected' })).toMatchObject({ result: 'machine' });
    });

    it('numbers a digit alike on both nodes when the one before wakes up again', async () => {
      const before = bed().aCall(await bed().aNode());
      await before.answered(pressesSeven);
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'digitReceived', digit: '7' });
      await after.perform('hangUp', { leg: 1, reason: 'normal' });
      await after.heard.until({ type: 'hungUp', leg: 1 });
      expect(after.heard.facts.filter(({ type }) => type === 'digitReceived')).toHaveLength(1);
    });

    it('keeps two bridged legs together, and parts them when asked', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(answers, { leg: 1 });
      await before.answered(answers, { leg: 2 });
      await before.perform('bridge', { legs: [1, 2] });
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1, 2] });
      await after.perform('unbridge', { legs: [1, 2] });
      // Asterisk still names a bridge, without legs, for a moment after it let it go.
      await expect.poll(async () => (await bed().ari.ask('GET', '/bridges')).body).toEqual([]);
      expect(await bed().channelState(after.channel(1))).toBe('Up');
      expect(await bed().channelState(after.channel(2))).toBe('Up');
    });

    it('brings home the recording of a leg that ended while nobody listened', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(hangsUp);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 60, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      await eventually(async () => expect(await bed().channelState(before.channel(1))).toBeUndefined());
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'hungUp', lost: true });
      await after.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('orphans', () => {
    it('ends the legs that no machine owns, and leaves the others', async () => {
      const kept = bed().aCall(await bed().aNode({ node: `k${bed().newId()}` }));
      const lost = bed().aCall(await bed().aNode());
      await kept.answered(answers);
      await lost.answered(answers);
      const machineIds = new Set([kept.heard.machine.id]);
      await bed().stopNodes();
      await bed().aNode({ sweepMs: 200, owns: async (legs) => legs.map(({ id }) => machineIds.has(id)) });
      await eventually(async () => expect(await bed().channelState(lost.channel(1))).toBeUndefined());
      expect(await bed().channelState(kept.channel(1))).toBe('Up');
    });

    it('leaves the calls of another installation alone', async () => {
      const theirs = bed().aCall(await bed().aNode({ installation: 'other' }));
      const orphan = bed().aCall(await bed().aNode());
      await theirs.answered(answers);
      await orphan.answered(answers);
      const ours = bed().aCall(
        await bed().aNode({ sweepMs: 1000, owns: async (legs) => legs.map(() => false) }),
      );
      await ours.answered(answers);
      await eventually(async () => expect(await bed().channelState(orphan.channel(1))).toBeUndefined());
      expect(await bed().channelState(theirs.channel(1))).toBe('Up');
      expect(await bed().channelState(ours.channel(1))).toBe('Up');
    });
  });
};
