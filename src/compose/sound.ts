/** Sound put together: who decodes, who scans, where it is kept. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Upkeep } from '../engine/cluster/archive.ts';
import type { Log } from '../log.ts';
import type { AudioStudio, SoundFault } from '../operations/audio/studio.ts';
import type { MediaStore } from '../providers/media.ts';
import { Retryable, Terminal } from '../engine/contract/performer.ts';
import type { Scanner } from '../providers/scanner.ts';
import { clamdScanner } from '../providers/scanner/clamd.ts';
import { findFfmpeg } from '../providers/sound/findFfmpeg.ts';
import { openAudioAssets, type AudioAssets } from '../providers/sound/audioAssets.ts';
import { openTranscoder } from '../providers/sound/transcoder.ts';
import { audioFiles, goneAudios, removeAudio } from '../store/audios.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';

export interface Sound {
  studio: AudioAssets;
  /** What decodes, for people. */
  decoder: string;
  /** Absent: uploads are not scanned. */
  scanner: Scanner | undefined;
}

export const openSound = async (config: Config, media: MediaStore, log: Log): Promise<Sound> => {
  const ffmpeg = config.ffmpeg === undefined ? undefined : await findFfmpeg(config.ffmpeg);
  const workshop = openTranscoder({ ffmpeg });
  const scanner = config.clamdUrl === undefined ? undefined : clamdScanner({ url: config.clamdUrl });
  log.info({ decoder: workshop.decoder }, 'sound is decoded');
  if (!scanner)
    log.info('no virus scanner is configured (CLAMD_URL): uploads are only looked through for programs');
  const folder = join(config.dataDir, 'tmp', `sound-${config.nodeName}`);
  // What a killed process of this node left.
  rmSync(folder, { recursive: true, force: true });
  const studio = openAudioAssets({ media, workshop, scanner, folder });
  return { studio, decoder: workshop.decoder, scanner };
};

/** The studio for operations: what it throws becomes an outcome they can answer with. */
export const audioStudio = ({ studio }: Sound, newId: () => Promise<number>, log: Log): AudioStudio => ({
  newId,
  async make(account, id, order) {
    try {
      return { outcome: 'made', ...(await studio.make(account, id, order)) };
    } catch (error) {
      if (error instanceof Terminal)
        return { outcome: 'refused', why: error.reason as SoundFault, text: error.message };
      if (!(error instanceof Retryable)) throw error;
      log.warn({ err: error, account, id }, 'a sound could not be made');
      return { outcome: 'away', text: error.message };
    }
  },
  forget: (account, ids) => studio.forget(account, ids),
});

/** How long the files of an asset that has gone are kept, milliseconds. */
const KEPT_MS = 7 * 86_400_000;
const SWEPT_AT_ONCE = 100;

/** Removes what has long gone: the files first, so that a crash between leaves the row that names them. */
export const audioUpkeep =
  (databases: Databases, { studio }: Sound, shard: string): Upkeep =>
  async (at) => {
    const pool = poolOf(databases, shard);
    for (const { account, id } of await goneAudios(pool, at - KEPT_MS, SWEPT_AT_ONCE)) {
      await studio.forget(account, audioFiles(id).all);
      await removeAudio(pool, account, id);
    }
  };
