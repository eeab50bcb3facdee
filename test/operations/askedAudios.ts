/** A service that takes small audio files, and CreateAudioFile as the demo account asks for it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toLocal } from '../../src/lib/localTime.ts';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';
import { measureWav } from '../helpers/wav.ts';

export interface AudioBed {
  on: TestService;
  /** No account has an asset. */
  clear(): Promise<void>;
  /** Throws when a request left a file behind that was its own. */
  checkFiles(): void;
  stop(): Promise<void>;
}

export const startAudioBed = async (): Promise<AudioBed> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-audios-'));
  const on = await startTestService({
    DATA_DIR: dataDir,
    MAX_AUDIO_BYTES: '300000',
    MAX_BODY_BYTES: '400000',
    // A third party that is never there.
    GOOGLE_TTS_KEY: 'no-key',
    GOOGLE_TTS_URL: 'http://127.0.0.1:9',
  });
  return {
    on,
    clear: async () => void (await on.database.pool.query('DELETE FROM audios')),
    checkFiles: () => {
      const left = readdirSync(join(dataDir, 'tmp'), { recursive: true, withFileTypes: true });
      const files = left.filter((entry) => entry.isFile());
      if (files.length > 0) throw new Error(`left behind: ${files.map(({ name }) => name).join(', ')}`);
    },
    stop: async () => {
      await on.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
};

export interface AskedAudios {
  make(body: Record<string, unknown>, headers?: Record<string, string>): Promise<RestAnswer>;
  /** A form with a file and more fields. */
  upload(file: Buffer, fields?: Record<string, string>, name?: string, field?: string): Promise<RestAnswer>;
  list(query?: Record<string, unknown>): Promise<Record<string, string>[]>;
  /** The row of what was made. */
  rowOf(answer: RestAnswer): Promise<Record<string, string>>;
  /** The asset's sound, as the admin API lets one listen to it. */
  soundOf(answer: RestAnswer): Promise<ReturnType<typeof measureWav>>;
  expectNothingLeft(): Promise<void>;
}

/** `on`: the service, once it is started. */
export const askedAudios = (on: () => TestService): AskedAudios => ({
  make: (body, headers) => on().post('CreateAudioFile', body, headers),
  upload: (file, fields = {}, name = 'tone.wav', field = 'audio') => {
    const form = new FormData();
    form.set('tsid', demoToken);
    for (const [key, value] of Object.entries(fields)) form.set(key, value);
    form.set(field, new Blob([new Uint8Array(file)]), name);
    return on().post('CreateAudioFile', form);
  },
  list: async (query = {}) => (await on().post('GetAudiosList', query)).body.audios,
  rowOf: async (answer) => {
    const id = Number(answer.body.return.cdw_file.slice(2));
    const found = await on().database.pool.query('SELECT * FROM audios WHERE id = $1', [id]);
    return found.rows[0];
  },
  soundOf: async (answer) => {
    const { body } = await on().admin('GET', `/accounts/${demoAccount}/audios`);
    const { url } = body.audios.find(
      ({ cdw_file: file }: { cdw_file: string }) => file === answer.body.return.cdw_file,
    );
    const { pathname, search } = new URL(url);
    return measureWav(Buffer.from(await (await fetch(on().url + pathname + search)).arrayBuffer()));
  },
  expectNothingLeft: async () => {
    expect((await on().database.pool.query('SELECT id FROM audios')).rows).toEqual([]);
  },
});

export const expectRefusal = (answer: RestAnswer, code: string, text: RegExp, http = 400): void => {
  expect(answer.body.return).toMatchObject({ status_code: code, cdw_file: '0' });
  expect(answer.body.return.status).toMatch(text);
  expect(answer.http).toBe(http);
};

export const base64 = (file: Buffer): string => file.toString('base64');

export const secondsOf = (answer: RestAnswer): number => Number(answer.body.return['cdw_sec ']);

const zone = 'America/Sao_Paulo';
/** On the wall clock of the demo account. */
export const today = (): string => toLocal(Date.now(), zone).date;
