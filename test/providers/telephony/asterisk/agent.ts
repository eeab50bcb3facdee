/** Realtime agents, over a WebSocket. */
import { describe, expect, it } from 'vitest';
import { startRealtimeAgent } from '../../../asterisk/agent.ts';
import { aWav, measureWav } from '../../../helpers/wav.ts';
import { type AsteriskBed } from '../asteriskBed.ts';
import { talks } from './numbers.ts';
import { eventually } from '../../../helpers/patience.ts';

export const describeAgents = (bed: () => AsteriskBed): void => {
  describe('a realtime agent', () => {
    it('hears and is heard, and hangs up', async () => {
      const call = bed().aCall(await bed().aNode());
      const agent = await startRealtimeAgent();
      bed().also(agent);
      await call.answered(talks);
      await call.answered('', { leg: 2, to: agent.endpoint, onBehalfOf: 1 });
      expect(agent.key()).toBe('k1');
      await eventually(() => expect(agent.told).toEqual([{ cd_id: 'a_1' }]));
      await call.perform('bridge', { legs: [1, 2] });
      await eventually(() => expect(agent.loudest()).toBeGreaterThan(1000));

      const wanted = { leg: 2, recording: 'voice', scope: 'leg', maxSeconds: 2, beep: false } as const;
      await call.perform('record', wanted);
      // Two seconds at 16 kHz, in pieces that are no whole frames.
      const voice = aWav(4).subarray(44);
      for (let at = 0; at < voice.length; at += 1000) agent.say(voice.subarray(at, at + 1000));
      const { media: id } = await call.heard.until({ type: 'recorded', recording: 'voice' });
      expect(measureWav(await bed().fileOf(String(id))).peak).toBeGreaterThan(1000);

      agent.say({ type: 'transfer', dest2: '11 3000-0000' });
      expect(await call.heard.until({ type: 'transferRequested', leg: 2 })).toMatchObject({
        to: { kind: 'number', number: '551130000000' },
      });
      agent.say({ type: 'dtmf', digits: '42#' });
      await call.heard.until({ type: 'digitsRequested', leg: 2, digits: '42#' });
      agent.say({ type: 'hangup' });
      expect(await call.heard.until({ type: 'hungUp', leg: 2 })).toMatchObject({
        by: 'them',
        outcome: 'normal',
      });
    });

    it('is let go when we hang up', async () => {
      const call = bed().aCall(await bed().aNode());
      const agent = await startRealtimeAgent();
      bed().also(agent);
      await call.answered('', { to: agent.endpoint });
      await call.perform('hangUp', { leg: 1, reason: 'normal' });
      await call.heard.until({ type: 'hungUp', leg: 1 });
      await eventually(() => expect(agent.gone()).toBe(true));
    });

    it('is unreachable when nobody listens at its address', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.dial('', { to: { kind: 'websocket', url: 'ws://127.0.0.1:9/' } });
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'unreachable' });
    });
  });
};
