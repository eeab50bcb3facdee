/** Where sound files live: a folder of this machine, or a bucket that several nodes share. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { MediaStore } from '../contracts/media.ts';
import { folderMediaStore } from './folder.ts';
import { temporaryFolderPath } from '../../dataFolder/prepare.ts';

/** Loads what a bucket needs where there is one only. Rejects with a sentence when the bucket does not work. */
export const openMediaStore = async (config: Config): Promise<MediaStore> => {
  const { dataDir, s3 } = config;
  if (!s3) return folderMediaStore(join(dataDir, 'media'));
  const { s3Media } = await import('./s3.ts');
  const media = s3Media({ ...s3, folder: temporaryFolderPath(config) });
  await media.stat(0, 'health').catch((error: Error) => {
    // Without its cause, which would pass for a database that is away.
    throw new Error(`the bucket ${s3.bucket} (S3_BUCKET, S3_ENDPOINT) does not work: ${error.message}`);
  });
  return media;
};

/** For the health page: a store that does not work throws. */
export const mediaHealth = async (
  { s3 }: Config,
  media: MediaStore,
): Promise<{ ok: boolean; detail: string }> => {
  await media.stat(0, 'health');
  return { ok: true, detail: s3 ? `bucket ${s3.bucket}` : 'a folder of this machine' };
};
