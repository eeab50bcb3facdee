import espeak from 'espeak-ng';
import { afterEach, describe, expect, it } from 'vitest';
import { Retryable, Terminal } from '../../../src/engine/contract/performer.ts';
import type { Synthesizer } from '../../../src/providers/speech.ts';
import { espeakSynthesizer } from '../../../src/providers/speech/espeak.ts';
import { ESPEAK_VOICES } from '../../../src/providers/speech/espeakVoices.ts';
import { readWav } from '../../../src/providers/sound/wav.ts';
import { synthesizerContract } from './synthesizer.contract.ts';

let synthesizer: Synthesizer | undefined;
const start = (options?: Parameters<typeof espeakSynthesizer>[0]) => {
  const started = (synthesizer = espeakSynthesizer(options));
  const speak = (text: string, voice: string) => started.speak({ text, voice, rate: 0 });
  return { ...started, speak };
};
afterEach(() => synthesizer?.stop());

const secondsOf = (wav: Buffer) => readWav(wav).samples.length / 8000;
const loudest = (wav: Buffer) => readWav(wav).samples.reduce((most, one) => Math.max(most, Math.abs(one)), 0);

describe('espeak-ng, as every synthesizer,', () => {
  synthesizerContract({ start: () => espeakSynthesizer(), voices: ['pt-br', 'pt-br+f3'] });
});

describe('espeak-ng', () => {
  it('speaks Portuguese as 8 kHz mono, again and again from one process', async () => {
    const { speak } = start();
    const one = await speak('Olá, Maria. Sua consulta está confirmada para amanhã.', 'pt-br');
    expect(readWav(one).sampleRate).toBe(8000);
    expect(secondsOf(one)).toBeGreaterThan(2);
    expect(secondsOf(one)).toBeLessThan(8);
    expect(loudest(one)).toBeGreaterThan(3000);
    expect(await speak('Olá, Maria. Sua consulta está confirmada para amanhã.', 'pt-br')).toEqual(one);
  });

  it('reads accents as letters', async () => {
    const { speak } = start();
    expect(await speak('avó', 'pt-br')).not.toEqual(await speak('avo', 'pt-br'));
  });

  it('takes a text for a text, whatever is in it', async () => {
    const { speak } = start();
    const hostile = `-w /tmp/x.wav "; rm -rf / \u0000 $(id) <break> & 'x' \n-v en`;
    expect(secondsOf(await speak(hostile, 'pt-br'))).toBeGreaterThan(1);
    expect(secondsOf(await speak('', 'pt-br'))).toBeLessThan(0.2);
  });

  it('has every voice that it offers, and a second one in each language', async () => {
    const listed: string[] = [];
    const print = (line: string) => listed.push(line.trim().split(/\s+/)[1] ?? '');
    await espeak({ arguments: ['--voices'], print, printErr: () => {} });
    const offered = ESPEAK_VOICES.map(({ name }) => name.slice('Espeak|'.length));
    expect(offered.filter((name) => !listed.includes(name.replace('+f3', '')))).toEqual([]);
    const { speak } = start();
    expect(await speak('Olá', 'pt-br')).not.toEqual(await speak('Olá', 'pt-br+f3'));
  });

  it('refuses a voice that does not exist', async () => {
    await expect(start().speak('Olá', 'nope')).rejects.toThrow(Terminal);
  });

  it('gives a process up that takes too long, and goes on with another', async () => {
    const { speak } = start({ timeoutMs: 3_000, timeoutMsPerCharacter: 0 });
    await expect(speak('Sua consulta está confirmada. '.repeat(20_000), 'pt-br')).rejects.toThrow(Retryable);
    // On a busy machine a short text may take too long as well; whoever asked for it asks again.
    await expect.poll(async () => secondsOf(await speak('dois', 'pt-br'))).toBeGreaterThan(0.1);
  });

  it('gives a long text the time that its length asks for', async () => {
    const long = 'Sua consulta está confirmada. '.repeat(200);
    const { speak } = start({ timeoutMs: 0, timeoutMsPerCharacter: 12 });
    expect(secondsOf(await speak(long, 'pt-br'))).toBeGreaterThan(200);
    await expect(speak('', 'pt-br')).rejects.toThrow(Retryable);
  });

  it('sends texts back when too many wait, and all of them when it stops', async () => {
    const { speak, stop } = start({ waiting: 1 });
    const first = speak('um', 'pt-br');
    const second = speak('dois', 'pt-br');
    await expect(speak('três', 'pt-br')).rejects.toThrow('1 texts wait');
    const ended = Promise.allSettled([first, second]);
    await stop();
    expect((await ended).map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      expect.any(Retryable),
      expect.any(Retryable),
    ]);
    await expect(speak('quatro', 'pt-br')).rejects.toThrow(Retryable);
  });
});

describe('voices', () => {
  it('say their language and gender', () => {
    expect(ESPEAK_VOICES[0]).toEqual({
      name: 'Espeak|pt-br',
      title: 'Portuguese (Brazil)',
      language: 'pt-BR',
      gender: 'M',
    });
    expect(ESPEAK_VOICES[1]).toMatchObject({ name: 'Espeak|pt-br+f3', gender: 'F' });
  });
});
