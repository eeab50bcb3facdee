/** The journals of this process: one for each shard, in `OUTGOING_DIR`. */
import type { Config } from '../config.ts';
import { type FileJournal, openFileJournal } from '../journal/fileJournal.ts';
import type { Log } from '../log.ts';
import { prepareFolder } from '../dataFolder/prepare.ts';
import { isProcessDead } from '../lib/processIdentity.ts';

/** How often old parts are compressed and deleted, milliseconds. */
const upkeepMs = 3_600_000;

export interface Journals {
  of(shard: string): FileJournal;
  /** Settles when all that was appended is on the disk. */
  close(): Promise<void>;
}

/** Throws a sentence when the folder cannot be used. */
export const openJournals = (config: Config, log: Log): Journals => {
  prepareFolder('OUTGOING_DIR', config.outgoingDir);
  const journals = new Map(
    config.shards.map(({ name: shard }) => [
      shard,
      openFileJournal({
        ...{ directory: config.outgoingDir, shard, log, isProcessDead },
        keepDays: config.limits.outgoingDays,
      }),
    ]),
  );
  const attend = (): void => {
    for (const journal of journals.values()) void journal.upkeep(Date.now());
  };
  const timer = setInterval(attend, upkeepMs);
  timer.unref();
  return {
    of: (shard) => journals.get(shard)!,
    close: async () => {
      clearInterval(timer);
      await Promise.all([...journals.values()].map((journal) => journal.close()));
    },
  };
};
