/**
 * After `ramal reconcile` has brought what copies of journals hold: those of ours that cannot be read are replaced by the
 * copies. Else the next process would find them again, and close the shard for them.
 */
import { join } from 'node:path';
import type { Journal, StoredJournal } from '../engine/contract/journal.ts';
import type { ShardMachineStore } from '../engine/contract/store.ts';
import { replaceJournalWithCopy } from '../journal/replaceDamagedJournal.ts';

export interface JournalRepairDeps {
  shard: string;
  store: Pick<ShardMachineStore, 'standing' | 'fates'>;
  /** Ours, then the copies; each holds a folder for each shard. */
  directories: readonly string[];
  open(directory: string): Pick<Journal, 'kept'>;
}

/** Those whose node lives are left to it. Rejects as the operating system says. */
export const replaceUnreadableJournalsWithCopies = async ({
  shard,
  store,
  directories,
  open,
}: JournalRepairDeps): Promise<void> => {
  const { identity } = await store.standing(0);
  const [own, ...others] = directories as [string, ...string[]];
  const unreadable = new Set(incarnationsOf(await open(own).kept(identity), (one) => !isWhole(one)));
  const fates = await store.fates([...unreadable]);
  for (const other of others)
    for (const incarnation of incarnationsOf(await open(other).kept(identity), isWhole)) {
      if (!unreadable.has(incarnation) || fates.get(incarnation) === 'living') continue;
      await replaceJournalWithCopy(join(other, shard), join(own, shard), incarnation);
      unreadable.delete(incarnation);
    }
};

const isWhole = ({ problem, isHeadless }: StoredJournal): boolean => problem === undefined && !isHeadless;

const incarnationsOf = (
  journals: readonly StoredJournal[],
  suits: (journal: StoredJournal) => boolean,
): number[] => journals.filter(suits).map(({ owner }) => owner.incarnation);
