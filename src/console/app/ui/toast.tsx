/** What was just done, said for four seconds at the foot of the page. */
import type { JSX } from 'preact';
import { createReactiveStore, useStore } from '../store.ts';

const shownMs = 4_000;
const said = createReactiveStore<{ text: string } | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says it, in the past tense; what was said before it goes. */
export const toast = (text: string): void => {
  said.set({ text });
  clearTimeout(timer);
  timer = setTimeout(() => said.set(undefined), shownMs);
};

/** Always there, so that screen readers hear of its text. */
export const Toasts = (): JSX.Element => {
  const now = useStore(said);
  return (
    <div class="toast" role="status" data-empty={now === undefined}>
      {now?.text}
    </div>
  );
};
