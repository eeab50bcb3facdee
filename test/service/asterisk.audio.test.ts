/** Audio assets on a real Asterisk: a sentence synthesised, listed and played; an MP3 with its silence cut off. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, lacking, startBed } from '../asterisk/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDataDir, type RunningService, startService } from './service.ts';
import { until } from '../helpers/patience.ts';

const absent = lacking();
const sentence =
  'Bom dia. Esta é uma mensagem da sua clínica. A sua consulta está confirmada para amanhã, às quatorze horas e trinta minutos.';

describe.skipIf(absent !== undefined)(
  `audio assets on a real Asterisk${absent ? ` (${absent})` : ''}`,
  () => {
    const folder = aDataDir();
    let bed: Bed;
    let database: TestDatabase;
    let service: RunningService;

    beforeAll(async () => {
      [bed, database] = await Promise.all([startBed(7), freshDatabase()]);
      service = await startService({
        databaseUrl: database.url,
        dataDir: folder.path,
        env: {
          CARRIER: 'asterisk',
          ARI_URL: `${bed.login.url}/ari`,
          ARI_USER: bed.login.user,
          ARI_PASSWORD: bed.login.password,
          NODE_NAME: 'audio-test',
        },
      });
    });
    afterAll(async () => {
      await service?.kill();
      await bed?.stop();
      await database?.drop();
      folder.remove();
    });

    /** Calls somebody who listens to the end, and tells how long the asset was heard, seconds. */
    const heard = async (content: string, number: string): Promise<number> => {
      const id = (await service.ramal.makeTTSCall({ dest: number, content })).return.cd_id;
      return until(async () => {
        const { body } = await service.admin('GET', `/machines/${id}`);
        const { state, history } = body as unknown as {
          state: string;
          history: { event: string; at: number }[];
        };
        if (state !== 'ended') return undefined;
        const at = (event: string): number => history.find((entry) => entry.event === event)!.at;
        return (at('played') - at('answered')) / 1000;
      });
    };

    /** A busy machine tells late that it ended, and never too early: the best of three calls counts, `enough` or not. */
    const heardAtBest = async (content: string, enough: number): Promise<number> => {
      let best = Infinity;
      for (const number of ['11987650000', '11987660000', '11987670000'])
        if (best > enough) best = Math.min(best, await heard(content, number));
      return best;
    };

    it('plays a sentence that was synthesised and listed, at its length within 5 %', async () => {
      const made = await service.ramal.createAudioFile({ text: sentence, name: 'Consulta' });
      const { audios } = await service.ramal.getAudiosList({ search: 'consulta' });
      expect(audios).toHaveLength(1);
      expect(audios[0]!.cdw_file).toBe(made.return.cdw_file);
      const seconds = Number(audios[0]!.cdw_sec);
      const played = await heardAtBest(audios[0]!.cdw_file, seconds * 1.05);
      expect(Math.abs(played - seconds) / seconds).toBeLessThan(0.05);
    });

    it('plays an uploaded MP3 without the silence around it', async () => {
      const mp3 = readFileSync(join(import.meta.dirname, '..', 'providers', 'sound', 'samples', 'tone.mp3'));
      const { return: made } = await service.ramal.createAudioFile({
        audio64: mp3.toString('base64'),
        delsilence: 3,
      });
      const seconds = Number(made['cdw_sec ']);
      expect(Math.abs(seconds - 2.1)).toBeLessThan(0.1);
      expect(Math.abs((await heardAtBest(made.cdw_file, seconds + 0.5)) - seconds)).toBeLessThan(0.5);
    });
  },
);
