/** Whether journals in a folder were written for another installation. */
import { readSegmentHead } from './readSegment.ts';
import { listJournalSegments } from './segments.ts';

/** `folder`: of a shard. True where heads can be read, and none names this identity; false where there is no journal. */
export const belongsToOtherInstallation = async (folder: string, identity: string): Promise<boolean> => {
  let isOther = false;
  for (const file of await listJournalSegments(folder)) {
    const head = await readSegmentHead(file).catch(() => undefined);
    if (head?.owner.identity === identity) return false;
    isOther ||= head !== undefined;
  }
  return isOther;
};
