/** How many steps of patient kinds go into a batch: callbacks of a burst of calls wait until the burst is over. */

/** Most in one batch: whoever comes meanwhile does not wait long for its end. */
const MOST = 64;
/** In a busy process: by themselves, and beside the steps of others. */
const ALONE = 16;
const SHARE = 1 / 16;
/** However busy it is, this part of those that wait: they are some thousands at most, and none waits for ever. */
const PART = 1 / 1_024;

export interface Batch {
  /** Steps of other kinds in it. */
  others: number;
  /** Machines of patient kinds that wait. */
  waiting: number;
  /** The process has no time to spare. */
  busy: boolean;
}

export const patientTurns = ({ others, waiting, busy }: Batch): number => {
  if (!busy) return Math.min(MOST, waiting);
  const beside = Math.max(others * SHARE, waiting * PART);
  return Math.min(waiting, Math.ceil(others === 0 ? ALONE : beside));
};
