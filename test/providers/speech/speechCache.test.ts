import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SpeechSynthesisEvent } from '../../../machines/contracts/speech.ts';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import type { MediaStore } from '../../../src/providers/contracts/media.ts';
import { Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';
import { openSpeechCache } from '../../../src/providers/speech/speechCache.ts';
import type { Synthesizer } from '../../../src/providers/contracts/speech.ts';
import type { SpeechCacheOptions } from '../../../src/providers/speech/speechCache.ts';
import { espeakSynthesizer } from '../../../src/providers/speech/espeak.ts';
import { googleSynthesizer } from '../../../src/providers/speech/google.ts';
import { readWav } from '../../../src/providers/sound/wav.ts';
import { fakeKey, refuse, secondsPerCharacter, startFakeGoogle } from './google/fake.ts';

const espeak = espeakSynthesizer();
afterAll(() => espeak.stop());

let folder: string;
let media: MediaStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-speech-'));
  media = folderMediaStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The real synthesizer, with an ear on what it is asked for. */
const aCache = async (options: Partial<SpeechCacheOptions> = {}) => {
  const spoken: string[] = [];
  const synthesizer: Synthesizer = {
    ...espeak,
    speak: (utterance) => {
      spoken.push(`${utterance.voice}: ${utterance.text}`);
      return espeak.speak(utterance);
    },
    stop: async () => {},
  };
  const cache = await openSpeechCache({ media, synthesizers: [synthesizer], ...options });
  const prepare = async (account: number, ...texts: (string | [text: string, voice: string])[]) => {
    const wanted = texts.map((text) => (typeof text === 'string' ? [text, 'fad'] : text));
    const done = await cache.performers.prepareAudio({
      id: `a.${account}.1.1.0`,
      name: 'prepareAudio',
      params: { texts: wanted.map(([text = '', voice = '']) => ({ text, voice })) },
      machine: { shard: 'a', account, id: 1, kind: 'call' },
      attempt: 1,
      seen: {},
      signal: new AbortController().signal,
    });
    const event = done?.events?.[0];
    expect(event?.type).toBe('audioPrepared');
    return event?.['audio'] as SpeechSynthesisEvent['audio'];
  };
  return { cache, prepare, spoken };
};

describe('the speech cache', () => {
  it('prepares texts in the order asked, as files of the account', async () => {
    const { prepare } = await aCache();
    const [long, short] = await prepare(7, 'Bom dia, esta é uma mensagem de teste.', 'Oi');
    expect(long!.seconds).toBeGreaterThan(short!.seconds);
    const file = await buffer((await media.open(7, long!.media))!.stream);
    const { samples, sampleRate } = readWav(file);
    expect(sampleRate).toBe(8000);
    expect(long!.seconds).toBe(samples.length / 8000);
    expect(await media.stat(8, long!.media)).toBeUndefined();
  });

  it('speaks a text once, also over a restart', async () => {
    const before = await aCache();
    const first = await before.prepare(7, 'Oi');
    expect(await before.prepare(7, 'Oi')).toEqual(first);
    const after = await aCache();
    expect(await after.prepare(7, 'Oi')).toEqual(first);
    expect([...before.spoken, ...after.spoken]).toEqual(['pt-br: Oi']);
  });

  it('speaks once for everybody who asks at the same time, whatever their account', async () => {
    const { prepare, spoken } = await aCache();
    const asked = [7, 7, 8, 8, 9].map((account) => prepare(account, 'Oi', 'Oi'));
    const answers = (await Promise.all(asked)).flat();
    expect(new Set(answers.map((audio) => audio.media)).size).toBe(1);
    expect(spoken.length).toBe(1);
    for (const account of [7, 8, 9]) expect(await media.stat(account, answers[0]!.media)).toBeDefined();
  });

  it('speaks again what somebody took away', async () => {
    let now = 0;
    const { prepare, spoken } = await aCache({ now: () => now });
    const [audio] = await prepare(7, 'Oi');
    await media.delete(7, audio!.media);
    now += 5000;
    expect(await prepare(7, 'Oi')).toEqual([audio]);
    expect(await media.stat(7, audio!.media)).toBeDefined();
    expect(spoken.length).toBe(2);
  });

  it('keeps voices apart', async () => {
    const { prepare } = await aCache();
    const [his, hers, alias] = await prepare(
      7,
      ['Oi', 'Espeak|pt-br'],
      ['Oi', 'Espeak|pt-br+f3'],
      ['Oi', ''],
    );
    expect(his).toEqual(alias);
    expect(his!.media).not.toBe(hers!.media);
  });

  it('speaks for whoever asks at once, slower or faster, and finds it again', async () => {
    const { cache, spoken } = await aCache();
    const say = (rate?: number) =>
      cache.speak(7, { text: 'Bom dia', voice: 'fad', ...(rate !== undefined && { rate }) });
    const [slow, usual, fast] = [await say(-6), await say(), await say(6)];
    expect(slow.seconds).toBeGreaterThan(usual.seconds * 1.3);
    expect(fast.seconds).toBeLessThan(usual.seconds / 1.3);
    expect([await say(-6), await say(0)]).toEqual([slow, usual]);
    expect(spoken.length).toBe(3);
    await expect(cache.speak(7, { text: 'Oi', voice: 'Other|voice' })).rejects.toThrow(NotRetryable);
  });

  it('has each provider speak its own voices, and keeps what any of them spoke', async () => {
    const fake = await startFakeGoogle();
    const google = googleSynthesizer({ key: fakeKey, url: fake.url });
    const { cache, spoken } = await aCache({ synthesizers: [espeak, google] });
    const say = (voice: string, rate = 0) => cache.speak(7, { text: 'Bom dia', voice, rate });
    const cloud = await say('Google|pt-BR-Wavenet-A');
    expect(cloud.seconds).toBeCloseTo(7 * secondsPerCharacter, 3);
    expect((await say('Espeak|pt-br')).media).not.toBe(cloud.media);
    expect((await say('Google|pt-BR-Wavenet-A', 2)).media).not.toBe(cloud.media);
    const { cache: after } = await aCache({ synthesizers: [google] });
    expect(await after.speak(7, { text: 'Bom dia', voice: 'google|pt-BR-Wavenet-A' })).toEqual(cloud);
    expect([fake.spoken.length, spoken]).toEqual([2, []]);
    await expect(after.speak(7, { text: 'Oi', voice: 'Espeak|pt-br' })).rejects.toThrow(NotRetryable);
    fake.moods = [(to) => refuse(to, 503, 'bad day')];
    const again = { text: 'Boa noite', voice: 'Google|pt-BR-Wavenet-A' };
    await expect(after.speak(7, again)).rejects.toThrow(Retryable);
    expect((await after.speak(7, again)).seconds).toBeCloseTo(9 * secondsPerCharacter, 3);
    await google.stop();
    await fake.close();
  });

  it('says which file is not there any more', async () => {
    const { cache } = await aCache({ nameOf: (id) => id.replace('audio-', 'tf') });
    const { media: kept } = await cache.speak(7, { text: 'Oi', voice: 'fad' });
    const look = (account: number, ...files: string[]) =>
      cache.performers.prepareAudio({
        ...{
          id: `a.${account}.1.1.0`,
          name: 'prepareAudio',
          params: { texts: [], files },
          attempt: 1,
          seen: {},
        },
        machine: { shard: 'a', account, id: 1, kind: 'call' },
        signal: new AbortController().signal,
      });
    expect(await look(7, kept)).toEqual({ events: [{ type: 'audioPrepared', audio: [] }] });
    await expect(look(7, kept, 'audio-12')).rejects.toMatchObject({
      ...{ name: 'NotRetryable', reason: 'audioGone' },
      message: 'tf12, which is to be played, is not there any more',
    });
    await expect(look(8, kept)).rejects.toMatchObject({ reason: 'audioGone' });
  });

  it('says no to a voice that does not exist, and to a text too long', async () => {
    const { prepare, spoken } = await aCache({ maxCharacters: 10 });
    await expect(prepare(7, ['Oi', 'Other|voice'])).rejects.toMatchObject({ reason: 'unknownVoice' });
    await expect(prepare(7, 'Oi', '12345678901')).rejects.toMatchObject({ reason: 'tooLong' });
    await expect(prepare(7, '12345678901')).rejects.toThrow(NotRetryable);
    expect(spoken).toEqual([]);
  });

  it('is asked again when the media store fails', async () => {
    const full = { ...media, put: () => Promise.reject(new Error('ENOSPC')) };
    const { prepare } = await aCache({ media: full });
    await expect(prepare(7, 'Oi')).rejects.toThrow(Retryable);
  });

  it('lets the longest unused texts go when they need too much room, and no recordings', async () => {
    const { prepare } = await aCache();
    const [one] = await prepare(7, 'um');
    const [two] = await prepare(8, 'dois');
    await media.put(7, 'rec-1', Buffer.alloc(1_000_000));
    const sizes = [(await media.stat(7, one!.media))!.bytes, (await media.stat(8, two!.media))!.bytes];
    const { prepare: again, spoken } = await aCache({ maxBytes: sizes[0]! + sizes[1]! + 1000 });
    await again(7, 'um');
    await again(7, 'três');
    expect(spoken).toEqual(['pt-br: três']);
    expect(await media.stat(8, two!.media)).toBeUndefined();
    expect(await media.stat(7, 'rec-1')).toBeDefined();
  });
});
