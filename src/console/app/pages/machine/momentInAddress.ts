/** Which moment of a machine an address asks for: `#rev=N`. */
import type { HistoryPosition } from '../../data.ts';

/** Which revision the address asks for; undefined: the newest. */
export const revisionIn = (fragment: string): number | undefined => {
  const [, revision] = /^rev=(\d{1,9})$/.exec(fragment) ?? [];
  return revision === undefined ? undefined : Number(revision);
};

export const placeOf = (revision: number | undefined): HistoryPosition =>
  revision === undefined ? {} : { revision };
