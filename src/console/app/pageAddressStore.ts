/** Where the page is: path, query and fragment of the address, without loading anything anew. */
import { createReactiveStore } from './store.ts';

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

/** Goes to an address of the console. `replace`: the one before it is forgotten. */
export const go = (to: string, { replace = false } = {}): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  const before = pageAddressStore.get().path;
  pageAddressStore.set(read());
  if (pageAddressStore.get().path !== before) scrollTo(0, 0);
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
  go(link.href);
};

/** From now on the address is followed. */
export const listenForBrowserNavigation = (): void => {
  addEventListener('popstate', () => pageAddressStore.set(read()));
  addEventListener('hashchange', () => pageAddressStore.set(read()));
  document.addEventListener('click', followLink);
};
