/** Where the page is: path, query and fragment of the address, without loading anything anew. */
import { settledWithin } from './settledWithin.ts';
import { createReactiveStore } from './store.ts';
import { askBeforeLeaving, hasUnsavedForm } from './unsavedForms.ts';

export interface PageAddress {
  /** `/admin/machines/a_1`. */
  path: string;
  query: URLSearchParams;
  /** Without the `#`. */
  fragment: string;
}

const read = (): PageAddress => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
  fragment: location.hash.slice(1),
});

export const pageAddressStore = createReactiveStore<PageAddress>(read());

/** Which entry of the browser's history is shown, counted from the one that this document began with. */
let place = 0;

const placeIn = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'place' in state && typeof state.place === 'number'
    ? state.place
    : undefined;

/** Brings what a page is drawn with; undefined: it is here. */
type BringPage = (address: PageAddress) => Promise<unknown> | undefined;

let bring: BringPage = () => undefined;
/** So long the page that one leaves stays while the next one is brought, milliseconds; then it says that it is loading. */
const patienceMs = 300;
/** Whose page is brought now. */
let next: PageAddress | undefined;

/** Shows the page of the browser's address: at once, or when it is brought. `isShown` hears that. */
const follow = (isShown?: () => void): void => {
  const to = read();
  const show = (): void => {
    next = undefined;
    pageAddressStore.set(to);
    isShown?.();
  };
  next = to;
  const brought = to.path === pageAddressStore.get().path ? undefined : bring(to);
  if (brought === undefined) {
    show();
    return;
  }
  void settledWithin(brought, patienceMs).then(() => {
    if (next === to) show();
  });
};

/** Goes to an address of the console. `replace`: the one before it is forgotten. */
export const go = (to: string, { replace = false } = {}): void => {
  // A page that is being left speaks of itself: the address is the next one's already.
  if (replace && next !== undefined) return;
  if (!replace) place += 1;
  history[replace ? 'replaceState' : 'pushState']({ place }, '', to);
  const before = pageAddressStore.get().path;
  follow(() => {
    if (pageAddressStore.get().path !== before) scrollTo(0, 0);
  });
};

/**
 * How a page goes on when an answer is there that it waits for: as `go`, but nowhere once the person has left it. To be asked
 * for before the answer is.
 */
export const goUnlessLeft = (): typeof go => {
  const from = pageAddressStore.get().path;
  return (to, options) => {
    if (next === undefined && pageAddressStore.get().path === from) go(to, options);
  };
};

const isSamePage = (path: string): boolean => path === pageAddressStore.get().path;

/** Goes where a person wants to, who is asked first when something typed would be lost. */
export const visit = (to: string): void => {
  if (isSamePage(new URL(to, location.href).pathname)) go(to);
  else askBeforeLeaving(() => go(to));
};

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Links within the console load nothing; all others are the browser's. */
const followLink = (event: MouseEvent): void => {
  if (event.defaultPrevented || !isPlain(event) || !(event.target instanceof Element)) return;
  const link = event.target.closest('a');
  if (!link || link.target !== '' || link.origin !== location.origin) return;
  if (!/^\/admin(\/|$)/.test(link.pathname) || link.pathname.startsWith('/admin/api')) return;
  event.preventDefault();
  visit(link.href);
};

/** A person has said that what was typed may be lost. */
let mayLeave = false;

/** Back and forward: the browser has gone already, and is sent back until the person has been asked. */
const followHistory = (): void => {
  const to = placeIn(history.state);
  const steps = (to ?? place) - place;
  const isLeft = steps !== 0 && !isSamePage(location.pathname) && hasUnsavedForm();
  if (isLeft && !mayLeave) {
    history.go(-steps);
    askBeforeLeaving(() => {
      mayLeave = true;
      history.go(steps);
    });
    return;
  }
  mayLeave = false;
  place = to ?? place + 1;
  // What was typed into the address bar has no place yet.
  if (to === undefined) history.replaceState({ place }, '');
  follow();
};

/** From now on the address is followed. `bringPage`: what a page needs before it is drawn. */
export const listenForBrowserNavigation = (bringPage: BringPage): void => {
  bring = bringPage;
  place = placeIn(history.state) ?? 0;
  history.replaceState({ place }, '');
  addEventListener('popstate', followHistory);
  addEventListener('hashchange', () => follow());
  document.addEventListener('click', followLink);
};
