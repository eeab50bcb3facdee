import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGoogle, fakeKey, refuse, startFakeGoogle } from '../providers/speech/google/fake.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let fake: FakeGoogle;
let on: TestService;
beforeAll(async () => {
  fake = await startFakeGoogle();
  on = await startTestService({ GOOGLE_TTS_KEY: fakeKey, GOOGLE_TTS_URL: fake.url });
});
afterAll(async () => {
  await on.stop();
  await fake.close();
});

interface Listed {
  cdwv_id: number;
  cdwv_name: string;
  cdwv_sample: string;
}

const listed = async (tsid?: string): Promise<Listed[]> =>
  (await on.post('GetTTSVoices', tsid === undefined ? {} : { tsid })).body.voices;
const named = async (name: string, tsid?: string) =>
  (await listed(tsid)).find((voice) => voice.cdwv_name === name);
const places = async (call: object) =>
  (await on.post('MakeTTSCall', { dest: '11987650000', httpdup: 0, text: 'Oi', ...call })).body.return;
/** The sample under an address of the service that the test started. */
const fetchSample = (url: string) => {
  const { pathname, search } = new URL(url);
  return fetch(`${on.url}${pathname}${search}`);
};

/** A token of an account of its own. */
const anotherAccount = async () => {
  const { cdcs_id } = (await on.admin('POST', '/accounts', { name: 'Other' })).body;
  return { id: cdcs_id, tsid: (await on.admin('POST', `/accounts/${cdcs_id}/tokens`, {})).body.token };
};

describe('GetTTSVoices', () => {
  test('[4.10/voices] [2.6/fields] answers every field, and the name is used as it stands', async () => {
    const { http, body } = await on.post('GetTTSVoices', {});
    expect([http, body.return]).toEqual([200, { status: 'OK', status_code: '0' }]);
    expect(body.voices[0]).toEqual({
      cdwv_id: 1,
      cdwv_name: 'Espeak|pt-br',
      cdwv_tit: 'Portuguese (Brazil)',
      cdwv_short: 'pt-br',
      cdwv_type: 'tts',
      cdwv_language: 'pt-BR',
      cdwv_genre: 'M',
      cdwv_company: 'Espeak',
      cdwv_sample: expect.stringMatching(/^http:\/\/localhost:8080\/media\/0\/voice-1\.mp3\?e=\d+&s=/),
    });
    const ids = body.voices.map(({ cdwv_id }: Listed) => cdwv_id);
    expect(ids).toEqual([...new Set<number>(ids)].toSorted((a, b) => a - b));
    for (const { cdwv_name } of body.voices.slice(0, 3)) {
      expect((await places({ voice: cdwv_name })).status_code).toBe('0');
    }
  });

  test('[4.10/third-party] a third party’s voice is listed, and refused in a call', async () => {
    expect(await named('Google|pt-BR-Wavenet-A')).toMatchObject({
      cdwv_tit: 'Portuguese (Brazil) Wavenet A',
      cdwv_short: 'pt-BR-Wavenet-A',
      cdwv_language: 'pt-BR',
      cdwv_genre: 'F',
      cdwv_company: 'Google',
    });
    const refused = await places({ voice: 'Google|pt-BR-Wavenet-A' });
    expect([refused.status_code, refused.cd_id]).toEqual(['210', '0']);
  });

  test('[4.10/voices] lists what is there for all accounts, and what this one has', async () => {
    const other = await anotherAccount();
    const own = { provider: 'Espeak', name: 'pt-br+f4', title: 'Ana', language: 'pt-BR', gender: 'F' };
    const path = `/accounts/${demoAccount}/voices`;
    expect((await on.admin('POST', path, own)).http).toBe(201);
    expect(await named('Espeak|pt-br+f4')).toMatchObject({ cdwv_tit: 'Ana' });
    expect(await named('Espeak|pt-br+f4', other.tsid)).toBeUndefined();
    expect((await places({ voice: 'espeak|PT-BR+F4' })).status_code).toBe('0');
    expect((await places({ voice: 'Espeak|pt-br+f4', tsid: other.tsid })).status_code).toBe('299');
  });

  test('[4.10/failure] without a valid token there are no voices', async () => {
    const { http, body } = await on.post('GetTTSVoices', { tsid: 'x'.repeat(30) });
    expect([http, body.return.status_code, body.voices]).toEqual([401, '102', []]);
  });
});

describe('a sample', () => {
  /** Seconds and codec, by ffprobe where there is one. */
  const probed = (mp3: Buffer): { codec: string; seconds: number } | undefined => {
    const what = ['-show_entries', 'stream=codec_name:format=duration', '-of', 'json'];
    try {
      const said = execFileSync('ffprobe', ['-v', 'error', ...what, '-'], { input: mp3, encoding: 'utf8' });
      const { streams, format } = JSON.parse(said) as {
        streams: { codec_name: string }[];
        format: { duration?: string };
      };
      return { codec: streams[0]!.codec_name, seconds: Number(format.duration ?? 0) };
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  test('[2.6/sample] is an MP3 that plays, made once, of built-in and of third parties’ voices', async () => {
    for (const name of ['Espeak|pt-br', 'Google|pt-BR-Neural2-B']) {
      const { cdwv_sample } = (await named(name))!;
      const answers = await Promise.all([1, 2, 3].map(() => fetchSample(cdwv_sample)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers[0]!.headers.get('content-type')).toBe('audio/mpeg');
      const mp3 = Buffer.from(await answers[0]!.arrayBuffer());
      // Eleven set bits begin an MPEG frame, or an ID3 tag stands before it.
      expect(mp3.toString('latin1', 0, 3) === 'ID3' || mp3.readUInt16BE(0) >= 0xffe0).toBe(true);
      expect(mp3.length).toBeGreaterThan(5000);
      const known = probed(mp3);
      if (known) expect(known.codec).toBe('mp3');
    }
    expect(fake.spoken.map(({ input }) => input.text)).toEqual(['Olá! Esta é uma amostra da minha voz.']);
  });

  test('is not made for who only guesses its address', async () => {
    const { cdwv_sample } = (await named('Espeak|en-us'))!;
    const url = cdwv_sample.replace(/s=.*/, `s=${'A'.repeat(43)}`);
    expect((await fetchSample(url)).status).toBe(404);
  });

  test('is there later when the provider is away, and never when it refuses', async () => {
    const { cdwv_sample } = (await named('Google|en-US-Casual-K'))!;
    fake.moods = [(to) => refuse(to, 503, 'bad day')];
    const away = await fetchSample(cdwv_sample);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '30']);
    fake.moods = [(to) => refuse(to, 400, 'no')];
    expect((await fetchSample(cdwv_sample)).status).toBe(404);
    expect((await fetchSample(cdwv_sample)).status).toBe(200);
  });
});
