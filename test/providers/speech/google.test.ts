import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';
import type { Synthesizer } from '../../../src/providers/contracts/speech.ts';
import { googleSynthesizer } from '../../../src/providers/speech/google.ts';
import { readWav } from '../../../src/providers/sound/wav.ts';
import { type FakeGoogle, fakeKey, type Mood, refuse, startFakeGoogle } from './google/fake.ts';
import { synthesizerContract } from './synthesizer.contract.ts';

let fake: FakeGoogle;
beforeAll(async () => {
  fake = await startFakeGoogle();
});
afterAll(() => fake.close());

describe('Google, as every synthesizer,', () => {
  synthesizerContract({
    start: () => googleSynthesizer({ key: fakeKey, url: fake.url }),
    voices: ['pt-BR-Wavenet-A', 'pt-BR-Neural2-B'],
  });
});

describe('Google', () => {
  let google: Synthesizer;
  const start = (options: Partial<Parameters<typeof googleSynthesizer>[0]> = {}) =>
    (google = googleSynthesizer({ key: fakeKey, url: fake.url, ...options }));
  beforeEach(() => {
    fake.spoken = [];
    fake.asked = [];
    fake.moods = [];
    start();
  });
  afterEach(() => google.stop());

  const say = (text = 'Bom dia', voice = 'pt-BR-Wavenet-A', rate = 0) => google.speak({ text, voice, rate });
  /** What a bad day makes of a text. */
  const failing = async (mood: Mood, options = {}): Promise<Error> => {
    await google.stop();
    start(options);
    fake.moods.push(mood);
    return say().then(
      () => expect.fail('it was spoken'),
      (error: Error) => error,
    );
  };

  it('is asked for telephone sound at the pace wanted, under the address given', async () => {
    await say('Olá', 'pt-BR-Wavenet-A', 3);
    expect(fake.asked).toEqual(['POST /v1/text:synthesize']);
    expect(fake.spoken).toEqual([
      {
        input: { text: 'Olá' },
        voice: { languageCode: 'pt-BR', name: 'pt-BR-Wavenet-A' },
        audioConfig: { audioEncoding: 'LINEAR16', sampleRateHertz: 8000, speakingRate: 1.331 },
      },
    ]);
  });

  it('lists the voices that a name is enough for', async () => {
    expect(await google.voices()).toEqual([
      {
        name: 'Google|pt-BR-Wavenet-A',
        title: 'Portuguese (Brazil) Wavenet A',
        language: 'pt-BR',
        gender: 'F',
      },
      {
        name: 'Google|pt-BR-Neural2-B',
        title: 'Portuguese (Brazil) Neural2 B',
        language: 'pt-BR',
        gender: 'M',
      },
      {
        name: 'Google|en-US-Casual-K',
        title: 'English (United States) Casual K',
        language: 'en-US',
        gender: 'M',
      },
    ]);
    expect(fake.asked).toEqual(['GET /v1/voices']);
  });

  it('is not believed when it lists nothing, or something else', async () => {
    const usual = fake.listed;
    for (const listed of [{}, { voices: [] }, { voices: 'many' }, { voices: [7, { name: '|' }] }, []]) {
      fake.listed = listed;
      await expect(google.voices()).rejects.toThrow(Retryable);
    }
    fake.listed = usual;
  });

  it('speaks a text of many bytes in pieces, without a gap', async () => {
    const text = 'Atenção, não é a última. '.repeat(300).trim();
    const { samples } = readWav(await say(text));
    expect(fake.spoken.length).toBe(2);
    expect(fake.spoken.map(({ input }) => input.text).join('')).toBe(text);
    expect(samples.length).toBe(text.length * 400);
  });

  it('is asked again after 429, when it says so, and after a fault of its own', async () => {
    const busy = await failing((to) => refuse(to, 429, 'Quota exceeded', [], { 'retry-after': '7' }));
    expect(busy).toBeInstanceOf(Retryable);
    expect(busy).toMatchObject({ message: 'Google answered 429 Quota exceeded', afterMs: 7000 });
    const endless = await failing((to) => refuse(to, 429, '', [], { 'retry-after': '999999' }));
    expect(endless).toMatchObject({ afterMs: 300_000 });
    const odd = await failing((to) => refuse(to, 429, '', [], { 'retry-after': 'soon' }));
    expect(odd).toMatchObject({ afterMs: undefined });
    for (const status of [408, 500, 502, 503]) {
      expect(await failing((to) => refuse(to, status, 'bad day'))).toBeInstanceOf(Retryable);
    }
  });

  it('is asked again when the answer is cut, is late, is too large, or comes from somebody else', async () => {
    const html: Mood = (to) => void to.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
    expect((await failing(html)).message).toBe('Google answered with something that is no JSON');
    const cut: Mood = (to) => {
      to.writeHead(200, { 'content-length': '1000' });
      to.write('{"audioContent":"', () => to.destroy());
    };
    const late: Mood = () => {};
    const dripping: Mood = (to) => void to.writeHead(200).write('{');
    const large: Mood = (to) => void to.writeHead(200).end('x'.repeat(100_000));
    for (const [mood, options] of [
      [cut, {}],
      [(to: ServerResponse) => void to.destroy(), {}],
      [late, { timeoutMs: 200 }],
      [dripping, { timeoutMs: 200 }],
      [large, { maxAnswerBytes: 10_000 }],
    ] as const) {
      const error = await failing(mood, options);
      expect(error).toBeInstanceOf(Retryable);
      expect(error.message).toBe('Google did not answer POST /v1/text:synthesize');
    }
    const answers = ['{}', '{"audioContent":""}', '{"audioContent":"AAAA"}', 'null'];
    for (const body of answers) {
      expect(await failing((to) => void to.writeHead(200).end(body))).toBeInstanceOf(Retryable);
    }
  });

  it('is not asked again for what it refuses', async () => {
    const refused = await failing((to) => refuse(to, 400, 'This text cannot be spoken'));
    expect(refused).toBeInstanceOf(NotRetryable);
    expect(refused).toMatchObject({
      reason: 'refusedBySynthesizer',
      message: 'Google answered 400 This text cannot be spoken',
    });
    const moved: Mood = (to) => void to.writeHead(302, { location: 'http://elsewhere.example/' }).end();
    expect(await failing(moved)).toBeInstanceOf(NotRetryable);
  });

  it('is away when nobody listens there', async () => {
    await google.stop();
    start({ url: 'http://127.0.0.1:9' });
    await expect(say()).rejects.toThrow(Retryable);
    await expect(google.voices()).rejects.toThrow(Retryable);
  });

  it('says that the key is wrong without saying the key, or more than customers should read', async () => {
    const failures = [await failing((to) => refuse(to, 401, 'Project 4711: denied'))];
    failures.push(await failing((to) => refuse(to, 403, 'Project 4711: denied')));
    await google.stop();
    start({ key: 'AIza-wrong' });
    failures.push(
      await say().then(
        () => expect.fail('it was spoken'),
        (error: Error) => error,
      ),
    );
    for (const error of failures) {
      expect(error).toBeInstanceOf(NotRetryable);
      expect(error).toMatchObject({
        reason: 'notAuthorised',
        message: 'Google does not accept the key of this service',
      });
      expect((error.cause as Error).message).not.toContain('AIza');
    }
  });
});
