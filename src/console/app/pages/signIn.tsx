/** The door: a link that signs in by itself, or a key. The address that was asked for stays, and is shown afterwards. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AdminApiRequestError, signIn } from '../api.ts';
import { go } from '../pageAddressStore.ts';
import { switchLanguage, switchTheme } from '../browserPreferences.ts';
import { Brand, Icon } from '../ui/icons.tsx';
import { type Say, useTranslation } from '../words/index.ts';

/** Kept with the tab: a link that signs in may be opened in place of the page that was asked for. */
const askedFor = 'ramal.askedFor';

/** What was asked for without a session; where the browser keeps nothing, it is only the address itself. */
const rememberAddress = (): void => {
  try {
    sessionStorage.setItem(askedFor, location.pathname + location.search + location.hash);
  } catch {
    // Nothing to be done: who signs in by key is led there all the same.
  }
};

const takeAddress = (): string | undefined => {
  try {
    const address = sessionStorage.getItem(askedFor) ?? undefined;
    sessionStorage.removeItem(askedFor);
    return address;
  } catch {
    return undefined;
  }
};

/**
 * The code of a sign-in link. It is taken out of the address at once: it must not be in the history, nor be shared. A
 * link to no page in particular leads to the one that was asked for in this tab before.
 */
const takeCode = (): string | undefined => {
  const [, code] = /^#code=([\w.-]{1,200})$/.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  const before = location.pathname === '/admin' && location.search === '' ? takeAddress() : undefined;
  go(before ?? location.pathname + location.search, { replace: true });
  return code;
};

const codeOfLink = takeCode();

/** Whether the page was opened by a sign-in link: then it signs in, also when another operator was signed in before. */
export const hasSignInCode = codeOfLink !== undefined;

const reasonOf = (error: unknown, isLink: boolean, say: Say): string => {
  if (!(error instanceof AdminApiRequestError) || error.status === 0) return say('errorUnreachable');
  if (error.status === 429) return say('signInKeptOut', { sentence: error.message });
  if (error.status === 401) return say(isLink ? 'signInUsed' : 'signInWrong');
  return error.message;
};

export const SignIn = ({ hasEnded }: { hasEnded: boolean }): JSX.Element => {
  const say = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ error: unknown; isLink: boolean }>();
  const show = async (shown: { token: string } | { code: string }): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await signIn(shown);
    } catch (error) {
      setFailure({ error, isLink: 'code' in shown });
      setBusy(false);
    }
  };
  useCodeOnce(show);
  useEffect(() => {
    rememberAddress();
    return () => void takeAddress();
  }, []);
  useEffect(() => {
    document.title = `${say('signIn')} · Ramal`;
  }, [say]);
  return (
    <main class="door" id="main">
      <p class="brand">
        <Brand />
        <span>Ramal</span>
      </p>
      <h1>{say('signIn')}</h1>
      <p class="lead">{say(hasEnded ? 'signedOut' : 'signInLead')}</p>
      <KeyForm isBusy={isBusy} onKey={(token) => void show({ token })} />
      <p class="problem" role="alert">
        {failure && reasonOf(failure.error, failure.isLink, say)}
      </p>
      <p class="dim">{say('signInHow')}</p>
      <pre tabIndex={0}>
        <code>npx ramal console</code>
      </pre>
      <p class="acts">
        <button type="button" class="btn bare" aria-label={say('otherLanguageName')} onClick={switchLanguage}>
          {say('otherLanguage')}
        </button>
        <button type="button" class="btn bare" aria-label={say('darkOrLight')} onClick={switchTheme}>
          <Icon name="theme" />
        </button>
      </p>
    </main>
  );
};

let isCodeShown = false;

/** A code opens once: it is shown once, though the page be drawn again. */
const useCodeOnce = (show: (shown: { code: string }) => Promise<void>): void => {
  useEffect(() => {
    if (codeOfLink === undefined || isCodeShown) return;
    isCodeShown = true;
    void show({ code: codeOfLink });
  }, []);
};

const KeyForm = ({ isBusy, onKey }: { isBusy: boolean; onKey: (key: string) => void }): JSX.Element => {
  const say = useTranslation();
  const [key, setKey] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') onKey(key.trim());
      }}
    >
      <label class="f">
        {say('signInKey')}
        <input
          type="password"
          autocomplete="current-password"
          maxLength={200}
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="btn primary big" disabled={isBusy}>
        {say(isBusy ? 'signingIn' : 'signIn')}
      </button>
    </form>
  );
};
