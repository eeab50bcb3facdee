import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/localTime.ts';
import { concatenateSamples } from '../../src/providers/sound/soundStage.ts';
import { writeWav } from '../../src/providers/sound/wav.ts';
import { demoAccount, demoToken, type TestService } from '../helpers/service.ts';
import { aTone, aWav, someSilence } from '../helpers/wav.ts';
import {
  askedAudios,
  type AudioBed,
  base64,
  secondsOf,
  expectRefusal,
  startAudioBed,
  today,
} from './askedAudios.ts';

let bed: AudioBed;
let on: TestService;
beforeAll(async () => {
  bed = await startAudioBed();
  ({ on } = bed);
});
beforeEach(() => bed.clear());
afterEach(() => bed.checkFiles());
afterAll(() => bed.stop());

const { make, upload, list, rowOf, soundOf, expectNothingLeft } = askedAudios(() => on);

const samples = join(import.meta.dirname, '..', 'providers', 'sound', 'samples');

describe('a text', () => {
  test('[4.8/text] [2.5/created] [2.5/cdw_sec] [8/audio-expiry] is spoken, measured, and goes after a day', async () => {
    const answer = await make({ text: 'Bom dia, esta é uma mensagem de teste.' });
    expect(Object.keys(answer.body.return)).toEqual([
      'status',
      'status_code',
      'cdw_file',
      'cdw_file_test',
      'cdw_name',
      'cdw_sec ',
      'cdw_expires ',
      'cdw_type ',
    ]);
    expect(answer.body.return).toMatchObject({
      status: 'OK',
      status_code: '0',
      cdw_file: expect.stringMatching(/^tf\d+$/),
      cdw_file_test: '',
      cdw_name: 'Bom dia, esta é uma mensagem de teste.',
      'cdw_expires ': addDays(today(), 1),
      'cdw_type ': 'tts',
    });
    const halved = `${'a'.repeat(59)}😀 e mais`;
    const { body: long } = await on.post('CreateAudioFile', { text: halved });
    expect(long.return.cdw_name).toBe('a'.repeat(59));
    const { seconds, peak } = await soundOf(answer);
    expect(seconds).toBeCloseTo(secondsOf(answer), 3);
    expect(seconds).toBeGreaterThan(1);
    expect(peak).toBeGreaterThan(1000);
  });

  test('[4.8/voice] [4.8/rate] is spoken by the voice and at the pace asked for', async () => {
    const text = 'um dois três quatro cinco seis sete oito';
    const [usual, slow, fast, other] = await Promise.all([
      make({ text, voice: 'fad' }),
      make({ text, rate: -6 }),
      make({ text, rate: '6' }),
      make({ text, voice: 'Espeak|en-us' }),
    ]);
    expect(secondsOf(slow)).toBeGreaterThan(secondsOf(usual) * 1.2);
    expect(secondsOf(fast)).toBeLessThan(secondsOf(usual) * 0.8);
    expect((await rowOf(other))['voice']).toBe('Espeak|en-us');
    expect((await rowOf(usual))['voice']).toBe('Espeak|pt-br');
    expectRefusal(await make({ text, voice: 'Espeak|klingon' }), '299', /voice must be one of GetTTSVoices/);
  });

  test('[4.8/encoding] is ISO-8859-1 in a form, UTF-8 in JSON, and what encoding names', async () => {
    const form = (body: string) =>
      on.post('CreateAudioFile', body, { 'Content-Type': 'application/x-www-form-urlencoded' });
    const texts = await Promise.all([
      form(`tsid=${demoToken}&text=Ol%E1`),
      form(`tsid=${demoToken}&text=Ol%C3%A1&encoding=UTF-8`),
      make({ text: 'Olá' }),
      make({ text: 'OlÃ¡', encoding: '2UTF-8' }),
    ]);
    for (const answer of texts) expect((await rowOf(answer))['text']).toBe('Olá');
  });

  test('[4.8/ttswrt] [8/audio-expiry] is kept five years when it is to be permanent', async () => {
    const { body } = await make({ text: 'Para sempre', ttswrt: '1' });
    expect(body.return['cdw_expires ']).toBe(`${Number(today().slice(0, 4)) + 5}${today().slice(4)}`);
  });

  test('[4.8/ttsvar] with placeholders stays a text, with a sample, and is spoken with a call’s values', async () => {
    const answer = await make({ text: 'Olá <NOME>, seu código é <COD_CLI>', rate: 2 });
    const id = answer.body.return.cdw_file as string;
    expect(answer.body.return).toMatchObject({ cdw_file_test: `${id}t`, 'cdw_type ': 'ttsvar' });
    expect(secondsOf(answer)).toBeGreaterThan(1);
    expect(await rowOf(answer)).toMatchObject({ text: 'Olá <NOME>, seu código é <COD_CLI>', wav: '' });
    const call = await on.post('MakeTTSCall', {
      dest: '11987650000',
      content: id,
      nome: 'Ana',
      cod_cli: '7',
    });
    expect((await on.inputOf(call.body.return.cd_id)).prompts.opening).toEqual([
      { text: 'Olá Ana, seu código é 7', voice: 'Espeak|pt-br', rate: 2 },
    ]);
    expect((await on.ended(call.body.return.cd_id)).cd_status).toBe('OK');
    const sample = await on.post('MakeTTSCall', { dest: '11987650100', content: `${id}t` });
    expect((await on.inputOf(sample.body.return.cd_id)).prompts.opening).toEqual([
      { media: `audio-${id.slice(2)}-sample`, seconds: secondsOf(answer) },
    ]);
  });

  test('[7/CreateAudioFile/281] that cannot be spoken says so and leaves nothing', async () => {
    const voice = { provider: 'Google', name: 'pt-BR-Wavenet-A', language: 'pt-BR' };
    expect((await on.admin('POST', `/accounts/${demoAccount}/voices`, voice)).http).toBe(201);
    expectRefusal(await make({ text: 'Olá', voice: 'Google|pt-BR-Wavenet-A' }), '281', /could not be spoken/);
    await expectNothingLeft();
  });
});

