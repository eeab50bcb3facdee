import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMp3Encoder } from 'wasm-media-encoders';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, toLocal } from '../../src/rules/localTime.ts';
import { concatenated } from '../../src/rules/soundStage.ts';
import { writeWav } from '../../src/rules/wav.ts';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';
import { aTone, aWav, measureWav, someSilence } from '../helpers/wav.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ramal-audios-'));
let on: TestService;
beforeAll(async () => {
  on = await startTestService({
    DATA_DIR: dataDir,
    MAX_AUDIO_BYTES: '300000',
    MAX_BODY_BYTES: '400000',
    // A third party that is never there.
    GOOGLE_TTS_KEY: 'no-key',
    GOOGLE_TTS_URL: 'http://127.0.0.1:9',
  });
}, 60_000);
afterAll(async () => {
  await on.stop();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => {
  const left = readdirSync(join(dataDir, 'tmp'), { recursive: true, withFileTypes: true });
  const files = left.filter((entry) => entry.isFile());
  if (files.length > 0) throw new Error(`left behind: ${files.map(({ name }) => name).join(', ')}`);
});
beforeEach(async () => {
  await on.database.pool.query('DELETE FROM audios');
});

const samples = join(import.meta.dirname, '..', 'providers', 'sound', 'samples');
const zone = 'America/Sao_Paulo';
const today = (): string => toLocal(Date.now(), zone).date;

const make = async (body: Record<string, unknown>, headers?: Record<string, string>): Promise<RestAnswer> =>
  on.post('CreateAudioFile', body, headers);
const base64 = (file: Buffer): string => file.toString('base64');
/** A form with a file and more fields. */
const upload = (file: Buffer, fields: Record<string, string> = {}, name = 'tone.wav', field = 'audio') => {
  const form = new FormData();
  form.set('tsid', demoToken);
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set(field, new Blob([new Uint8Array(file)]), name);
  return on.post('CreateAudioFile', form);
};
const list = async (query: Record<string, unknown> = {}) =>
  (await on.post('GetAudiosList', query)).body.audios as Record<string, string>[];
const rowOf = async (answer: RestAnswer) => {
  const id = Number(answer.body.return.cdw_file.slice(2));
  const found = await on.database.pool.query('SELECT * FROM audios WHERE id = $1', [id]);
  return found.rows[0] as Record<string, string>;
};
const secondsOf = (answer: RestAnswer): number => Number(answer.body.return['cdw_sec ']);
/** The asset's sound, as the admin API lets one listen to it. */
const soundOf = async (answer: RestAnswer) => {
  const { body } = await on.admin('GET', `/accounts/${demoAccount}/audios`);
  const { url } = body.audios.find(
    ({ cdw_file: file }: { cdw_file: string }) => file === answer.body.return.cdw_file,
  );
  const { pathname, search } = new URL(url);
  return measureWav(Buffer.from(await (await fetch(on.url + pathname + search)).arrayBuffer()));
};
const expectRefusal = (answer: RestAnswer, code: string, text: RegExp, http = 400): void => {
  expect(answer.body.return).toMatchObject({ status_code: code, cdw_file: '0' });
  expect(answer.body.return.status).toMatch(text);
  expect(answer.http).toBe(http);
};
const expectNothingLeft = async (): Promise<void> => {
  expect((await on.database.pool.query('SELECT id FROM audios')).rows).toEqual([]);
};

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
    const { seconds, peak } = await soundOf(answer);
    expect(seconds).toBeCloseTo(secondsOf(answer), 3);
    expect(seconds).toBeGreaterThan(1);
    expect(peak).toBeGreaterThan(1000);
  }, 30_000);

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
  }, 30_000);

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
  }, 30_000);

  test('[4.8/ttswrt] [8/audio-expiry] is kept five years when it is to be permanent', async () => {
    const { body } = await make({ text: 'Para sempre', ttswrt: '1' });
    expect(body.return['cdw_expires ']).toBe(`${Number(today().slice(0, 4)) + 5}${today().slice(4)}`);
  }, 30_000);

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
  }, 60_000);

  test('[7/CreateAudioFile/281] that cannot be spoken says so and leaves nothing', async () => {
    const voice = { provider: 'Google', name: 'pt-BR-Wavenet-A', language: 'pt-BR' };
    expect((await on.admin('POST', `/accounts/${demoAccount}/voices`, voice)).http).toBe(201);
    expectRefusal(await make({ text: 'Olá', voice: 'Google|pt-BR-Wavenet-A' }), '281', /could not be spoken/);
    await expectNothingLeft();
  }, 30_000);
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
  }, 30_000);

  test('[4.8/raw] may be the body itself, with everything else in the query string', async () => {
    const raw = await fetch(
      `${on.url}/api/v2/CreateAudioFile.php?tsid=${demoToken}&name=Cru&incsilence=500`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'audio/mpeg' },
        body: new Uint8Array(await readFile(join(samples, 'tone.mp3'))),
      },
    );
    const { return: answer } = (await raw.json()) as { return: Record<string, string> };
    expect(answer).toMatchObject({ status_code: '0', cdw_name: 'Cru', 'cdw_type ': 'upload' });
    expect(Math.abs(Number(answer['cdw_sec ']) - 4.5)).toBeLessThan(0.1);
  }, 30_000);

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
  }, 60_000);

  test('[4.8/delsilence] [4.8/incsilence] [4.8/speed] is trimmed, led in and paced', async () => {
    const file = writeWav(concatenated([someSilence(1), aTone(2), someSilence(1)]), 8000);
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
  }, 60_000);

  test('[4.8/mp3] gets no MP3 when told so', async () => {
    const row = await rowOf(await make({ audio64: base64(aWav(1)), mp3: 'no' }));
    expect(row).toMatchObject({ wav: `audio-${row['id']}`, mp3: '' });
  }, 30_000);

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
  }, 60_000);

  test('[4.8/expires] stays until the end of the day that is named', async () => {
    const answer = await make({ audio64: base64(aWav(1)), expires: addDays(today(), 3) });
    expect(answer.body.return['cdw_expires ']).toBe(addDays(today(), 3));
    expect((await make({ text: 'Olá', expires: today() })).body.return['cdw_expires ']).toBe(today());
    expectRefusal(
      await make({ text: 'Olá', expires: addDays(today(), -1) }),
      '299',
      /expires must not be over/,
    );
    expectRefusal(await make({ text: 'Olá', expires: '2026-02-30' }), '299', /expires must be a date/);
  }, 30_000);

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
  }, 30_000);
});

