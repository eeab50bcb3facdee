/** Where the console begins. */
import { render } from 'preact';
import { address, watchAddress } from './address.ts';
import { readSession, session } from './api.ts';
import { App, bringPage } from './app.tsx';
import { watchKeys } from './keys.ts';
import { hasSignInCode } from './pages/signIn.tsx';
import { showSettings } from './settings.ts';
import { Failed } from './ui/state.tsx';

const start = async (): Promise<void> => {
  showSettings();
  watchAddress();
  watchKeys();
  // A sign-in link that is opened in a page of the console changes its fragment only.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#code=')) location.reload();
  });
  if (hasSignInCode) session.set('none');
  else {
    bringPage(address.get());
    await readSession();
  }
  render(<App />, document.body);
};

start().catch((error: unknown) =>
  render(<Failed error={error} onAgain={() => location.reload()} />, document.body),
);
