/** Asks before dead letters are sent again: a receiver may act on each of them once more. */
import type { JSX } from 'preact';
import { Dialog } from '../../ui/dialog.tsx';
import { useTranslation } from '../../words/index.ts';

interface QuestionProps {
  /** Says which letters are sent again. */
  text: string;
  isBusy?: boolean;
  onReplay(): void;
  onClose(): void;
}

export const ReplayQuestion = ({ text, isBusy = false, onReplay, onClose }: QuestionProps): JSX.Element => {
  const say = useTranslation();
  return (
    <Dialog label={say('replayTitle')} onClose={onClose}>
      <form
        class="dlg"
        onSubmit={(event) => {
          event.preventDefault();
          onReplay();
        }}
      >
        <h2>{say('replayTitle')}</h2>
        <p class="foreign">{text}</p>
        <p class="hint">{say('eventAudited')}</p>
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {say('replayNow')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
