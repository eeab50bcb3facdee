/** A campaign that was paused for long may have lost what it plays; people would be called to hear nothing. */
import type { Pool } from 'pg';
import { findMissingCampaignAudio } from '../../../store/reads/audio/audios.ts';

/** Why a campaign must not be activated, a sentence for the caller; undefined: nothing is missing. */
export const missingCampaignAudioSentence = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<string | undefined> => {
  const gone = await findMissingCampaignAudio(pool, account, campaign);
  if (gone.length === 0) return undefined;
  return `active must be 0: the campaign plays ${gone.join(', ')}, which was deleted; clone it with another audio`;
};
