/** Says on a page that its reader sees telephone numbers masked. */
import type { JSX } from 'preact';
import { signedInAdministratorStore } from '../api.ts';
import { useStore } from '../store.ts';
import { useTranslation } from '../words/index.ts';

export const MaskedNumbersNotice = (): JSX.Element | null => {
  const say = useTranslation();
  const who = useStore(signedInAdministratorStore);
  if (typeof who !== 'object' || !who.masked_numbers) return null;
  return (
    <p class="masked-numbers" role="note">
      {say('numbersMasked')}
    </p>
  );
};
