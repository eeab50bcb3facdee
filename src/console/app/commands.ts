/** What the palette offers and the keyboard does: one list of them. */
import { signOut } from './api.ts';
import { visit } from './pageAddressStore.ts';
import { switchLanguage, switchTheme } from './browserPreferences.ts';
import { createReactiveStore } from './store.ts';
import { toast } from './ui/toast.tsx';
import { askBeforeLeaving } from './unsavedForms.ts';
import { sayNow, type Word } from './words/index.ts';

/** What floats over the page now. */
export const currentOverlayStore = createReactiveStore<'none' | 'palette' | 'keys'>('none');

export interface PaletteCommand {
  /** Its name. */
  word: Word;
  /** Keys, one after the other, that do it; empty: none. */
  keys: string;
  run(): void;
}

/** Signs out; what is typed and not saved is asked about first. */
export const leaveSession = (): void =>
  askBeforeLeaving(() => void signOut().catch(() => toast(sayNow('notSignedOut'))));

export const paletteCommands: readonly PaletteCommand[] = [
  { word: 'now', keys: 'g n', run: () => visit('/admin') },
  { word: 'campaigns', keys: 'g c', run: () => visit('/admin/campaigns') },
  { word: 'why', keys: 'g y', run: () => visit('/admin/why') },
  { word: 'find', keys: 'g f', run: () => visit('/admin/find') },
  { word: 'tryIt', keys: 'g t', run: () => visit('/admin/try') },
  { word: 'wall', keys: 'g w', run: () => visit('/admin/wall') },
  { word: 'conversations', keys: 'g v', run: () => visit('/admin/conversations') },
  { word: 'deliveries', keys: 'g d', run: () => visit('/admin/deliveries') },
  { word: 'accounts', keys: 'g a', run: () => visit('/admin/accounts') },
  { word: 'settings', keys: 'g s', run: () => visit('/admin/settings') },
  { word: 'darkOrLight', keys: 'd', run: switchTheme },
  { word: 'keyLanguage', keys: 'p', run: switchLanguage },
  { word: 'keyboardMap', keys: '?', run: () => currentOverlayStore.set('keys') },
  { word: 'signOut', keys: '', run: leaveSession },
];
