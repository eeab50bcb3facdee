/** What is recorded, heard and played. */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { measureWav } from '../../../helpers/wav.ts';
import { type AsteriskBed, type TestCall } from '../asteriskBed.ts';
import { answers, pressesSeven, sendsNoAudio, talks } from './numbers.ts';
import { eventually } from '../../../helpers/patience.ts';

export const describeAudio = (bed: () => AsteriskBed): void => {
  describe('a recording under way', () => {
    it('is brought home by the node that takes the call over', async () => {
      const first = await bed().aNode();
      const before = bed().aCall(first);
      await before.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 3, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      const after = before.on(await bed().aNode());
      await after.perform('adopt', { legs: [1] });
      const { seconds } = await after.heard.until({ type: 'recorded', recording: 'r1' });
      expect(seconds).toBeGreaterThan(2);
    });

    it('begins at once, also while a prompt plays', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.answered(talks);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ silenceMs: 200_000 }] });
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('audio', () => {
    it('sends digits that the far end hears, in order', async () => {
      const app = `far${bed().newId()}`;
      const { url, user, password } = bed().carrier.login;
      const ear = new WebSocket(
        `${url.replace('http', 'ws')}/ari/events?app=${app}&api_key=${user}:${password}`,
      );
      const digits: string[] = [];
      ear.on('message', (data: Buffer) => {
        const event = JSON.parse(data.toString()) as { type: string; digit: string };
        if (event.type === 'ChannelDtmfReceived') digits.push(event.digit);
      });
      await new Promise((resolve) => ear.on('open', resolve));
      const call = bed().aCall(await bed().aNode());
      await call.answered('', {
        to: { kind: 'sip', uri: `sip:far-${app}@127.0.0.1:${5060 + bed().carrier.shift}` },
      });
      await call.perform('sendDigits', { leg: 1, digits: '12#' });
      await eventually(() => expect(digits.join('')).toBe('12#'));
      ear.terminate();
    });

    it('lets a waiting leg hear music and ringing', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.answered(answers);
      for (const music of ['music', 'ringing'] as const) {
        await call.perform('hold', { leg: 1, music });
        const recording = `hears-${music}`;
        const wanted = { leg: 1, recording, scope: 'call', maxSeconds: 2, beep: false } as const;
        await call.perform('record', wanted);
        const { media: id } = await call.heard.until({ type: 'recorded', recording });
        expect(measureWav(await bed().fileOf(String(id))).peak).toBeGreaterThan(1000);
      }
    });

    it('is played to a leg that talks to another', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.answered(answers, { leg: 1 });
      await call.answered(answers, { leg: 2 });
      await call.perform('bridge', { legs: [1, 2] });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('is played to a leg that is just leaving a bridge', async () => {
      const node = await bed().aNode();
      const isHeard = async (call: TestCall, playback: string): Promise<void> => {
        await call.perform('play', { leg: 2, playback, prompts: [{ tone: 'beep' }] });
        await call.heard.until({ type: 'played', playback });
      };
      const parts = async (call: TestCall): Promise<void> => {
        await Promise.all([call.answered(answers, { leg: 1 }), call.answered(answers, { leg: 2 })]);
        for (const round of [1, 2, 3]) {
          await call.perform('bridge', { legs: [1, 2] });
          await Promise.all([call.perform('unbridge', { legs: [1, 2] }), isHeard(call, `p${round}`)]);
        }
        await call.perform('bridge', { legs: [1, 2] });
        await call.perform('hangUp', { leg: 1, reason: 'normal' });
        await call.heard.until({ type: 'hungUp', leg: 1 });
        await isHeard(call, 'last');
      };
      await Promise.all(Array.from({ length: 12 }, () => parts(bed().aCall(node))));
    });

    it('says so when nothing came to record', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.answered(sendsNoAudio);
      const wanted = { leg: 1, recording: 'r1', scope: 'leg', maxSeconds: 2, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recordFailed', recording: 'r1' });
    });

    it('ends a recording on any digit that was named', async () => {
      const call = bed().aCall(await bed().aNode());
      await call.answered(pressesSeven);
      const terms = { scope: 'leg', maxSeconds: 60, beep: false, endOnDigit: '7' } as const;
      await call.perform('record', { leg: 1, recording: 'r1', ...terms });
      await call.heard.until({ type: 'digitReceived', digit: '7' });
      const end = await Promise.race([
        call.heard.until({ type: 'recorded', recording: 'r1' }),
        call.heard.until({ type: 'recordFailed', recording: 'r1' }),
      ]);
      expect(end).toBeDefined();
    });
  });
};
