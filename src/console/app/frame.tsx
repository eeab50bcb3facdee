/** What stands around every page: the rail (tabs on a phone), the bar with the find box, and what floats. */
import type { ComponentChildren, JSX } from 'preact';
import { pageAddressStore } from './pageAddressStore.ts';
import type { SignedInAdministrator } from './api.ts';
import { currentOverlayStore, leaveSession } from './commands.ts';
import { switchLanguage, switchTheme } from './browserPreferences.ts';
import { useStore } from './store.ts';
import { Brand, Icon, type IconName } from './ui/icons.tsx';
import { LeaveQuestion } from './ui/leaveQuestion.tsx';
import { KeyboardShortcutsDialog } from './ui/keyboardShortcutsDialog.tsx';
import { MaskedNumbersNotice } from './ui/maskedNote.tsx';
import { PageReferenceLink } from './ui/referenceLink.tsx';
import { CommandPalette } from './ui/palette.tsx';
import { StreamConnectionIndicator } from './ui/streamMark.tsx';
import { Toasts } from './ui/toast.tsx';
import { useTranslation, type Word } from './words/index.ts';

interface Place {
  word: Word;
  icon: IconName;
  href: string;
}

const places: readonly Place[] = [
  { word: 'now', icon: 'now', href: '/admin' },
  { word: 'campaigns', icon: 'campaigns', href: '/admin/campaigns' },
  { word: 'find', icon: 'find', href: '/admin/find' },
  { word: 'why', icon: 'why', href: '/admin/why' },
  { word: 'tryIt', icon: 'phone', href: '/admin/try' },
];
/** Beside them in the rail; on a phone the last of them leads to the others. */
const rooms: readonly Place[] = [
  { word: 'conversations', icon: 'talk', href: '/admin/conversations' },
  { word: 'deliveries', icon: 'send', href: '/admin/deliveries' },
  { word: 'accounts', icon: 'people', href: '/admin/accounts' },
  { word: 'settings', icon: 'settings', href: '/admin/settings' },
];
const reference: Place = { word: 'reference', icon: 'book', href: '/docs' };

export const ConsoleFrame = ({
  who,
  children,
}: {
  who: SignedInAdministrator;
  children: ComponentChildren;
}): JSX.Element => {
  const say = useTranslation();
  return (
    <>
      <a class="skip" href="#main" onClick={skipToContent}>
        {say('toContent')}
      </a>
      <div class="app">
        <Rail who={who} />
        <div class="page">
          <Top />
          <main id="main" tabIndex={-1}>
            <MaskedNumbersNotice />
            {children}
            <PageReferenceLink />
          </main>
        </div>
        <nav class="tabs" aria-label={say('mainPages')}>
          {[...places, rooms.at(-1)!, reference].map((place) => (
            <PlaceLink key={place.href} {...place} />
          ))}
        </nav>
      </div>
      <Overlays />
    </>
  );
};

/** Goes past the rail. The address stays: its fragment may hold a moment. */
const skipToContent = (event: MouseEvent): void => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** What floats over a page, whatever stands around it. */
export const Overlays = (): JSX.Element => {
  const over = useStore(currentOverlayStore);
  return (
    <>
      {over === 'palette' && <CommandPalette />}
      {over === 'keys' && <KeyboardShortcutsDialog />}
      <LeaveQuestion />
      <Toasts />
    </>
  );
};

/** A page, and those below it. */
const isAt = (path: string, href: string): boolean =>
  path === href || (href !== '/admin' && path.startsWith(`${href}/`));

const PlaceLink = ({ word, icon, href }: Place): JSX.Element => {
  const say = useTranslation();
  const { path } = useStore(pageAddressStore);
  return (
    <a class="place" href={href} title={say(word)} aria-current={isAt(path, href) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{say(word)}</span>
    </a>
  );
};

const Rail = ({ who }: { who: SignedInAdministrator }): JSX.Element => {
  const say = useTranslation();
  return (
    <nav class="rail" aria-label={say('pages')}>
      <a class="brand" href="/admin" aria-label="Ramal">
        <Brand />
        <span>Ramal</span>
      </a>
      {places.map((place) => (
        <PlaceLink key={place.href} {...place} />
      ))}
      <div class="sep" />
      {rooms.map((place) => (
        <PlaceLink key={place.href} {...place} />
      ))}
      <PlaceLink {...reference} />
      <div class="foot">
        <span>
          <bdi>{who.name}</bdi>
          <br />
          {say(who.role === 'admin' ? 'administrator' : 'operator')}
        </span>
        <button
          type="button"
          class="btn bare"
          title={say('signOut')}
          aria-label={say('signOut')}
          onClick={leaveSession}
        >
          <Icon name="out" />
        </button>
      </div>
    </nav>
  );
};

const Top = (): JSX.Element => {
  const say = useTranslation();
  return (
    <header class="top">
      <button
        type="button"
        class="find"
        aria-label={`${say('findOrCommand')}: ${say('findPlaceholder')}`}
        onClick={() => currentOverlayStore.set('palette')}
      >
        <Icon name="find" />
        <span>{say('findPlaceholder')}</span>
        <kbd>/</kbd>
      </button>
      <span class="grow" />
      <StreamConnectionIndicator />
      <button
        type="button"
        class="btn bare wide"
        aria-label={say('keyboardMap')}
        onClick={() => currentOverlayStore.set('keys')}
      >
        <kbd>?</kbd>
      </button>
      <button type="button" class="btn bare" aria-label={say('otherLanguageName')} onClick={switchLanguage}>
        {say('otherLanguage')}
      </button>
      <button type="button" class="btn bare" aria-label={say('darkOrLight')} onClick={switchTheme}>
        <Icon name="theme" />
      </button>
    </header>
  );
};
