/** Asks before a page is left on which something was typed and not saved. */
import type { JSX } from 'preact';
import { useStore } from '../store.ts';
import { leaveQuestionStore } from '../unsavedForms.ts';
import { useTranslation } from '../words/index.ts';
import { Dialog } from './dialog.tsx';

export const LeaveQuestion = (): JSX.Element | null => {
  const say = useTranslation();
  const goOn = useStore(leaveQuestionStore);
  if (!goOn) return null;
  const stay = (): void => leaveQuestionStore.set(undefined);
  return (
    <Dialog label={say('leaveTitle')} onClose={stay}>
      <div class="dlg">
        <h2>{say('leaveTitle')}</h2>
        <p>{say('leaveText')}</p>
        <div class="acts">
          <button type="button" class="btn primary" onClick={stay}>
            {say('leaveStay')}
          </button>
          <button
            type="button"
            class="btn danger"
            onClick={() => {
              stay();
              goOn();
            }}
          >
            {say('leaveGo')}
          </button>
        </div>
      </div>
    </Dialog>
  );
};
