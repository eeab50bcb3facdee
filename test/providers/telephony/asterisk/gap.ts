/** What happens while our connection to Asterisk is cut. */
import { describe, expect, it } from 'vitest';
import { path } from '../../../../src/providers/telephony/asterisk/ariRestClient.ts';
import { type AsteriskBed } from '../asteriskBed.ts';
import { answers, talks } from './numbers.ts';
import { eventually } from '../../../helpers/patience.ts';

export const describeGaps = (bed: () => AsteriskBed): void => {
  describe('a gap in the events', () => {
    it('tells a leg that ended in it as lost, and goes on with one that lives', async () => {
      const wire = await bed().aWire();
      const node = await bed().aNode({ login: { ...bed().carrier.login, url: wire.url } });
      const gone = bed().aCall(node);
      const live = bed().aCall(node);
      await gone.answered(answers);
      await live.answered(answers);
      await wire.cut();
      await bed().ari.ask('DELETE', path`/channels/${gone.channel(1)}`);
      await wire.mend();
      expect(await gone.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        lost: true,
        outcome: 'normal',
      });
      await live.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await live.heard.until({ type: 'played', playback: 'p1' });
    });

    it('keeps a call that was answered in it', async () => {
      const wire = await bed().aWire();
      const node = await bed().aNode({ login: { ...bed().carrier.login, url: wire.url } });
      const call = bed().aCall(node);
      await call.dial(answers);
      await wire.cut();
      await eventually(async () => expect(await bed().channelState(call.channel(1))).toBe('Up'));
      await wire.mend();
      await call.heard.until({ type: 'answered', leg: 1 });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('finds out that a prompt and a recording came to their end in it', async () => {
      const wire = await bed().aWire();
      const node = await bed().aNode({ login: { ...bed().carrier.login, url: wire.url } });
      const call = bed().aCall(node);
      await call.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await wire.cut();
      const name = `ramal.${call.channel(1)}.rec.r1`;
      await eventually(async () =>
        expect((await bed().ari.ask('GET', path`/recordings/stored/${name}`)).status).toBe(200),
      );
      await eventually(async () =>
        expect((await bed().ari.ask('GET', path`/recordings/live/${name}`)).status).toBe(404),
      );
      await wire.mend();
      await call.heard.until({ type: 'played', playback: 'p1' });
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });

    it('refuses to dial while Asterisk is away, says so, and dials again afterwards', async () => {
      const wire = await bed().aWire();
      const node = await bed().aNode({ login: { ...bed().carrier.login, url: wire.url } });
      await wire.cut();
      await eventually(() => expect(node.health().ok).toBe(false));
      expect(node.health().detail).toMatch(/Asterisk is away/);
      await expect(bed().aCall(node).dial(answers)).rejects.toMatchObject({ reason: 'unreachable' });
      await wire.mend();
      await bed().aCall(node).answered(answers);
    });
  });
};
