/** Says on a page that its reader sees telephone numbers masked. */
import type { JSX } from 'preact';
import { session } from '../api.ts';
import { useStore } from '../store.ts';
import { useWords } from '../words/index.ts';

export const MaskedNote = (): JSX.Element | null => {
  const say = useWords();
  const who = useStore(session);
  if (typeof who !== 'object' || !who.masked_numbers) return null;
  return (
    <p class="masked-numbers" role="note">
      {say('numbersMasked')}
    </p>
  );
};
