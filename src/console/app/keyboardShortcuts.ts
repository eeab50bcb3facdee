/** The keyboard: `/` and Ctrl-K everywhere, single keys where no field has the focus and nothing floats. */
import { signedInAdministratorStore } from './api.ts';
import { paletteCommands, currentOverlayStore } from './commands.ts';
import { singleKeyShortcutsOn } from './browserPreferences.ts';

let before = '';

const isField = (of: Element | null): boolean =>
  of instanceof HTMLElement &&
  (of.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(of.tagName) ||
    (of instanceof HTMLInputElement && of.type !== 'range'));

const isPaletteKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';

const rows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null);

/** To the next row, or the one before. */
const step = (by: 1 | -1): void => {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
  const target = next?.matches('a, button, [tabindex]')
    ? next
    : next?.querySelector<HTMLElement>('a, button');
  target?.focus();
};

const others: Readonly<Record<string, () => void>> = {
  '/': () => currentOverlayStore.set('palette'),
  j: () => step(1),
  k: () => step(-1),
  a: () => document.querySelector<HTMLElement>('.attention a, .attention button')?.focus(),
};

const actionOf = (pressed: string): (() => void) | undefined =>
  others[pressed] ?? paletteCommands.find(({ keys }) => keys === pressed)?.run;

const hear = (event: KeyboardEvent): void => {
  // Before one is signed in nothing floats, and there is nowhere to go.
  if (typeof signedInAdministratorStore.get() !== 'object') return;
  if (isPaletteKey(event)) {
    event.preventDefault();
    currentOverlayStore.set('palette');
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (
    currentOverlayStore.get() !== 'none' ||
    document.querySelector('dialog[open]') ||
    isField(document.activeElement)
  )
    return;
  const pressed = before === '' ? event.key : `${before} ${event.key}`;
  before = event.key === 'g' ? 'g' : '';
  if (!singleKeyShortcutsOn.get() && event.key !== '/') return;
  const act = actionOf(pressed) ?? actionOf(event.key);
  if (!act) return;
  event.preventDefault();
  act();
};

/** From now on keys are heard. */
export const watchBrowserShortcutKeys = (): void => {
  document.addEventListener('keydown', hear);
  // What floated over a page goes with its session.
  signedInAdministratorStore.subscribe((who) => typeof who === 'object' || currentOverlayStore.set('none'));
};
