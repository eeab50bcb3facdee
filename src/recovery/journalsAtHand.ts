/** Journals in several folders, read as if they lay in one: this host's, and those that were brought from others. */
import { type Journal, type StoredJournal, noopJournal } from '../engine/contract/journal.ts';

/** Of a journal that lies in more than one of them, the copy that reaches furthest counts. The first of them are ours. */
export const furthestJournalCopies = (journals: readonly Pick<Journal, 'kept'>[]): Journal => ({
  ...noopJournal,
  kept: async (identity) => {
    const best = new Map<number, StoredJournal>();
    for (const [index, journal] of journals.entries())
      for (const one of await journal.kept(identity)) {
        const other = best.get(one.owner.incarnation);
        if (other && !isBetter(one, other)) continue;
        best.set(one.owner.incarnation, index === 0 ? one : { ...one, isBrought: true });
      }
    return [...best.values()].toSorted((one, other) => one.owner.incarnation - other.owner.incarnation);
  },
});

const isBetter = (one: StoredJournal, other: StoredJournal): boolean => {
  if ((one.problem === undefined) !== (other.problem === undefined)) return one.problem === undefined;
  if (one.isHeadless !== other.isHeadless) return other.isHeadless === true;
  return reach(one) > reach(other);
};

const reach = ({ last }: StoredJournal): number =>
  [...last.values()].reduce((sum, number) => sum + number, 0);
