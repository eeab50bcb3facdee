/** What the service uses beside its database: Redis, ffmpeg, a virus scanner, a bucket, voices, SMSCs. */
import { connect } from 'node:net';
import type { Pool } from 'pg';
import type { Config } from '../../config.ts';
import { clamdScanner } from '../../providers/scanner/clamd.ts';
import { findFfmpeg } from '../../providers/sound/findFfmpeg.ts';
import { espeakSynthesizer } from '../../providers/speech/espeak.ts';
import { findEspeak, espeakProgramTitle } from '../../providers/speech/findEspeak.ts';
import { defaultVoice, splitVoiceProviderAndName } from '../../rules/voice/voiceName.ts';
import { readActiveSmsRoutes } from '../../store/reads/sms/smsRoutesAndSubmittedSms.ts';
import {
  type DoctorFinding,
  failedFinding,
  ok,
  describeError,
  urlWithoutCredentials,
  warningFinding,
} from './finding.ts';

/** Of connections, milliseconds. */
const patienceMs = 5_000;

export const checkRedis = async (url: string | undefined): Promise<DoctorFinding[]> => {
  if (url === undefined) return [ok('redis', 'none is configured: right for a single node')];
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
  });
  let why: unknown;
  redis.on('error', (error) => (why = error));
  try {
    await redis.connect();
    await redis.ping();
    return [ok('redis', `answers at ${urlWithoutCredentials(url)}`)];
  } catch (error) {
    const says = `${urlWithoutCredentials(url)} does not answer: ${describeError(why ?? error)}`;
    return [
      failedFinding(
        'redis',
        says,
        'Start it, or correct REDIS_URL. Without it nodes count by themselves and hear of each other late.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
};

/** `searchPath`: of the configuration; undefined: `FFMPEG=none`. */
export const checkFfmpeg = async (searchPath: string | undefined): Promise<DoctorFinding[]> => {
  if (searchPath === undefined) return [ok('ffmpeg', 'not used (FFMPEG=none): WebAssembly decodes uploads')];
  const found = await findFfmpeg(searchPath);
  return [
    found
      ? ok('ffmpeg', `${found.version} decodes uploads`)
      : warningFinding(
          'ffmpeg',
          'there is none in PATH: WebAssembly decodes MP3, Opus, Vorbis, FLAC and WAV, and nothing else',
          'Install ffmpeg 5 or newer for other kinds of sound.',
        ),
  ];
};

export const checkVirusScanner = async (url: string | undefined): Promise<DoctorFinding[]> => {
  if (url === undefined)
    return [ok('clamd', 'none is configured (CLAMD_URL): uploads are looked through for programs only')];
  try {
    const { ok: isGood, detail } = await clamdScanner({ url }).health();
    if (isGood) return [ok('clamd', `answers at ${url}`)];
    return [failedFinding('clamd', `${url}: ${detail}`, 'Correct CLAMD_URL: something else listens there.')];
  } catch (error) {
    const todo = 'Start clamd, or correct CLAMD_URL: uploads are refused meanwhile.';
    return [failedFinding('clamd', `${url}: ${describeError(error)}`, todo)];
  }
};

export const checkBucket = async ({ s3, dataDir }: Config): Promise<DoctorFinding[]> => {
  if (!s3) return [];
  const { s3Media } = await import('../../providers/media/s3.ts');
  try {
    await s3Media({ ...s3, folder: dataDir }).stat(0, 'health');
    return [ok('bucket', `${s3.bucket} at ${urlWithoutCredentials(s3.endpoint)} answers`)];
  } catch (error) {
    const todo = 'Correct S3_BUCKET, S3_ENDPOINT and the keys; the service does not start before.';
    return [
      failedFinding(
        'bucket',
        `${s3.bucket} at ${urlWithoutCredentials(s3.endpoint)}: ${describeError(error)}`,
        todo,
      ),
    ];
  }
};

/** One word is spoken, in a process like the service's own. */
export const checkSpeechVoices = async ({
  espeak: places,
}: Pick<Config, 'espeak'>): Promise<DoctorFinding[]> => {
  const found = await findEspeak(places);
  if (!found)
    return [
      warningFinding(
        'voices',
        'there is no espeak-ng: requests with texts are refused, and audio files are played',
        'Install it (apt-get install espeak-ng), or its package: npm install --no-save espeak-ng',
      ),
    ];
  const title = espeakProgramTitle(found);
  const synthesizer = espeakSynthesizer({ program: found.program });
  try {
    const voices = await synthesizer.voices();
    await synthesizer.speak({ text: 'ramal', voice: splitVoiceProviderAndName(defaultVoice).voice, rate: 0 });
    return [ok('voices', `${title} speaks, in ${voices.length} voices`)];
  } catch (error) {
    const todo = 'Install it again, or choose another with ESPEAK.';
    return [failedFinding('voices', `${title} does not speak: ${describeError(error)}`, todo)];
  } finally {
    await synthesizer.stop();
  }
};

const mostRoutes = 50;

/** Whether the SMSCs of the SMPP routes can be reached from here; they are not bound, which could end the service's link. */
export const checkSmppRoutes = async (pool: Pool): Promise<DoctorFinding[]> => {
  const routes = await readActiveSmsRoutes(pool, { kinds: ['smpp'], limit: mostRoutes });
  return Promise.all(
    routes.map(async ({ id, account, settings }): Promise<DoctorFinding> => {
      const { host, port = 2775 } = settings as { host: string; port?: number };
      const which = `SMS route ${id} of account ${account}`;
      const why = await notConnected(host, port);
      return why === undefined
        ? ok('smpp', `${which}: ${host}:${port} takes connections`)
        : failedFinding(
            'smpp',
            `${which}: ${host}:${port} ${why}`,
            'Ask the provider, or correct host and port of the route.',
          );
    }),
  );
};

/** Why a TCP connection does not come about; undefined: it does. */
const notConnected = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    const settle = (why?: string): void => {
      socket.destroy();
      resolve(why);
    };
    socket.setTimeout(patienceMs, () => settle('does not answer'));
    socket.once('connect', () => settle());
    socket.once('error', (error) => settle(`cannot be reached: ${describeError(error)}`));
  });
