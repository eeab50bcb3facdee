/** Texts and files that no asset can be made of. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeWav } from '../../src/providers/sound/wav.ts';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';
import { silentMp3 } from '../helpers/silentMp3.ts';
import { aWav, someSilence } from '../helpers/wav.ts';
import { askedAudios, type AudioBed, base64, expectRefusal, startAudioBed } from './askedAudios.ts';

let bed: AudioBed;
let on: TestService;
beforeAll(async () => {
  bed = await startAudioBed();
  ({ on } = bed);
});
beforeEach(() => bed.clear());
afterEach(() => bed.checkFiles());
afterAll(() => bed.stop());

const { make, upload, expectNothingLeft } = askedAudios(() => on);

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
  });

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
  });

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
  });

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
  });

  test('[7/CreateAudioFile/223] a file smaller than 100 bytes', async () => {
    expectRefusal(await upload(aWav(1).subarray(0, 99)), '223', /100 bytes/);
    expectRefusal(await make({ audio64: base64(Buffer.alloc(99)) }), '223', /100 bytes/);
  });

  test('[7/CreateAudioFile/224] base64 that is none, or is no sound', async () => {
    expectRefusal(await make({ audio64: '%%%%' }), '224', /cannot be decoded/);
    expectRefusal(await make({ audio64: true }), '224', /cannot be decoded/);
    expectRefusal(await make({ audio64: 'A'.repeat(401) }), '224', /left over/);
    expectRefusal(await make({ audio64: base64(Buffer.alloc(500, 'text')) }), '224', /cannot be decoded/);
    await expectNothingLeft();
  });

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
