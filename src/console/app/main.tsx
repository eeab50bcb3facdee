/** Where the console begins. */
import { render } from 'preact';
import { pageAddressStore, listenForBrowserNavigation } from './pageAddressStore.ts';
import { fetchCurrentSession, signedInAdministratorStore, watchSignOutInOtherTabs } from './api.ts';
import { App, preloadPage } from './app.tsx';
import { watchBrowserShortcutKeys } from './keyboardShortcuts.ts';
import { hasSignInCode } from './pages/signIn.tsx';
import { handSessionToReference } from './handToReference.ts';
import { applyLanguageAndTheme } from './browserPreferences.ts';
import { settledWithin } from './settledWithin.ts';
import { ErrorNotice } from './ui/loadingAndErrorNotices.tsx';

/** So long the first page waits for what it is drawn with, milliseconds; then its frame is drawn. */
const patienceMs = 300;

const start = async (): Promise<void> => {
  applyLanguageAndTheme();
  listenForBrowserNavigation((address) =>
    typeof signedInAdministratorStore.get() === 'object' ? preloadPage(address) : undefined,
  );
  watchBrowserShortcutKeys();
  watchSignOutInOtherTabs();
  signedInAdministratorStore.subscribe((who) => handSessionToReference(typeof who === 'object'));
  // A sign-in link that is opened in a page of the console changes its fragment only.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#code=')) location.reload();
  });
  if (hasSignInCode) signedInAdministratorStore.set('none');
  else {
    // What does not come is asked for again by the page, which says so.
    const brought = settledWithin(preloadPage(pageAddressStore.get()) ?? Promise.resolve(), patienceMs);
    await fetchCurrentSession();
    if (typeof signedInAdministratorStore.get() === 'object') await brought;
  }
  render(<App />, document.body);
};

start().catch((error: unknown) =>
  render(<ErrorNotice error={error} onAgain={() => location.reload()} />, document.body),
);
