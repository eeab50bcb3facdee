import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import espeak from 'espeak-ng';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';
import type { Synthesizer } from '../../../src/providers/contracts/speech.ts';
import { espeakSynthesizer } from '../../../src/providers/speech/espeak.ts';
import { findEspeak, espeakProgramTitle } from '../../../src/providers/speech/findEspeak.ts';
import { ESPEAK_VOICES } from '../../../src/providers/speech/offeredEspeakVoices.ts';
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

const system = await findEspeak({ path: process.env['PATH'], package: false });
const lacking = system ? '' : ': this machine has none in PATH';

describe('espeak-ng of npm, as every synthesizer,', () => {
  synthesizerContract({ start: () => espeakSynthesizer(), voices: ['pt-br', 'pt-br+f3'] });
});

describe.skipIf(!system)(`espeak-ng of the system, as every synthesizer,${lacking}`, () => {
  const start = () => espeakSynthesizer({ program: system!.program });
  synthesizerContract({ start, voices: ['pt-br', 'pt-br+f3'] });
});

describe.skipIf(!system)(`espeak-ng of the system${lacking}`, () => {
  const ofSystem = (options = {}) => start({ program: system!.program, ...options });

  it('takes a text for a text, whatever is in it, to its end', async () => {
    const { speak } = ofSystem();
    const hostile = `-w /tmp/x.wav "; rm -rf / \u0000 $(id) <break> & 'x' \n-v en`;
    const [all, none] = [await speak(hostile, 'pt-br'), await speak('', 'pt-br')];
    expect(secondsOf(all)).toBeGreaterThan(secondsOf(await speak(hostile.split('\0', 1)[0]!, 'pt-br')));
    expect(secondsOf(none)).toBeLessThan(0.2);
  });

  it('speaks UTF-8', async () => {
    const { speak } = ofSystem();
    expect(await speak('avó', 'pt-br')).not.toEqual(await speak('avo', 'pt-br'));
  });

  it('refuses a voice that does not exist, and one that is a path', async () => {
    const { speak } = ofSystem();
    await expect(speak('Olá', 'nope')).rejects.toThrow(NotRetryable);
    await expect(speak('Olá', '../../../etc/passwd')).rejects.toThrow('there is no voice');
  });

  it('gives a text up that takes too long, and ends the program that speaks it', async () => {
    const { speak } = ofSystem({ timeoutMs: 300, timeoutMsPerCharacter: 0 });
    await expect(speak('Sua consulta está confirmada. '.repeat(20_000), 'pt-br')).rejects.toThrow(Retryable);
  });

  it('offers those of our voices that it has', async () => {
    const offered = (await ofSystem().voices()).map(({ name }) => name);
    expect(offered).toEqual(ESPEAK_VOICES.map(({ name }) => name).filter((name) => offered.includes(name)));
    expect(offered.length).toBeGreaterThan(50);
  });
});

describe('what speaks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-espeak-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const nowhere = new URL('file:///nowhere/module.js').href;

  it('is the npm package where no program is in PATH', async () => {
    const found = await findEspeak({ path: folder, package: true });
    expect(found).toEqual({ version: expect.stringMatching(/^1\./), program: undefined });
    expect(espeakProgramTitle(found!)).toMatch(/^espeak-ng of npm \(1\./);
  });

  it('is no program that only has the name', async () => {
    const program = join(folder, 'espeak-ng');
    writeFileSync(program, '#!/bin/sh\necho something else\n');
    chmodSync(program, 0o755);
    expect((await findEspeak({ path: folder, package: true }))!.program).toBeUndefined();
    rmSync(program);
  });

  it.skipIf(!system)(`is the program of the system before the package${lacking}`, async () => {
    const found = await findEspeak({ path: `${folder}:${process.env['PATH']}`, package: true });
    expect(found).toEqual(system);
    expect(espeakProgramTitle(found!)).toContain(system!.program);
  });

  it('is nothing where neither is installed', async () => {
    expect(await findEspeak({ path: folder, package: true }, nowhere)).toBeUndefined();
    expect(await findEspeak({ path: undefined, package: false })).toBeUndefined();
  });
});

describe('espeak-ng of npm', () => {
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
    await expect(start().speak('Olá', 'nope')).rejects.toThrow(NotRetryable);
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