describe('a file', () => {
  test('[4.8/audio] [4.8/name] [4.8/name_up] [8/audio-expiry] is taken under any field, and stays five years', async () => {
    const answer = await upload(aWav(2), {}, 'Aviso.wav', 'whatever');
    expect(answer.body.return).toMatchObject({
      status_code: '0',
      cdw_name: 'Aviso.wav',
      'cdw_sec ': '2',
      'cdw_expires ': `${Number(today().slice(0, 4)) + 5}${today().slice(4)}`,
      'cdw_type ': 'upload',
    });
    const row = await rowOf(answer);
    expect(row).toMatchObject({
      file_name: 'Aviso.wav',
      wav: `audio-${row['id']}`,
      mp3: `audio-${row['id']}.mp3`,
    });
    const named = await upload(aWav(1), { name: 'Meu aviso', nome_up: 'outro.wav' });
    expect(named.body.return.cdw_name).toBe('Meu aviso');
    expect((await rowOf(named))['file_name']).toBe('outro.wav');
    expect((await rowOf(await upload(aWav(1), { name_up: 'terceiro.wav' })))['file_name']).toBe(
      'terceiro.wav',
    );
  });

  test('[4.8/audio] of several the first that is large enough is taken', async () => {
    const form = new FormData();
    form.set('tsid', demoToken);
    for (const [name, bytes] of [
      ['cut.wav', aWav(1).subarray(0, 99)],
      ['whole.wav', aWav(1)],
      ['late.wav', aWav(2)],
    ] as const)
      form.append('audio', new Blob([new Uint8Array(bytes)]), name);
    const taken = await on.post('CreateAudioFile', form);
    expect(taken.body.return).toMatchObject({ status_code: '0', cdw_name: 'whole.wav', 'cdw_sec ': '1' });
    form.delete('audio');
    for (const bytes of [1, 99]) form.append('audio', new Blob([new Uint8Array(bytes)]), `${bytes}.wav`);
    expectRefusal(await on.post('CreateAudioFile', form), '223', /smaller than 100 bytes/);
  });

  test('[4.8/raw] may be the body itself, with everything else in the query string', async () => {
    const raw = await fetch(
      `${on.url}/api/v2/CreateAudioFile.php?tsid=${demoToken}&name=${encodeURIComponent('Bênção')}&incsilence=500`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'audio/mpeg' },
        body: new Uint8Array(await readFile(join(samples, 'tone.mp3'))),
      },
    );
    const { return: answer } = (await raw.json()) as { return: Record<string, string> };
    expect(answer).toMatchObject({ status_code: '0', cdw_name: 'Bênção', 'cdw_type ': 'upload' });
    expect(Math.abs(Number(answer['cdw_sec ']) - 4.5)).toBeLessThan(0.1);
  });

  test('[4.8/audio64] may be base64 in every way it is written', async () => {
    const plain = base64(aWav(1));
    const written = [
      plain,
      plain.replace(/=+$/, ''),
      `data:audio/wav;base64,${plain}`,
      aWav(1).toString('base64url'),
    ];
    for (const audio64 of written) expect(secondsOf(await make({ audio64 }))).toBe(1);
    const form = await on.post(
      'CreateAudioFile',
      new URLSearchParams({ tsid: demoToken, audio64: `data:audio/mpeg;base64,${plain}`, name: 'x' }),
    );
    expect(secondsOf(form)).toBe(1);
    expect((await rowOf(form))['file_name']).toBe('audio.mp3');
  });

  test('[4.8/delsilence] [4.8/incsilence] [4.8/speed] is trimmed, led in and paced', async () => {
    const file = writeWav(concatenateSamples([someSilence(1), aTone(2), someSilence(1)]), 8000);
    const audio64 = base64(file);
    const lengths = await Promise.all(
      [
        {},
        { delsilence: 0 },
        { delsilence: 1 },
        { delsilence: '2' },
        { delsilence: 3 },
        { incsilence: 1500 },
        { speed: 2 },
        { speed: '0,5' },
        { delsilence: 3, speed: 1.05, incsilence: 1000 },
      ].map(async (wish) => secondsOf(await make({ audio64, ...wish }))),
    );
    const wanted = [4, 4, 3.05, 3.05, 2.1, 5.5, 2, 8, 3];
    lengths.forEach((seconds, index) => expect(Math.abs(seconds - wanted[index]!)).toBeLessThan(0.02));
  });

  test('[4.8/mp3] gets no MP3 when told so', async () => {
    const row = await rowOf(await make({ audio64: base64(aWav(1)), mp3: 'no' }));
    expect(row).toMatchObject({ wav: `audio-${row['id']}`, mp3: '' });
  });

  test('[4.8/type] [4.8/cdg_id] has the type and the group it is given', async () => {
    const group = await on.admin('POST', `/accounts/${demoAccount}/groups`, { name: 'Avisos' });
    const answer = await make({ audio64: base64(aWav(1)), type: 'rec', cdg_id: group.body.cdg_id });
    expect(answer.body.return['cdw_type ']).toBe('rec');
    expect((await rowOf(answer))['group_id']).toBe(group.body.cdg_id);
    expect((await make({ text: 'Olá <NOME>', type: 'tts' })).body.return['cdw_type ']).toBe('tts');
    expect((await make({ text: 'Olá', type: 'ttsvar' })).body.return['cdw_type ']).toBe('ttsvar');
    expectRefusal(await make({ text: 'Olá', type: 'rec' }), '299', /type must be tts or ttsvar/);
    expectRefusal(await make({ audio64: base64(aWav(1)), type: 'tts' }), '299', /type must be upload or rec/);
    expectRefusal(await make({ text: 'Olá', cdg_id: 999 }), '299', /cdg_id 999 is not a group/);
  });

  test('[4.8/expires] stays until the end of the day that is named', async () => {
    const answer = await make({ audio64: base64(aWav(1)), expires: addDays(today(), 3) });
    expect(answer.body.return['cdw_expires ']).toBe(addDays(today(), 3));
    expect((await make({ text: 'Olá', expires: today() })).body.return['cdw_expires ']).toBe(today());
    const forGood = await make({ text: 'Olá', expires: '9999-12-31' });
    expect(forGood.body.return['cdw_expires ']).toBe('9999-12-31');
    expect(await list()).toContainEqual(expect.objectContaining({ cdw_expires: '9999-12-31' }));
    expectRefusal(
      await make({ text: 'Olá', expires: addDays(today(), -1) }),
      '299',
      /expires must not be over/,
    );
    expectRefusal(await make({ text: 'Olá', expires: '2026-02-30' }), '299', /expires must be a date/);
  });

  test('[4.8/idempotency] is made once for one Idempotency-Key, and its content belongs to the request', async () => {
    const key = { 'Idempotency-Key': 'audio-1' };
    const audio64 = base64(aWav(1));
    const [first, second] = await Promise.all([make({ audio64 }, key), make({ audio64 }, key)]);
    expect(second.body).toEqual(first.body);
    const third = await make({ audio64 }, key);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(third.body).toEqual(first.body);
    expect(await list()).toHaveLength(1);
    expect((await on.database.pool.query('SELECT id FROM audios')).rows).toHaveLength(1);
    expect((await make({ audio64: base64(aWav(2)) }, key)).http).toBe(409);
  });
});