describe('what is refused', () => {
  test('[7/CreateAudioFile/205] a program, whatever it is called', async () => {
    const program = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(500)]);
    expectRefusal(await upload(program, {}, 'music.mp3'), '205', /program: ELF/);
    expectRefusal(
      await make({ audio64: base64(Buffer.from(`#!/bin/sh\n${'x'.repeat(200)}`)) }),
      '205',
      /script/,
    );
    await expectNothingLeft();
  }, 30_000);

  test('[7/CreateAudioFile/220] [4.8/failure] nothing to make sound of', async () => {
    expectRefusal(await make({ name: 'x' }), '220', /text, a file, audio64/);
    expectRefusal(await make({ text: '   ' }), '220', /text/);
    expectRefusal(await upload(Buffer.alloc(0), {}, ''), '220', /text/);
  });

  test('[4.8/exclusive] a text and a file at once', async () => {
    expectRefusal(await make({ text: 'Olá', audio64: base64(aWav(1)) }), '299', /only one of/);
    expectRefusal(await upload(aWav(1), { text: 'Olá' }), '299', /only one of/);
    await expectNothingLeft();
  });

  test('[7/CreateAudioFile/221] a file that is too large, no sound, cut off, or hours of silence', async () => {
    expectRefusal(await upload(Buffer.alloc(350_000, 1)), '221', /upload error 2/, 413);
    expectRefusal(
      await upload(Buffer.from('no sound at all. '.repeat(20)), {}, 'speech.wav'),
      '221',
      /upload error 8/,
    );
    const cut = aWav(1).subarray(0, 100);
    expectRefusal(await upload(cut), '221', /upload error 8/);
    expectRefusal(await upload(writeWav(someSilence(2), 8000), { delsilence: '3' }), '221', /upload error 8/);
    await expectNothingLeft();
  }, 60_000);

  test('[7/CreateAudioFile/221] more than an hour of sound in a small file', async () => {
    const roomy = await startTestService();
    try {
      const form = new FormData();
      form.set('tsid', demoToken);
      form.set('audio', new Blob([new Uint8Array(await silentMp3(2 * 3600))]), 'bomb.mp3');
      expectRefusal(await roomy.post('CreateAudioFile', form), '221', /upload error 2: .*3600 seconds/);
      expect((await roomy.database.pool.query('SELECT id FROM audios')).rows).toEqual([]);
    } finally {
      await roomy.stop();
    }
  }, 120_000);

  test('[7/CreateAudioFile/222] a file without a name, unless name_up says one', async () => {
    const part = (fields: string) =>
      `--b\r\nContent-Disposition: form-data; name="tsid"\r\n\r\n${demoToken}\r\n${fields}--b\r\n` +
      'Content-Disposition: form-data; name="audio"; filename=""\r\nContent-Type: audio/wav\r\n\r\n' +
      `${aWav(0.5).toString('latin1')}\r\n--b--\r\n`;
    const send = (fields = '') =>
      fetch(`${on.url}/api/v2/CreateAudioFile.php`, {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: Buffer.from(part(fields), 'latin1'),
      }).then(async (response) => ({
        http: response.status,
        headers: response.headers,
        body: await response.json(),
      }));
    expectRefusal(await send(), '222', /no name/);
    const named = await send('--b\r\nContent-Disposition: form-data; name="name_up"\r\n\r\nx.wav\r\n');
    expect(named.body).toMatchObject({ return: { status_code: '0' } });
  }, 30_000);

  test('[7/CreateAudioFile/223] a file smaller than 100 bytes', async () => {
    expectRefusal(await upload(aWav(1).subarray(0, 99)), '223', /100 bytes/);
    expectRefusal(await make({ audio64: base64(Buffer.alloc(99)) }), '223', /100 bytes/);
  });

  test('[7/CreateAudioFile/224] base64 that is none, or is no sound', async () => {
    expectRefusal(await make({ audio64: '%%%%' }), '224', /cannot be decoded/);
    expectRefusal(await make({ audio64: 'A'.repeat(401) }), '224', /left over/);
    expectRefusal(await make({ audio64: base64(Buffer.alloc(500, 'text')) }), '224', /cannot be decoded/);
    await expectNothingLeft();
  }, 30_000);

  test('[7/CreateAudioFile/226] a body whose fields are beyond all limits', async () => {
    expectRefusal(await upload(aWav(1), { name: 'x'.repeat(500_000) }), '226', /discarded/, 413);
  });

  test('[7/CreateAudioFile/299] values out of range, each by its name', async () => {
    const text = 'Olá';
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ rate: 7 }, /^rate must be/],
      [{ rate: -7 }, /^rate must be/],
      [{ speed: 0.4 }, /^speed must be/],
      [{ speed: 2.1 }, /^speed must be/],
      [{ speed: 'fast' }, /^speed must be/],
      [{ delsilence: 4 }, /^delsilence must be/],
      [{ incsilence: -1 }, /^incsilence must be/],
      [{ incsilence: 60_001 }, /^incsilence must be/],
      [{ ttswrt: 2 }, /^ttswrt must be/],
      [{ type: 'music' }, /^type must be/],
      [{ cdg_id: 'x' }, /^cdg_id must be/],
      [{ encoding: 'KOI8' }, /^encoding must be/],
      [{ text: 'x'.repeat(5001) }, /^text must be/],
    ];
    for (const [body, status] of wrong) expectRefusal(await make({ text, ...body }), '299', status);
    await expectNothingLeft();
  });
});

