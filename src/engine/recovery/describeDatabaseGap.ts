/** Journals that are at hand: which of them count, and what a database lacks of them. */
import { incarnationJoinedAt } from '../contract/idGenerator.ts';
import type { StoredJournal } from '../contract/journal.ts';
import { type ShardMachineStore, WRITER_NUMBERS_RETENTION_MS } from '../contract/store.ts';

/** A node, as far as its journal says which. */
export const clusterNodeLabel = ({ incarnation, name }: StoredJournal['owner']): string =>
  name === '' ? `node ${incarnation}` : `node ${incarnation} (${name})`;

/** Why a journal is of no use, and what makes it so again, as the end of "the shard …". */
export const unreadableJournalSentence = ({ owner }: StoredJournal, why: string): string =>
  `the journal of ${clusterNodeLabel(owner)} cannot be read: ${why}; a whole copy in its place mends that`;

/**
 * Not those of before an operator settled what was lost, nor those so old that no database remembers them. A node may note
 * after that moment whom it saw: what tells is the opening that its writes followed. Where these cannot be read: when the
 * node joined, for all nodes join anew at that moment.
 */
export const isStoredJournalOfCurrentEra = (
  journal: StoredJournal,
  settledAt: number,
  now: number,
): boolean => {
  const { last, era, lastAt, isHeadless, isReachUnknown, owner } = journal;
  if (isReachUnknown && Math.max(era, incarnationJoinedAt(owner.incarnation)) < settledAt) return false;
  // How old it is cannot be known.
  if (isReachUnknown && !isHeadless) return true;
  const isOfNow = isReachUnknown || (last.size === 0 ? lastAt > settledAt : era >= settledAt);
  return isOfNow && lastAt > now - WRITER_NUMBERS_RETENTION_MS;
};

/** What the database lacks of these journals, or may lack, as the end of "the shard …"; undefined: nothing. */
export const describeDatabaseGap = async (
  store: Pick<ShardMachineStore, 'standing' | 'fates'>,
  kept: readonly StoredJournal[],
): Promise<string | undefined> => {
  for (const journal of kept) {
    const { owner, last, problem = '' } = journal;
    if (await isInTheDark(store, journal)) return unreadableJournalSentence(journal, problem);
    const { writers } = await store.standing(owner.incarnation);
    if (writers.length === 0 && last.size > 0)
      return `the database does not know ${clusterNodeLabel(owner)}, whose journal is here`;
    const count = [...last].reduce(
      (sum, [lane, number]) =>
        sum + Math.max(0, number - (writers.find((one) => one.lane === lane)?.number ?? 0)),
      0,
    );
    if (count > 0)
      return `the database lacks ${count} commits of ${clusterNodeLabel(owner)}, which its journal has`;
  }
  return undefined;
};

/** What it may hold, and the database lack, cannot be known; a node that lives knows what it was told. */
const isInTheDark = async (
  store: Pick<ShardMachineStore, 'fates'>,
  { isReachUnknown, owner: { incarnation } }: StoredJournal,
): Promise<boolean> =>
  isReachUnknown === true && (await store.fates([incarnation])).get(incarnation) !== 'living';
