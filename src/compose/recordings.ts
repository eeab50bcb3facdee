/** Recordings of calls past `RECORDING_DAYS`, or past `RECORD_DAYS` with their records: their files are deleted. */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { InterruptibleUpkeepWork } from '../engine/cluster/scheduledUpkeep.ts';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { MediaStore } from '../providers/contracts/media.ts';
import { findCallRecordingsBelowId, markCallRecordingsDeleted } from '../store/retention.ts';

export interface RecordingUpkeepDeps {
  pool: Pool;
  media: Pick<MediaStore, 'delete'>;
  limits: Pick<Config['limits'], 'recordDays' | 'recordingDays'>;
}

const DAY = 86_400_000;
/** Files deleted at a time. */
const AT_ONCE = 20;

/** The files go first: what a crash leaves is a call that names a file that is gone, and its turn comes again. */
export const oldRecordingsCleanup = ({
  pool,
  media,
  limits,
}: RecordingUpkeepDeps): InterruptibleUpkeepWork => {
  const days = Math.min(limits.recordingDays ?? Infinity, limits.recordDays ?? Infinity);
  return {
    name: 'recordings',
    run: async (at, mayGoOn) => {
      if (days === Infinity) return;
      const below = firstIdAt(at - days * DAY);
      for (let found = AT_ONCE; found === AT_ONCE && mayGoOn();) {
        const recordings = await findCallRecordingsBelowId(pool, below, AT_ONCE);
        await Promise.all(recordings.map(({ account, recording }) => media.delete(account, recording)));
        if (recordings.length > 0) await markCallRecordingsDeleted(pool, recordings, at);
        found = recordings.length;
      }
    },
  };
};
