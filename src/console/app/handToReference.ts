/** What the reference at `/docs` is handed by this tab, and those that it opens: never in an address. */

const tokenKey = 'ramal.reference.token';
const sessionKey = 'ramal.reference.session';

/** Gone with the tab; where a browser keeps nothing, the reference is not filled in. */
const keep = (work: (storage: Storage) => void): void => {
  try {
    work(sessionStorage);
  } catch {
    // Nothing to be done: the reference asks for the token.
  }
};

/** A token of an account that was made here, for trying operations out. */
export const handTokenToReference = (token: string): void =>
  keep((storage) => storage.setItem(tokenKey, token));

/** That this tab is signed in; when it is no more, the reference is told nothing any more. */
export const handSessionToReference = (isSignedIn: boolean): void =>
  keep((storage) => {
    if (isSignedIn) storage.setItem(sessionKey, '1');
    else for (const key of [tokenKey, sessionKey]) storage.removeItem(key);
  });