describe('the list', () => {
  const put = async (row: Record<string, unknown>): Promise<void> => {
    const full = {
      account_id: demoAccount,
      type: 'upload',
      name: '',
      wav: 'audio-x',
      seconds: 1.5,
      created_at: Date.now(),
      expires_at: Date.now() + 60_000,
      ...row,
    };
    const names = Object.keys(full);
    await on.database.pool.query(
      `INSERT INTO audios (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
      Object.values(full),
    );
  };

  test('[2.5/listed] [4.9/shown] shows what is visible and there, newest first, of this account only', async () => {
    const created_at = Date.UTC(2026, 0, 2, 1);
    await put({ id: 1, name: 'One', created_at, expires_at: Date.UTC(2030, 0, 2, 3) });
    await put({ id: 2, name: 'Hidden', visible: false });
    await put({ id: 3, name: 'Gone', expires_at: Date.now() - 1 });
    await put({ id: 4, name: 'Foreign', account_id: demoAccount + 1 });
    await put({ id: 5, name: 'Newest' });
    const audios = await list();
    expect(audios.map(({ cdw_file: file }) => file)).toEqual(['tf5', 'tf1']);
    expect(audios[1]).toEqual({
      cdw_file: 'tf1',
      cdw_file_test: '',
      cdw_name: 'One',
      cdw_sec: '1.5',
      cdw_date: '2026-01-01',
      cdw_expires: '2030-01-01',
      cdw_type: 'upload',
    });
  });

  test('[4.8/dis] leaves out what was made with dis=NO, which plays all the same', async () => {
    const hidden = await make({ audio64: base64(aWav(1)), dis: 'NO' });
    expect(await list()).toEqual([]);
    const call = await on.post('MakeTTSCall', { dest: '11987650200', content: hidden.body.return.cdw_file });
    expect(call.body.return.status_code).toBe('0');
    await make({ audio64: base64(aWav(1)), dis: 'yes' });
    expect(await list()).toHaveLength(1);
  }, 30_000);

  test('[4.9/type] narrows by type', async () => {
    for (const [id, type] of ['tts', 'upload', 'rec', 'ttsvar'].entries()) await put({ id: id + 1, type });
    expect(await list()).toHaveLength(4);
    expect(await list({ type: 'todas' })).toHaveLength(4);
    for (const type of ['tts', 'upload', 'rec', 'ttsvar'])
      expect((await list({ type })).map(({ cdw_type: one }) => one)).toEqual([type]);
    const wrong = await on.post('GetAudiosList', { type: 'music' });
    expect(wrong.body).toMatchObject({ return: { status_code: '299' }, audios: [] });
  });

  test('[4.9/search] finds in name, id and text, whatever case and accents', async () => {
    await put({ id: 1, name: 'Promoção de Verão' });
    await put({ id: 22, name: 'b', text: 'Olá, senhor <NOME>' });
    const found = async (search: string) => (await list({ search })).map(({ cdw_file: file }) => file);
    expect(await found('PROMOCAO')).toEqual(['tf1']);
    expect(await found('verão')).toEqual(['tf1']);
    expect(await found('ola, senhor')).toEqual(['tf22']);
    expect(await found('TF22')).toEqual(['tf22']);
    expect(await found('%')).toEqual([]);
    expect(await found('b\nola')).toEqual([]);
  });

  test('[4.9/maxreg] shows 100 unless told, and as many as there are when told', async () => {
    await on.database.pool.query(
      `INSERT INTO audios (account_id, id, type, created_at, expires_at)
       SELECT $1, n, 'upload', $2::int8, $2::int8 + 60000 FROM generate_series(1, 2500) n`,
      [demoAccount, Date.now()],
    );
    expect(await list()).toHaveLength(100);
    expect((await list({ maxreg: 3 })).map(({ cdw_file: file }) => file)).toEqual([
      'tf2500',
      'tf2499',
      'tf2498',
    ]);
    expect(await list({ maxreg: 2300 })).toHaveLength(2300);
    const all = await list({ maxreg: 1_000_000 });
    expect(new Set(all.map(({ cdw_file: file }) => file)).size).toBe(2500);
    expect((await on.post('GetAudiosList', { maxreg: 0 })).body.return.status_code).toBe('299');
  });

  test('[7/GetAudiosList/500] says so when the database errs', async () => {
    await on.database.pool.query('ALTER TABLE audios RENAME TO audios_away');
    try {
      for (const maxreg of [100, 5000]) {
        const answer = await on.post('GetAudiosList', { maxreg });
        expect(answer.http).toBe(500);
        expect(answer.body).toMatchObject({ return: { status_code: '500' }, audios: [] });
      }
    } finally {
      await on.database.pool.query('ALTER TABLE audios_away RENAME TO audios');
    }
  });

  test('[8/audio-kept] keeps an asset that expired while an active campaign plays it, until that campaign’s end', async () => {
    await put({ id: 7, expires_at: Date.now() - 1000 });
    await put({ id: 77, expires_at: Date.now() - 1000 });
    const campaign = (active: boolean, days: number) =>
      on.database.pool.query(
        `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
           date_start, date_end, time_start, time_end, audio)
         VALUES ($1, 900, 0, 'play', 1, '{}', 'c', $2, 'active', $3, $4, '00:00:00', '23:59:59', 'tf5 tf7')
         ON CONFLICT (account_id, id) DO UPDATE SET active = excluded.active, date_end = excluded.date_end`,
        [demoAccount, active, today(), addDays(today(), days)],
      );
    expect(await list()).toEqual([]);
    await campaign(true, 2);
    expect(await list()).toMatchObject([{ cdw_file: 'tf7', cdw_expires: addDays(today(), 2) }]);
    const call = await on.post('MakeTTSCall', { dest: '11987650300', content: '7' });
    expect(call.body.return).toMatchObject({ status_code: '0' });
    expect(call.body.return.warning).toBeUndefined();
    await campaign(true, -3);
    expect(await list()).toEqual([]);
    await campaign(false, 2);
    expect(await list()).toEqual([]);
    await on.database.pool.query('DELETE FROM campaigns WHERE id = 900');
  });
});

describe('the admin API', () => {
  test('lists assets with addresses to listen to, hidden ones too, page by page', async () => {
    await make({ audio64: base64(aWav(1)), dis: 'NO', name: 'Hidden' });
    const { body } = await on.admin('GET', `/accounts/${demoAccount}/audios`);
    expect(body).toMatchObject({
      audios: [
        {
          name: 'Hidden',
          visible: false,
          type: 'upload',
          seconds: 1,
          url: expect.stringContaining('/media/'),
        },
      ],
      cursor: null,
    });
    const { pathname, search } = new URL(body.audios[0].mp3_url);
    const mp3 = await fetch(on.url + pathname + search);
    expect([mp3.status, mp3.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(
      (await on.admin('GET', `/accounts/${demoAccount}/audios?cursor=${body.audios[0].id}`)).body.audios,
    ).toEqual([]);
  }, 30_000);

  test('deletes an asset with its files, but not one that an active campaign plays, nor another account’s', async () => {
    const { body } = await make({ audio64: base64(aWav(1)) });
    const file = body.return.cdw_file as string;
    const link = (await on.admin('GET', `/accounts/${demoAccount}/audios`)).body.audios[0].url as string;
    await on.database.pool.query(
      `INSERT INTO campaigns (account_id, id, created_at, mode, list_id, definition, name, active, state,
         date_start, date_end, time_start, time_end, audio)
       VALUES ($1, 901, 0, 'play', 1, '{}', 'c', true, 'active', $2, $2, '00:00:00', '23:59:59', $3)`,
      [demoAccount, today(), file],
    );
    expect((await on.admin('DELETE', `/accounts/${demoAccount}/audios/${file}`)).http).toBe(409);
    await on.database.pool.query('DELETE FROM campaigns WHERE id = 901');
    expect((await on.admin('DELETE', `/accounts/2/audios/${file}`)).http).toBe(404);
    const listen = async () => (await fetch(on.url + link.slice(new URL(link).origin.length))).status;
    expect(await listen()).toBe(200);
    expect((await on.admin('DELETE', `/accounts/${demoAccount}/audios/${file}`)).http).toBe(204);
    expect(await listen()).toBe(404);
    expect(await list()).toEqual([]);
  }, 30_000);
});

describe('a call', () => {
  test('plays an asset, with or without tf, and names the day on which it goes', async () => {
    const { body } = await make({ text: 'Até amanhã' });
    const id = body.return.cdw_file as string;
    for (const content of [id, id.slice(2)]) {
      const call = await on.post('MakeTTSCall', { dest: '11987650400', content, httpdup: 0 });
      expect(call.body.return.warning).toBe(`content ${id} expires on ${addDays(today(), 1)}`);
      expect((await on.ended(call.body.return.cd_id)).cd_status).toBe('OK');
    }
  }, 60_000);

  test('is refused with 204 for an asset of another account, one that is gone, and one that never was', async () => {
    await on.database.pool.query(
      `INSERT INTO audios (account_id, id, type, wav, created_at, expires_at)
       VALUES ($1, 8, 'upload', 'audio-8', 0, $3), ($2, 9, 'upload', 'audio-9', 0, 1)`,
      [demoAccount + 1, demoAccount, Date.now() + 60_000],
    );
    for (const content of ['tf8', '9', 'tf10', '99999999999'])
      expect((await on.post('MakeTTSCall', { dest: '11987650500', content })).body.return.status_code).toBe(
        '204',
      );
  });
});

/** Silence as small as MP3 can say it. */
const silentMp3 = async (seconds: number): Promise<Buffer> => {
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: 1, sampleRate: 16_000, bitrate: 8 });
  const minute = new Float32Array(16_000 * 60);
  const parts = Array.from({ length: Math.ceil(seconds / 60) }, () => Buffer.from(encoder.encode([minute])));
  return Buffer.concat(parts);
};
