/** Recordings of calls past `RECORDING_DAYS`, or past `RECORD_DAYS` with their records: their files are deleted. */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Upkeep } from '../engine/cluster/archive.ts';
import { firstIdAt } from '../engine/contract/idGenerator.ts';
import type { Log } from '../log.ts';
import type { MediaStore } from '../providers/media.ts';
import { recordingsBelow, recordingsGone } from '../store/retention.ts';

export interface RecordingUpkeepDeps {
  pool: Pool;
  media: Pick<MediaStore, 'delete'>;
  limits: Pick<Config['limits'], 'recordDays' | 'recordingDays'>;
  log: Pick<Log, 'warn'>;
}

const DAY = 86_400_000;
/** Files deleted at a time, and in a round; the next round goes on. */
const AT_ONCE = 20;
const OF_A_ROUND = 2_000;

/**
 * The files go first: what a crash leaves is a call that names a file that is gone, and its turn comes again. A store that
 * is away keeps neither the other upkeep waiting nor the recordings for longer than it is away.
 */
export const recordingUpkeep = ({ pool, media, limits, log }: RecordingUpkeepDeps): Upkeep => {
  const days = Math.min(limits.recordingDays ?? Infinity, limits.recordDays ?? Infinity);
  const forget = async (at: number): Promise<void> => {
    const below = firstIdAt(at - days * DAY);
    for (let gone = 0; gone < OF_A_ROUND;) {
      const recordings = await recordingsBelow(pool, below, AT_ONCE);
      await Promise.all(recordings.map(({ account, recording }) => media.delete(account, recording)));
      if (recordings.length > 0) await recordingsGone(pool, recordings, at);
      if (recordings.length < AT_ONCE) return;
      gone += recordings.length;
    }
  };
  return async (at) => {
    if (days === Infinity) return;
    await forget(at).catch((error: unknown) => {
      log.warn({ err: error }, 'recordings that are past their time could not be deleted');
    });
  };
};
