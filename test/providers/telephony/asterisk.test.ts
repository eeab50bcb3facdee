/** What only a real Asterisk can do to us: gaps, takeovers, orphans, and its own surprises. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { dialPatterns } from '../../../src/providers/telephony/asterisk.ts';
import { path } from '../../../src/providers/telephony/asterisk/ari.ts';
import { startRealtimeAgent } from '../../asterisk/agent.ts';
import { lacking, tellsOnFailure } from '../../asterisk/bed.ts';
import { aWav, measureWav } from '../../helpers/wav.ts';
import { type AsteriskBed, startAsteriskBed, type TestCall } from './asteriskBed.ts';

const answers = '551130000000';
const busyFirst = '551130000021';
const talks = '551130000030';
const answersByMachine = '551130000005';
const answersLate = '551130000049';
const sendsNoAudio = '551130000009';
const pressesSeven = '551130000017';
const hangsUp = '551130000006';

const missing = lacking();

describe.skipIf(missing)(`asterisk${missing ? `: ${missing}` : ''}`, { timeout: 40_000 }, () => {
  let bed: AsteriskBed;
  beforeAll(async () => {
    bed = await startAsteriskBed();
  }, 120_000);
  tellsOnFailure(() => bed?.carrier);
  afterEach(() => bed.tidy());
  afterAll(() => bed?.stop());

  describe('a gap in the events', () => {
    it('tells a leg that ended in it as lost, and goes on with one that lives', async () => {
      const wire = await bed.aWire();
      const node = await bed.aNode({ login: { ...bed.carrier.login, url: wire.url } });
      const gone = bed.aCall(node);
      const live = bed.aCall(node);
      await gone.answered(answers);
      await live.answered(answers);
      await wire.cut();
      await bed.ari.ask('DELETE', path`/channels/${gone.channel(1)}`);
      await wire.mend();
      expect(await gone.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        lost: true,
        outcome: 'normal',
      });
      await live.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await live.heard.until({ type: 'played', playback: 'p1' });
    });

    it('keeps a call that was answered in it', async () => {
      const wire = await bed.aWire();
      const node = await bed.aNode({ login: { ...bed.carrier.login, url: wire.url } });
      const call = bed.aCall(node);
      await call.dial(answers);
      await wire.cut();
      await vi.waitFor(async () => expect(await bed.channelState(call.channel(1))).toBe('Up'), 5000);
      await wire.mend();
      await call.heard.until({ type: 'answered', leg: 1 });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('finds out that a prompt and a recording came to their end in it', async () => {
      const wire = await bed.aWire();
      const node = await bed.aNode({ login: { ...bed.carrier.login, url: wire.url } });
      const call = bed.aCall(node);
      await call.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await wire.cut();
      const name = `ramal.${call.channel(1)}.rec.r1`;
      await vi.waitFor(
        async () => expect((await bed.ari.ask('GET', path`/recordings/stored/${name}`)).status).toBe(200),
        10_000,
      );
      await vi.waitFor(
        async () => expect((await bed.ari.ask('GET', path`/recordings/live/${name}`)).status).toBe(404),
        10_000,
      );
      await wire.mend();
      await call.heard.until({ type: 'played', playback: 'p1' });
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });

    it('refuses to dial while Asterisk is away, says so, and dials again afterwards', async () => {
      const wire = await bed.aWire();
      const node = await bed.aNode({ login: { ...bed.carrier.login, url: wire.url } });
      await wire.cut();
      await vi.waitFor(() => expect(node.health().ok).toBe(false), 5000);
      expect(node.health().detail).toMatch(/Asterisk is away/);
      await expect(bed.aCall(node).dial(answers)).rejects.toMatchObject({ reason: 'unreachable' });
      await wire.mend();
      await bed.aCall(node).answered(answers);
    });
  });

  describe('a takeover', () => {
    it('gets the answer of a leg that another node dialled and left ringing', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.dial(answersLate);
      await before.heard.until({ type: 'ringing', leg: 1 });
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      expect(await after.heard.until({ type: 'legFound', leg: 1 })).toMatchObject({ state: 'ringing' });
      await after.heard.until({ type: 'answered', leg: 1 });
      await after.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'p1' });
    });

    it('goes on with the prompts of the node before, and tells when they are over', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(answers);
      const prompts = [{ silenceMs: 2000 }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('plays what is left of the prompts when one ended while nobody listened', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(answers);
      const prompts = [{ media: 'prompt' }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const { body } = await bed.ari.ask('GET', path`/channels/${before.channel(1)}`);
      const playing = (body as { channelvars: { PLAYING: string } }).channelvars.PLAYING;
      const { id } = JSON.parse(playing) as { id: string };
      const playbackStatus = async () => (await bed.ari.ask('GET', path`/playbacks/${id}`)).status;
      await vi.waitFor(async () => expect(await playbackStatus()).toBe(404), 5000);
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
    });

    it('stops what plays for the node before', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(answers);
      await before.perform('play', { leg: 1, playback: 'old', prompts: [{ silenceMs: 200_000 }] });
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('stopPlay', { leg: 1, playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('hears the verdict of a machine detection that another node began', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(answersByMachine);
      await before.perform('detectMachine', { leg: 1 });
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('detectMachine', { leg: 1 });
      expect(await after.heard.until({ type: 'machineDetected' })).toMatchObject({ result: 'machine' });
    });

    it('numbers a digit alike on both nodes when the one before wakes up again', async () => {
      const before = bed.aCall(await bed.aNode());
      await before.answered(pressesSeven);
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'digitReceived', digit: '7' });
      await after.perform('hangUp', { leg: 1, reason: 'normal' });
      await after.heard.until({ type: 'hungUp', leg: 1 });
      expect(after.heard.facts.filter(({ type }) => type === 'digitReceived')).toHaveLength(1);
    });

    it('keeps two bridged legs together, and parts them when asked', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(answers, { leg: 1 });
      await before.answered(answers, { leg: 2 });
      await before.perform('bridge', { legs: [1, 2] });
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1, 2] });
      await after.perform('unbridge', { legs: [1, 2] });
      const { body } = await bed.ari.ask('GET', '/bridges');
      expect(body).toEqual([]);
      expect(await bed.channelState(after.channel(1))).toBe('Up');
      expect(await bed.channelState(after.channel(2))).toBe('Up');
    });

    it('brings home the recording of a leg that ended while nobody listened', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(hangsUp);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 60, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      await vi.waitFor(async () => expect(await bed.channelState(before.channel(1))).toBeUndefined(), 5000);
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'hungUp', lost: true });
      await after.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('a recording under way', () => {
    it('is brought home by the node that takes the call over', async () => {
      const first = await bed.aNode();
      const before = bed.aCall(first);
      await before.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 3, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      const after = before.on(await bed.aNode());
      await after.perform('adopt', { legs: [1] });
      const { seconds } = await after.heard.until({ type: 'recorded', recording: 'r1' });
      expect(seconds).toBeGreaterThan(2);
    });

    it('begins at once, also while a prompt plays', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.answered(talks);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ silenceMs: 200_000 }] });
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('orphans', () => {
    it('ends the legs that no machine owns, and leaves the others', async () => {
      const kept = bed.aCall(await bed.aNode({ node: `k${bed.newId()}` }));
      const lost = bed.aCall(await bed.aNode());
      await kept.answered(answers);
      await lost.answered(answers);
      const machineIds = new Set([kept.heard.machine.id]);
      await bed.stopNodes();
      await bed.aNode({ sweepMs: 200, owns: async (legs) => legs.map(({ id }) => machineIds.has(id)) });
      await vi.waitFor(async () => expect(await bed.channelState(lost.channel(1))).toBeUndefined(), 10_000);
      expect(await bed.channelState(kept.channel(1))).toBe('Up');
    });

    it('leaves the calls of another installation alone', async () => {
      const theirs = bed.aCall(await bed.aNode({ installation: 'other' }));
      const orphan = bed.aCall(await bed.aNode());
      await theirs.answered(answers);
      await orphan.answered(answers);
      const ours = bed.aCall(await bed.aNode({ sweepMs: 1000, owns: async (legs) => legs.map(() => false) }));
      await ours.answered(answers);
      await vi.waitFor(async () => expect(await bed.channelState(orphan.channel(1))).toBeUndefined(), 10_000);
      expect(await bed.channelState(theirs.channel(1))).toBe('Up');
      expect(await bed.channelState(ours.channel(1))).toBe('Up');
    });
  });

  describe('dialling', () => {
    it('refuses a leg that lives, and is not fooled by the same answer for one that could not be made', async () => {
      const first = bed.aCall(await bed.aNode());
      await first.answered(answers);
      const node = await bed.aNode({ dial: { number: 'PJSIP/{number}@carrier', sip: 'PJSIP/nobody/{uri}' } });
      await expect(first.on(node).dial(answers)).rejects.toMatchObject({ reason: 'duplicate' });
      const impossible = bed.aCall(node).dial(answers, { to: { kind: 'sip', uri: 'sip:a@b' } });
      await expect(impossible).rejects.toMatchObject({ reason: 'unreachable' });
      expect(await bed.carrier.dials(first.channel(1))).toBe(1);
    });

    it('takes a carrier that says nothing for unreachable', async () => {
      const node = await bed.aNode({ dial: dialPatterns('PJSIP/{number}@dead') });
      const call = bed.aCall(node);
      await call.dial(answers, { ringSeconds: 2 });
      expect(await call.heard.until({ type: 'hungUp' })).toMatchObject({ outcome: 'unreachable' });
    });

    it('meets a busy callee first and an answer with the next leg', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.dial(busyFirst);
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'busy' });
      await call.answered(busyFirst, { leg: 2 });
    });

    it('does not dial what is no number and no address', async () => {
      const call = bed.aCall(await bed.aNode());
      await expect(call.dial('55&PJSIP/1')).rejects.toMatchObject({ reason: 'unreachable' });
      const inject = call.dial('', { to: { kind: 'sip', uri: 'sip:a@b&PJSIP/1' } });
      await expect(inject).rejects.toMatchObject({ reason: 'unreachable' });
    });
  });

  describe('a realtime agent', () => {
    it('hears and is heard, and hangs up', async () => {
      const call = bed.aCall(await bed.aNode());
      const agent = await startRealtimeAgent();
      bed.also(agent);
      await call.answered(talks);
      await call.answered('', { leg: 2, to: agent.endpoint, onBehalfOf: 1 });
      expect(agent.key()).toBe('k1');
      await vi.waitFor(() => expect(agent.told).toEqual([{ cd_id: 'a_1' }]), 5000);
      await call.perform('bridge', { legs: [1, 2] });
      await vi.waitFor(() => expect(agent.loudest()).toBeGreaterThan(1000), 5000);

      const wanted = { leg: 2, recording: 'voice', scope: 'leg', maxSeconds: 2, beep: false } as const;
      await call.perform('record', wanted);
      // Two seconds at 16 kHz, in pieces that are no whole frames.
      const voice = aWav(4).subarray(44);
      for (let at = 0; at < voice.length; at += 1000) agent.say(voice.subarray(at, at + 1000));
      const { media: id } = await call.heard.until({ type: 'recorded', recording: 'voice' });
      expect(measureWav(await bed.fileOf(String(id))).peak).toBeGreaterThan(1000);

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
      const call = bed.aCall(await bed.aNode());
      const agent = await startRealtimeAgent();
      bed.also(agent);
      await call.answered('', { to: agent.endpoint });
      await call.perform('hangUp', { leg: 1, reason: 'normal' });
      await call.heard.until({ type: 'hungUp', leg: 1 });
      await vi.waitFor(() => expect(agent.gone()).toBe(true), 5000);
    });

    it('is unreachable when nobody listens at its address', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.dial('', { to: { kind: 'websocket', url: 'ws://127.0.0.1:9/' } });
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'unreachable' });
    });
  });

  describe('audio', () => {
    it('sends digits that the far end hears, in order', async () => {
      const app = `far${bed.newId()}`;
      const { url, user, password } = bed.carrier.login;
      const ear = new WebSocket(
        `${url.replace('http', 'ws')}/ari/events?app=${app}&api_key=${user}:${password}`,
      );
      const digits: string[] = [];
      ear.on('message', (data: Buffer) => {
        const event = JSON.parse(data.toString()) as { type: string; digit: string };
        if (event.type === 'ChannelDtmfReceived') digits.push(event.digit);
      });
      await new Promise((resolve) => ear.on('open', resolve));
      const call = bed.aCall(await bed.aNode());
      await call.answered('', {
        to: { kind: 'sip', uri: `sip:far-${app}@127.0.0.1:${5060 + bed.carrier.shift}` },
      });
      await call.perform('sendDigits', { leg: 1, digits: '12#' });
      await vi.waitFor(() => expect(digits.join('')).toBe('12#'), 10_000);
      ear.terminate();
    });

    it('lets a waiting leg hear music and ringing', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.answered(answers);
      for (const music of ['music', 'ringing'] as const) {
        await call.perform('hold', { leg: 1, music });
        const recording = `hears-${music}`;
        const wanted = { leg: 1, recording, scope: 'call', maxSeconds: 2, beep: false } as const;
        await call.perform('record', wanted);
        const { media: id } = await call.heard.until({ type: 'recorded', recording });
        expect(measureWav(await bed.fileOf(String(id))).peak).toBeGreaterThan(1000);
      }
    });

    it('is played to a leg that talks to another', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.answered(answers, { leg: 1 });
      await call.answered(answers, { leg: 2 });
      await call.perform('bridge', { legs: [1, 2] });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('is played to a leg that is just leaving a bridge', async () => {
      const node = await bed.aNode();
      const isHeard = async (call: TestCall, playback: string): Promise<void> => {
        await call.perform('play', { leg: 2, playback, prompts: [{ tone: 'beep' }] });
        await call.heard.until({ type: 'played', playback }, 10_000);
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
      await Promise.all(Array.from({ length: 12 }, () => parts(bed.aCall(node))));
    });

    it('says so when nothing came to record', async () => {
      const call = bed.aCall(await bed.aNode());
      await call.answered(sendsNoAudio);
      const wanted = { leg: 1, recording: 'r1', scope: 'leg', maxSeconds: 2, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recordFailed', recording: 'r1' });
    });

    it('ends a recording on any digit that was named', async () => {
      const call = bed.aCall(await bed.aNode());
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
});
