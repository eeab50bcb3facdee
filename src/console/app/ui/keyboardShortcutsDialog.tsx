/** The keyboard map. Every key of it is also a button or a link. */
import type { JSX } from 'preact';
import { currentOverlayStore } from '../commands.ts';
import { singleKeyShortcutsOn, switchSingleKeys } from '../browserPreferences.ts';
import { useStore } from '../store.ts';
import { useTranslation, type Word } from '../words/index.ts';
import { Dialog } from './dialog.tsx';

const map: readonly (readonly [keys: string, word: Word])[] = [
  ['/ Ctrl-K', 'keyFind'],
  ['g n', 'keyNow'],
  ['g c', 'keyCampaigns'],
  ['g y', 'keyWhy'],
  ['g f', 'keyFindPage'],
  ['g t', 'tryIt'],
  ['g w', 'wall'],
  ['g v', 'keyConversations'],
  ['g d', 'keyDeliveries'],
  ['g a', 'keyAccounts'],
  ['g s', 'keySettings'],
  ['j k', 'keyRows'],
  ['a', 'keyAttention'],
  ['← →', 'keySteps'],
  ['Home End', 'keyEnds'],
  ['d', 'keyTheme'],
  ['p', 'keyLanguage'],
  ['?', 'keyMap'],
  ['Esc', 'keyEscape'],
];

export const KeyboardShortcutsDialog = (): JSX.Element => {
  const say = useTranslation();
  const areOn = useStore(singleKeyShortcutsOn);
  return (
    <Dialog label={say('keyboardMap')} onClose={() => currentOverlayStore.set('none')}>
      <div class="dlg">
        <h2>{say('keyboardMap')}</h2>
        <dl class="kv">
          {map.map(([keys, word]) => (
            <>
              <dt>
                {keys.split(' ').map((key) => (
                  <>
                    <kbd>{key}</kbd>{' '}
                  </>
                ))}
              </dt>
              <dd>{say(word)}</dd>
            </>
          ))}
        </dl>
        <div class="acts">
          <button type="button" class="btn bare" onClick={switchSingleKeys}>
            {say(areOn ? 'singleKeysOn' : 'singleKeysOff')}
          </button>
          <button type="button" class="btn" onClick={() => currentOverlayStore.set('none')}>
            {say('close')}
          </button>
        </div>
      </div>
    </Dialog>
  );
};
