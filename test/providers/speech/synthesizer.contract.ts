/** What every synthesizer promises (`src/providers/contracts/speech.ts`), as sentences. */
import { afterEach, expect, it } from 'vitest';
import { Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';
import type { Synthesizer } from '../../../src/providers/contracts/speech.ts';
import { readWav } from '../../../src/providers/sound/wav.ts';

export interface SynthesizerBed {
  /** A new one; the suite stops it. */
  start(): Promise<Synthesizer> | Synthesizer;
  /** Two voices it has, without provider. */
  voices: readonly [string, string];
}

export const synthesizerContract = ({ start, voices: [one, other] }: SynthesizerBed): void => {
  let on: Synthesizer | undefined;
  afterEach(() => on?.stop());
  const aSynthesizer = async (): Promise<Synthesizer> => (on = await start());
  const say = async (text: string, voice = one, rate = 0): Promise<Int16Array> => {
    const wav = await (on ?? (await aSynthesizer())).speak({ text, voice, rate });
    const { samples, sampleRate } = readWav(wav);
    expect(sampleRate).toBe(8000);
    return samples;
  };

  it('lists voices under its own name, each once, with language and gender', async () => {
    const { provider, voices } = await aSynthesizer();
    const listed = await voices();
    const names = listed.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([`${provider}|${one}`, `${provider}|${other}`]));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const { name, title, language, gender } of listed) {
      expect(name).toMatch(/^[A-Za-z]+\|[A-Za-z0-9_+-]+$/);
      expect(title).not.toBe('');
      expect(language).toMatch(/^[a-z]{2,3}(-[A-Za-z0-9]{2,4})?$/);
      expect(['F', 'M']).toContain(gender);
    }
  });

  it('speaks 8 kHz mono, longer for more, the same for the same', async () => {
    await aSynthesizer();
    const text = 'Bom dia, esta é uma mensagem.';
    const sound = await say(text);
    expect(sound.length).toBeGreaterThan(8000 / 2);
    expect((await say(`${text} ${text}`)).length).toBeGreaterThan(sound.length * 1.5);
    expect(await say(text)).toEqual(sound);
  });

  it('sounds otherwise with another voice', async () => {
    await aSynthesizer();
    expect(await say('Bom dia', one)).not.toEqual(await say('Bom dia', other));
  });

  it('keeps the pace it is told', async () => {
    await aSynthesizer();
    const text = 'Bom dia, esta é uma mensagem de teste.';
    const [slow, usual, fast] = [await say(text, one, -6), await say(text), await say(text, one, 6)];
    expect(slow.length / usual.length).toBeGreaterThan(1.4);
    expect(usual.length / fast.length).toBeGreaterThan(1.4);
  });

  it('speaks long texts whole', async () => {
    await aSynthesizer();
    const sentence = 'Esta é a vez número dez. ';
    const short = (await say(sentence.repeat(10))).length;
    const long = (await say(sentence.repeat(400))).length;
    expect(long / short).toBeGreaterThan(35);
    expect(long / short).toBeLessThan(45);
  });

  it('takes a text for a text, whatever is in it', async () => {
    await aSynthesizer();
    expect((await say(`-w x.wav "}; <speak> & $(id)\n\u{1F600} ção`)).length).toBeGreaterThan(2000);
  });

  it('refuses a voice that it does not have for good', async () => {
    const { speak } = await aSynthesizer();
    for (const voice of ['nope', 'xx-XX-nope']) {
      await expect(speak({ text: 'Oi', voice, rate: 0 })).rejects.toThrow(NotRetryable);
    }
  });

  it('sends back what was not spoken when it stops', async () => {
    const { speak, stop } = await aSynthesizer();
    const asked = ['um', 'dois', 'três'].map((text) => speak({ text, voice: one, rate: 0 }));
    const ended = Promise.allSettled(asked);
    await stop();
    for (const outcome of await ended) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Retryable);
    }
    await expect(speak({ text: 'quatro', voice: one, rate: 0 })).rejects.toThrow(Retryable);
  });
};
