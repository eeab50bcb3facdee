/** Where sound files live: a folder of this machine, or a bucket that several nodes share. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { MediaStore } from '../providers/media.ts';
import { folderMedia } from '../providers/media/folder.ts';
import { s3Media } from '../providers/media/s3.ts';

export const openMedia = ({ dataDir, s3 }: Config): MediaStore =>
  s3 ? s3Media({ ...s3, folder: join(dataDir, 'tmp') }) : folderMedia(join(dataDir, 'media'));

/** For the health page: a store that does not work throws. */
export const mediaHealth = async (
  { s3 }: Config,
  media: MediaStore,
): Promise<{ ok: boolean; detail: string }> => {
  await media.stat(0, 'health');
  return { ok: true, detail: s3 ? `bucket ${s3.bucket}` : 'a folder of this machine' };
};
