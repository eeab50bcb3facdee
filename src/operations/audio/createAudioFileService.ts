/** Sounds made for operations. */
import type { AudioFileService, SoundFault } from './audioFileServiceContract.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import type { AudioAssetMaker } from '../../providers/sound/createAudioAssets.ts';

/** The studio for operations: what it throws becomes an outcome they can answer with. */
export const createAudioFileService = (
  studio: AudioAssetMaker,
  newId: () => Promise<number>,
  log: { warn(fields: object, message: string): void },
): AudioFileService => ({
  newId,
  async make(account, id, order) {
    try {
      return { outcome: 'made', ...(await studio.make(account, id, order)) };
    } catch (error) {
      if (error instanceof NotRetryable)
        return { outcome: 'refused', why: error.reason as SoundFault, text: error.message };
      if (!(error instanceof Retryable)) throw error;
      log.warn({ err: error, account, id }, 'a sound could not be made');
      return { outcome: 'away', text: error.message };
    }
  },
  forget: (account, ids) => studio.forget(account, ids),
});
