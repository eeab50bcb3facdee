/** Wires sound together: the decoder, the virus scanner, and the files of audio assets. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { UpkeepTask } from '../engine/cluster/leaderUpkeep.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/contracts/media.ts';
import type { VirusScanner } from '../providers/contracts/scanner.ts';
import { clamdScanner } from '../providers/scanner/clamd.ts';
import { findFfmpeg } from '../providers/sound/findFfmpeg.ts';
import { openAudioAssets, type AudioAssetMaker } from '../providers/sound/createAudioAssets.ts';
import { openTranscoder } from '../providers/sound/transcoder.ts';
import { mediaIdsOfAudioAsset, expiredAudios, removeAudio } from '../store/writeAudioAssets.ts';
import type { Databases } from './databases.ts';
import { getShardPool } from '../store/pools.ts';

export interface AudioServices {
  studio: AudioAssetMaker;
  /** What decodes, for people. */
  decoder: string;
  /** Absent: uploads are not scanned. */
  scanner: VirusScanner | undefined;
}

export const openAudioServices = async (
  config: Config,
  media: MediaStore,
  log: Log,
): Promise<AudioServices> => {
  const ffmpeg = config.ffmpeg === undefined ? undefined : await findFfmpeg(config.ffmpeg);
  const transcoder = openTranscoder({ ffmpeg });
  const scanner = config.clamdUrl === undefined ? undefined : clamdScanner({ url: config.clamdUrl });
  log.info({ decoder: transcoder.decoder }, 'sound is decoded');
  if (!scanner)
    log.info('no virus scanner is configured (CLAMD_URL): uploads are only looked through for programs');
  const folder = join(config.dataDir, 'tmp', `sound-${config.nodeName}`);
  // What a killed process of this node left.
  rmSync(folder, { recursive: true, force: true });
  const studio = openAudioAssets({ media, transcoder, scanner, folder });
  return { studio, decoder: transcoder.decoder, scanner };
};

/** How long the files of an asset that has gone are kept, milliseconds. */
const KEPT_MS = 7 * 86_400_000;
const SWEPT_AT_ONCE = 100;

/** Removes what has long gone: the files first, so that a crash between leaves the row that names them. */
export const deletedAudioCleanup =
  (databases: Databases, { studio }: AudioServices, shard: string): UpkeepTask =>
  async (at) => {
    const pool = getShardPool(databases, shard);
    for (const { account, id } of await expiredAudios(pool, at - KEPT_MS, SWEPT_AT_ONCE)) {
      await studio.forget(account, mediaIdsOfAudioAsset(id).all);
      await removeAudio(pool, account, id);
    }
  };
