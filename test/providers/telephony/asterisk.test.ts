/** What only a real Asterisk can do to us: gaps, takeovers, orphans, and its own surprises. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { TelephonyEffects } from '../../../machines/vocabulary/telephony.ts';
import { folderMedia } from '../../../src/providers/media/folder.ts';
import type { MediaStore } from '../../../src/providers/media.ts';
import {
  createAsterisk,
  dialPatterns,
  type AsteriskOptions,
} from '../../../src/providers/telephony/asterisk.ts';
import { createAri, path, type Ari } from '../../../src/providers/telephony/asterisk/ari.ts';
import { legId, type Telephony } from '../../../src/providers/telephony.ts';
import { lacking, openMediaDoor, startBed, type Bed } from '../../asterisk/bed.ts';
import { openCutter, type Cutter } from '../../helpers/cutter.ts';
import { aListener, type Heard, type Listener } from '../../helpers/report.ts';
import { aWav, measureWav } from '../../helpers/wav.ts';

const answers = '551130000000';
const busyFirst = '551130000021';
const talks = '551130000030';
const answersByMachine = '551130000005';
const answersLate = '551130000049';
const sendsNoAudio = '551130000009';
const pressesSeven = '551130000017';
const hangsUp = '551130000006';

const missing = lacking();
let lastId = Date.now();

describe.skipIf(missing)(`asterisk${missing ? `: ${missing}` : ''}`, { timeout: 40_000 }, () => {
  let bed: Bed;
  let ari: Ari;
  let folder: string;
  let media: MediaStore;
  let door: Awaited<ReturnType<typeof openMediaDoor>>;
  let listener: Listener;
  const running: { stop(): Promise<void> }[] = [];
  const wires: Cutter[] = [];

  beforeAll(async () => {
    bed = await startBed(2);
    ari = createAri(bed.login);
    folder = await mkdtemp(join(tmpdir(), 'ramal-asterisk-'));
    media = folderMedia(folder);
    door = await openMediaDoor(media);
    listener = aListener(20_000);
    await media.put(7, 'prompt', aWav(1));
  }, 120_000);
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    for (const wire of wires.splice(0)) await wire.close();
    const { body } = await ari.ask('GET', '/channels');
    for (const { id } of body as { id: string }[]) await ari.ask('DELETE', path`/channels/${id}`);
  });
  afterAll(async () => {
    await ari?.close();
    await door?.close();
    await bed?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  /** A node, connected. */
  const aNode = async (options: Partial<AsteriskOptions> = {}): Promise<Telephony> => {
    const node = createAsterisk({
      login: bed.login,
      node: `n${(lastId += 1)}`,
      dial: dialPatterns('PJSIP/{number}@carrier'),
      media,
      mediaUrl: door.url,
      report: listener.report,
      owns: async (legs) => legs.map(() => true),
      log: { warn: () => {} },
      ...options,
    });
    await node.start();
    running.push(node);
    await vi.waitFor(() => expect(node.health().ok).toBe(true), 5000);
    return node;
  };

  const aWire = async (): Promise<Cutter> => {
    const wire = await openCutter(8088 + bed.shift);
    wires.push(wire);
    return wire;
  };

  interface TestCall {
    heard: Heard;
    channel: (leg: number) => string;
    on: (node: Telephony) => TestCall;
    perform: <Name extends keyof TelephonyEffects>(
      name: Name,
      params: TelephonyEffects[Name],
    ) => Promise<void>;
    dial: (number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;
    answered: (number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;
  }

  const aCall = (node: Telephony, id = (lastId += 1)): TestCall => {
    const machine = { shard: 'a', account: 7, id };
    const heard = listener.of(machine);
    const perform: TestCall['perform'] = async (name, params) => {
      const performed = await node.performers[name]({
        id: `a.7.${id}.${(lastId += 1)}.0`,
        name,
        params,
        machine: { ...machine, kind: 'call' },
        attempt: 1,
        seen: { ...heard.seen },
        signal: AbortSignal.timeout(10_000),
      });
      for (const fact of performed?.events ?? []) heard.take(fact);
    };
    const dial: TestCall['dial'] = (number, terms = {}) =>
      perform('originate', {
        leg: 1,
        to: { kind: 'number', number },
        callerId: '1130000000',
        ringSeconds: 20,
        limitSeconds: 300,
        ...terms,
      });
    return {
      heard,
      perform,
      dial,
      channel: (leg) => legId(machine, leg),
      on: (other) => aCall(other, id),
      answered: async (number, terms = {}) => {
        await dial(number, terms);
        await heard.until({ type: 'answered', leg: terms.leg ?? 1 });
      },
    };
  };

  const channelState = async (channel: string): Promise<string | undefined> => {
    const { body } = await ari.ask('GET', path`/channels/${channel}`);
    return (body as { state?: string } | undefined)?.state;
  };

  const fileOf = async (id: string): Promise<Buffer> => {
    const file = await media.open(7, id);
    const chunks: Buffer[] = [];
    for await (const chunk of file!.stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };

  describe('a gap in the events', () => {
    it('tells a leg that ended in it as lost, and goes on with one that lives', async () => {
      const wire = await aWire();
      const node = await aNode({ login: { ...bed.login, url: wire.url } });
      const gone = aCall(node);
      const live = aCall(node);
      await gone.answered(answers);
      await live.answered(answers);
      await wire.cut();
      await ari.ask('DELETE', path`/channels/${gone.channel(1)}`);
      await wire.mend();
      expect(await gone.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({
        lost: true,
        outcome: 'normal',
      });
      await live.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await live.heard.until({ type: 'played', playback: 'p1' });
    });

    it('keeps a call that was answered in it', async () => {
      const wire = await aWire();
      const node = await aNode({ login: { ...bed.login, url: wire.url } });
      const call = aCall(node);
      await call.dial(answers);
      await wire.cut();
      await vi.waitFor(async () => expect(await channelState(call.channel(1))).toBe('Up'), 5000);
      await wire.mend();
      await call.heard.until({ type: 'answered', leg: 1 });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('finds out that a prompt and a recording came to their end in it', async () => {
      const wire = await aWire();
      const node = await aNode({ login: { ...bed.login, url: wire.url } });
      const call = aCall(node);
      await call.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await wire.cut();
      const name = `ramal.${call.channel(1)}.rec.r1`;
      await vi.waitFor(
        async () => expect((await ari.ask('GET', path`/recordings/stored/${name}`)).status).toBe(200),
        10_000,
      );
      await vi.waitFor(
        async () => expect((await ari.ask('GET', path`/recordings/live/${name}`)).status).toBe(404),
        10_000,
      );
      await wire.mend();
      await call.heard.until({ type: 'played', playback: 'p1' });
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });

    it('refuses to dial while Asterisk is away, says so, and dials again afterwards', async () => {
      const wire = await aWire();
      const node = await aNode({ login: { ...bed.login, url: wire.url } });
      await wire.cut();
      await vi.waitFor(() => expect(node.health().ok).toBe(false), 5000);
      expect(node.health().detail).toMatch(/Asterisk is away/);
      await expect(aCall(node).dial(answers)).rejects.toMatchObject({ reason: 'unreachable' });
      await wire.mend();
      await aCall(node).answered(answers);
    });
  });

  describe('a takeover', () => {
    it('gets the answer of a leg that another node dialled and left ringing', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.dial(answersLate);
      await before.heard.until({ type: 'ringing', leg: 1 });
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      expect(await after.heard.until({ type: 'legFound', leg: 1 })).toMatchObject({ state: 'ringing' });
      await after.heard.until({ type: 'answered', leg: 1 });
      await after.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'p1' });
    });

    it('goes on with the prompts of the node before, and tells when they are over', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(answers);
      const prompts = [{ silenceMs: 2000 }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('plays what is left of the prompts when one ended while nobody listened', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(answers);
      const prompts = [{ media: 'prompt' }, { media: 'prompt' }];
      await before.perform('play', { leg: 1, playback: 'old', prompts });
      await first.stop();
      const { body } = await ari.ask('GET', path`/channels/${before.channel(1)}`);
      const playing = (body as { channelvars: { PLAYING: string } }).channelvars.PLAYING;
      const { id } = JSON.parse(playing) as { id: string };
      const playbackStatus = async () => (await ari.ask('GET', path`/playbacks/${id}`)).status;
      await vi.waitFor(async () => expect(await playbackStatus()).toBe(404), 5000);
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      expect(after.heard.facts.some(({ type }) => type === 'played')).toBe(false);
      await after.heard.until({ type: 'played', playback: 'old' });
    });

    it('stops what plays for the node before', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(answers);
      await before.perform('play', { leg: 1, playback: 'old', prompts: [{ silenceMs: 200_000 }] });
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('stopPlay', { leg: 1, playback: 'old' });
      await after.perform('play', { leg: 1, playback: 'new', prompts: [{ media: 'prompt' }] });
      await after.heard.until({ type: 'played', playback: 'new' });
    });

    it('hears the verdict of a machine detection that another node began', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(answersByMachine);
      await before.perform('detectMachine', { leg: 1 });
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      await after.perform('detectMachine', { leg: 1 });
      expect(await after.heard.until({ type: 'machineDetected' })).toMatchObject({ result: 'machine' });
    });

    it('numbers a digit alike on both nodes when the one before wakes up again', async () => {
      const before = aCall(await aNode());
      await before.answered(pressesSeven);
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'digitReceived', digit: '7' });
      await after.perform('hangUp', { leg: 1, reason: 'normal' });
      await after.heard.until({ type: 'hungUp', leg: 1 });
      expect(after.heard.facts.filter(({ type }) => type === 'digitReceived')).toHaveLength(1);
    });

    it('keeps two bridged legs together, and parts them when asked', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(answers, { leg: 1 });
      await before.answered(answers, { leg: 2 });
      await before.perform('bridge', { legs: [1, 2] });
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1, 2] });
      await after.perform('unbridge', { legs: [1, 2] });
      const { body } = await ari.ask('GET', '/bridges');
      expect(body).toEqual([]);
      expect(await channelState(after.channel(1))).toBe('Up');
      expect(await channelState(after.channel(2))).toBe('Up');
    });

    it('brings home the recording of a leg that ended while nobody listened', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(hangsUp);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 60, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      await vi.waitFor(async () => expect(await channelState(before.channel(1))).toBeUndefined(), 5000);
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      await after.heard.until({ type: 'hungUp', lost: true });
      await after.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('a recording under way', () => {
    it('is brought home by the node that takes the call over', async () => {
      const first = await aNode();
      const before = aCall(first);
      await before.answered(talks);
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 3, beep: false } as const;
      await before.perform('record', wanted);
      await first.stop();
      const after = before.on(await aNode());
      await after.perform('adopt', { legs: [1] });
      const { seconds } = await after.heard.until({ type: 'recorded', recording: 'r1' });
      expect(seconds).toBeGreaterThan(2);
    });

    it('begins at once, also while a prompt plays', async () => {
      const call = aCall(await aNode());
      await call.answered(talks);
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ silenceMs: 200_000 }] });
      const wanted = { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 1, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recorded', recording: 'r1' });
    });
  });

  describe('orphans', () => {
    it('ends the legs that no machine owns, and leaves the others', async () => {
      const kept = aCall(await aNode({ node: `k${(lastId += 1)}` }));
      const lost = aCall(await aNode());
      await kept.answered(answers);
      await lost.answered(answers);
      const machineIds = new Set([kept.heard.machine.id]);
      await running.splice(0).reduce((all, node) => all.then(() => node.stop()), Promise.resolve());
      await aNode({ sweepMs: 200, owns: async (legs) => legs.map(({ id }) => machineIds.has(id)) });
      await vi.waitFor(async () => expect(await channelState(lost.channel(1))).toBeUndefined(), 10_000);
      expect(await channelState(kept.channel(1))).toBe('Up');
    });

    it('leaves the calls of another installation alone', async () => {
      const theirs = aCall(await aNode({ installation: 'other' }));
      const orphan = aCall(await aNode());
      await theirs.answered(answers);
      await orphan.answered(answers);
      const ours = aCall(await aNode({ sweepMs: 1000, owns: async (legs) => legs.map(() => false) }));
      await ours.answered(answers);
      await vi.waitFor(async () => expect(await channelState(orphan.channel(1))).toBeUndefined(), 10_000);
      expect(await channelState(theirs.channel(1))).toBe('Up');
      expect(await channelState(ours.channel(1))).toBe('Up');
    });
  });

  describe('dialling', () => {
    it('refuses a leg that lives, and is not fooled by the same answer for one that could not be made', async () => {
      const first = aCall(await aNode());
      await first.answered(answers);
      const node = await aNode({ dial: { number: 'PJSIP/{number}@carrier', sip: 'PJSIP/nobody/{uri}' } });
      await expect(first.on(node).dial(answers)).rejects.toMatchObject({ reason: 'duplicate' });
      const impossible = aCall(node).dial(answers, { to: { kind: 'sip', uri: 'sip:a@b' } });
      await expect(impossible).rejects.toMatchObject({ reason: 'unreachable' });
      expect(await bed.dials(first.channel(1))).toBe(1);
    });

    it('takes a carrier that says nothing for unreachable', async () => {
      const node = await aNode({ dial: dialPatterns('PJSIP/{number}@dead') });
      const call = aCall(node);
      await call.dial(answers, { ringSeconds: 2 });
      expect(await call.heard.until({ type: 'hungUp' })).toMatchObject({ outcome: 'unreachable' });
    });

    it('meets a busy callee first and an answer with the next leg', async () => {
      const call = aCall(await aNode());
      await call.dial(busyFirst);
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'busy' });
      await call.answered(busyFirst, { leg: 2 });
    });

    it('does not dial what is no number and no address', async () => {
      const call = aCall(await aNode());
      await expect(call.dial('55&PJSIP/1')).rejects.toMatchObject({ reason: 'unreachable' });
      const inject = call.dial('', { to: { kind: 'sip', uri: 'sip:a@b&PJSIP/1' } });
      await expect(inject).rejects.toMatchObject({ reason: 'unreachable' });
    });
  });

  describe('a realtime agent', () => {
    /** An agent that keeps what it hears and is told. */
    const anAgent = async () => {
      const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
      const told: Record<string, unknown>[] = [];
      let loudest = 0;
      let socket: WebSocket | undefined;
      let key = '';
      server.on('connection', (mine, request) => {
        socket = mine;
        key = String(request.headers['x-key']);
        mine.on('message', (data: Buffer, isAudio) => {
          if (!isAudio) return told.push(JSON.parse(String(data)) as Record<string, unknown>);
          for (let at = 0; at + 1 < data.length; at += 2)
            loudest = Math.max(loudest, Math.abs(data.readInt16LE(at)));
        });
      });
      await new Promise((resolve) => server.on('listening', resolve));
      const stop = async (): Promise<void> => {
        socket?.terminate();
        server.close();
      };
      running.push({ stop });
      const { port } = server.address() as AddressInfo;
      return {
        endpoint: {
          kind: 'websocket',
          url: `ws://127.0.0.1:${port}/`,
          headers: { 'x-key': 'k1' },
          hello: { cd_id: 'a_1' },
        } as const,
        told,
        key: () => key,
        loudest: () => loudest,
        say: (what: object | Buffer) => socket!.send(Buffer.isBuffer(what) ? what : JSON.stringify(what)),
        gone: () => socket!.readyState !== WebSocket.OPEN,
      };
    };

    it('hears and is heard, and hangs up', async () => {
      const call = aCall(await aNode());
      const agent = await anAgent();
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
      expect(measureWav(await fileOf(String(id))).peak).toBeGreaterThan(1000);

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
      const call = aCall(await aNode());
      const agent = await anAgent();
      await call.answered('', { to: agent.endpoint });
      await call.perform('hangUp', { leg: 1, reason: 'normal' });
      await call.heard.until({ type: 'hungUp', leg: 1 });
      await vi.waitFor(() => expect(agent.gone()).toBe(true), 5000);
    });

    it('is unreachable when nobody listens at its address', async () => {
      const call = aCall(await aNode());
      await call.dial('', { to: { kind: 'websocket', url: 'ws://127.0.0.1:9/' } });
      expect(await call.heard.until({ type: 'hungUp', leg: 1 })).toMatchObject({ outcome: 'unreachable' });
    });
  });

  describe('audio', () => {
    it('sends digits that the far end hears, in order', async () => {
      const app = `far${(lastId += 1)}`;
      const { url, user, password } = bed.login;
      const ear = new WebSocket(
        `${url.replace('http', 'ws')}/ari/events?app=${app}&api_key=${user}:${password}`,
      );
      const digits: string[] = [];
      ear.on('message', (data: Buffer) => {
        const event = JSON.parse(data.toString()) as { type: string; digit: string };
        if (event.type === 'ChannelDtmfReceived') digits.push(event.digit);
      });
      await new Promise((resolve) => ear.on('open', resolve));
      const call = aCall(await aNode());
      await call.answered('', { to: { kind: 'sip', uri: `sip:far-${app}@127.0.0.1:${5060 + bed.shift}` } });
      await call.perform('sendDigits', { leg: 1, digits: '12#' });
      await vi.waitFor(() => expect(digits.join('')).toBe('12#'), 10_000);
      ear.terminate();
    });

    it('lets a waiting leg hear music and ringing', async () => {
      const call = aCall(await aNode());
      await call.answered(answers);
      for (const music of ['music', 'ringing'] as const) {
        await call.perform('hold', { leg: 1, music });
        const recording = `hears-${music}`;
        const wanted = { leg: 1, recording, scope: 'call', maxSeconds: 2, beep: false } as const;
        await call.perform('record', wanted);
        const { media: id } = await call.heard.until({ type: 'recorded', recording });
        expect(measureWav(await fileOf(String(id))).peak).toBeGreaterThan(1000);
      }
    });

    it('is played to a leg that talks to another', async () => {
      const call = aCall(await aNode());
      await call.answered(answers, { leg: 1 });
      await call.answered(answers, { leg: 2 });
      await call.perform('bridge', { legs: [1, 2] });
      await call.perform('play', { leg: 1, playback: 'p1', prompts: [{ media: 'prompt' }] });
      await call.heard.until({ type: 'played', playback: 'p1' });
    });

    it('says so when nothing came to record', async () => {
      const call = aCall(await aNode());
      await call.answered(sendsNoAudio);
      const wanted = { leg: 1, recording: 'r1', scope: 'leg', maxSeconds: 2, beep: false } as const;
      await call.perform('record', wanted);
      await call.heard.until({ type: 'recordFailed', recording: 'r1' });
    });

    it('ends a recording on any digit that was named', async () => {
      const call = aCall(await aNode());
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
