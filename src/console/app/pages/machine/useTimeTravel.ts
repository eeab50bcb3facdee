/** Which moment of a machine is shown, and how one goes to another. The address holds it: `#rev=N`. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { type MachineAtMoment, type HistoryPosition, fetchMachineMoment } from '../../data.ts';
import { useStore } from '../../store.ts';
import { useLatestFetch } from '../../ui/useLatestFetch.ts';
import { placeOf, revisionIn } from './momentInAddress.ts';
import { rowsAtOnce } from './rowsInSight.ts';

export interface TimeTravelState {
  moment: MachineAtMoment | undefined;
  failure: unknown;
  /** Index of the entry that is shown, or about to be. */
  at: number;
  count: number;
  isLive: boolean;
  choose(index: number): void;
}

/** `news`: with another one, there may be more entries. */
export const useTimeTravel = (id: string, account: string | null, news: number): TimeTravelState => {
  const { fragment } = useStore(pageAddressStore);
  const asked = revisionIn(fragment);
  const [place, setPlace] = useState<HistoryPosition>(() => placeOf(asked));
  // What this page put into the address itself is no wish.
  const written = useRef(asked);
  useEffect(() => {
    if (asked !== written.current) setPlace(placeOf(asked));
    written.current = asked;
  }, [asked]);
  const key = `${place.index ?? ''} ${place.revision ?? ''} ${news}`;
  // With the first moment comes what its timeline shows; later ones change little of that.
  const isFirst = useRef(true);
  const { answer: moment, failure } = useLatestFetch(key, () => {
    const rows = isFirst.current ? rowsAtOnce : undefined;
    return fetchMachineMoment(id, account, place, { rows });
  });
  isFirst.current &&= moment === undefined;
  const count = moment?.count ?? 0;
  const isNewest = place.index === undefined && place.revision === undefined;
  const at = place.index ?? (isNewest ? count - 1 : (moment?.index ?? -1));
  useEffect(() => {
    if (!moment?.entry || moment.index !== place.index) return;
    written.current = moment.entry.revision;
    goTo(moment.entry.revision);
  }, [moment]);
  const choose = (index: number): void => {
    const chosen = Math.max(0, Math.min(count - 1, index));
    if (chosen !== count - 1) {
      setPlace({ index: chosen });
      return;
    }
    written.current = undefined;
    setPlace({});
    goTo(undefined);
  };
  return { moment, failure, at, count, isLive: at === count - 1, choose };
};

const goTo = (revision: number | undefined): void => {
  const where = location.pathname + location.search;
  go(revision === undefined ? where : `${where}#rev=${revision}`, { replace: true });
};

/** Arrow keys go along the timeline, Home and End to its ends. */
export const useTravelKeys = ({ at, count, choose }: TimeTravelState): void => {
  const travel = useRef({ at, count, choose });
  travel.current = { at, count, choose };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (document.querySelector('dialog[open]') || activeElement?.matches('input, select, textarea')) return;
      const now = travel.current;
      const to = { ArrowLeft: now.at - 1, ArrowRight: now.at + 1, Home: 0, End: now.count - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      now.choose(to);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
};
