/**
 * A stand-in for Google Cloud Text-to-Speech that takes nothing on trust: method, path, headers and every field of
 * the body must be as documented, or it answers as Google would. On demand it has a bad day.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { writeWav } from '../../../../src/providers/sound/wav.ts';

/** How the next answers go wrong; absent: they do not. */
export type Mood = (response: ServerResponse) => void;

export interface FakeGoogle {
  url: string;
  /** What was asked to be spoken, in order. */
  spoken: z.output<typeof synthesize>[];
  /** `METHOD path` of every request. */
  asked: string[];
  /** The answer to `GET v1/voices`. */
  listed: unknown;
  /** The next answers; one each. */
  moods: Mood[];
  close(): Promise<void>;
}

export const fakeKey = 'AIza-test-key';

/** Seconds that one character takes at the usual pace. */
export const secondsPerCharacter = 0.05;

const voices = [
  { languageCodes: ['pt-BR'], name: 'pt-BR-Wavenet-A', ssmlGender: 'FEMALE', naturalSampleRateHertz: 24_000 },
  { languageCodes: ['pt-BR'], name: 'pt-BR-Neural2-B', ssmlGender: 'MALE', naturalSampleRateHertz: 24_000 },
  { languageCodes: ['en-US'], name: 'en-US-Casual-K', ssmlGender: 'MALE', naturalSampleRateHertz: 24_000 },
  {
    languageCodes: ['en-US', 'pt-BR'],
    name: 'Achernar',
    ssmlGender: 'FEMALE',
    naturalSampleRateHertz: 24_000,
  },
];

/** All that we send; a field that is not documented here is refused, as the API refuses unknown names. */
const synthesize = z.strictObject({
  input: z.strictObject({ text: z.string().min(1) }),
  voice: z.strictObject({ languageCode: z.string(), name: z.string() }),
  audioConfig: z.strictObject({
    audioEncoding: z.literal('LINEAR16'),
    sampleRateHertz: z.literal(8000),
    speakingRate: z.number().min(0.25).max(2),
  }),
});

export const startFakeGoogle = async (): Promise<FakeGoogle> => {
  const fake = { spoken: [], asked: [], listed: { voices }, moods: [] as Mood[] } as unknown as FakeGoogle;
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      fake.asked.push(`${request.method} ${request.url}`);
      const mood = fake.moods.shift();
      if (mood) mood(response);
      else answer(fake, request, text, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return fake;
};

/** A refusal in the form of Google's APIs. */
export const refuse = (
  response: ServerResponse,
  status: number,
  message: string,
  details: object[] = [],
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify({ error: { code: status, message, status: 'FAKE', details } }));
};

const answer = (fake: FakeGoogle, request: IncomingMessage, text: string, response: ServerResponse): void => {
  const key = request.headers['x-goog-api-key'];
  if (key === undefined) return refuse(response, 403, 'The request is missing a valid API key.');
  if (key !== fakeKey) {
    return refuse(response, 400, `API key not valid: ${String(key)}`, [{ reason: 'API_KEY_INVALID' }]);
  }
  if (request.url === '/v1/voices') {
    if (request.method !== 'GET') return refuse(response, 404, 'no such method');
    return send(response, fake.listed);
  }
  if (request.url !== '/v1/text:synthesize' || request.method !== 'POST') {
    return refuse(response, 404, `${request.method} ${request.url} is not known`);
  }
  if (request.headers['content-type'] !== 'application/json; charset=utf-8') {
    return refuse(response, 400, 'Invalid content type');
  }
  speak(fake, text, response);
};

const speak = (fake: FakeGoogle, text: string, response: ServerResponse): void => {
  const read = synthesize.safeParse(JSON.parse(text));
  if (!read.success) return refuse(response, 400, z.prettifyError(read.error));
  const { input, voice, audioConfig } = read.data;
  if (Buffer.byteLength(input.text) > 5000) {
    return refuse(
      response,
      400,
      'Either `input.text` or `input.ssml` is longer than the limit of 5000 bytes.',
    );
  }
  const known = voices.find(({ name }) => name === voice.name);
  if (!known?.languageCodes.includes(voice.languageCode)) {
    return refuse(response, 400, `Voice '${voice.name}' does not exist. Is it misspelled?`);
  }
  fake.spoken.push(read.data);
  const seconds = (input.text.length * secondsPerCharacter) / audioConfig.speakingRate;
  send(response, { audioContent: tone(seconds, known.name).toString('base64') });
};

/** Every voice has a pitch of its own. */
const tone = (seconds: number, voice: string): Buffer => {
  const hertz = 300 + 100 * voices.findIndex(({ name }) => name === voice);
  const samples = new Int16Array(Math.round(seconds * 8000));
  for (let index = 0; index < samples.length; index++) {
    samples[index] = Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / 8000));
  }
  return writeWav(samples, 8000);
};

const send = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' });
  response.end(JSON.stringify(body));
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};
