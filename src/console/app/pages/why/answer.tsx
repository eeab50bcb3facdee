/** The answer in a sentence or two, what holds now by account, and the button that never lets it be called again. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { useStore } from '../../store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { ServiceSentence } from '../../ui/serviceSentence.tsx';
import { useTranslation } from '../../words/index.ts';
import { addToBlocklist, type NumberStatusNow, type NumberHistoryAnswer } from './data.ts';
import { useWhyWords } from './useWhyWords.ts';

/** As long as a block list keeps it. */
const longestReason = 200;

export const NumberHistorySummary = ({
  story,
  onChanged,
}: {
  story: NumberHistoryAnswer;
  onChanged(): void;
}): JSX.Element => {
  const say = useTranslation();
  const tell = useWhyWords();
  const who = useStore(signedInAdministratorStore);
  const [isOpen, setOpen] = useState(false);
  const zones = [...new Set(Object.values(story.zones))];
  const open = story.now.filter(({ blocked }) => blocked === null);
  const isAdministrator = typeof who === 'object' && who.role === 'admin';
  return (
    <div class="why-answer">
      <p class="why-says">
        {story.answer.map((sentence) => (
          <span key={sentence} class="foreign">
            <ServiceSentence text={sentence} zone={zones.length === 1 ? zones[0] : undefined} />
          </span>
        ))}
      </p>
      <p class="dim">
        <bdi>{story.number}</bdi>
        {story.region !== null && `, ${story.region}`}
        {story.now.length > 0 && (
          <>
            {' · '}
            <bdi>{story.now.map(({ name }) => name).join(', ')}</bdi>
          </>
        )}
        {zones.length > 0 && ` · ${tell('times', { zones: zones.join(', ') })}`}
      </p>
      {open.length > 0 && (
        <p class="acts">
          <button
            type="button"
            class="btn"
            disabled={!isAdministrator}
            title={isAdministrator ? undefined : say('onlyAdministrator')}
            onClick={() => setOpen(true)}
          >
            {tell('neverCall')}
          </button>
        </p>
      )}
      {isOpen && (
        <NeverCall
          number={story.number}
          open={open}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onChanged();
          }}
        />
      )}
    </div>
  );
};

interface NeverCallProps {
  number: string;
  open: readonly NumberStatusNow[];
  onClose(): void;
  onDone(): void;
}

const NeverCall = ({ number, open, onClose, onDone }: NeverCallProps): JSX.Element => {
  const say = useTranslation();
  const tell = useWhyWords();
  const [account, setAccount] = useState(open[0]!.account);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const block = async (): Promise<void> => {
    setBusy(true);
    try {
      await addToBlocklist(account, number, reason.trim());
      toast(tell('neverCallDone', { number }));
      onDone();
    } catch (error) {
      const text =
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable');
      setProblem(
        error instanceof AdminApiRequestError && error.status === 403 ? say('onlyAdministrator') : text,
      );
      setBusy(false);
    }
  };
  return (
    <Dialog label={tell('neverCall')} onClose={onClose}>
      <form
        class="dlg"
        onSubmit={(event) => {
          event.preventDefault();
          void block();
        }}
      >
        <h2>{tell('neverCallTitle', { number })}</h2>
        <p>{tell('neverCallText')}</p>
        {open.length > 1 && (
          <label class="f">
            {say('account')}
            <select value={account} onChange={(event) => setAccount(Number(event.currentTarget.value))}>
              {open.map((one) => (
                <option key={one.account} value={one.account}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="f">
          {tell('neverCallReason')}
          <input
            type="text"
            maxLength={longestReason}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <p class="hint">{say('eventAudited')}</p>
        {problem !== '' && (
          <p class="bad" role="alert">
            {problem}
          </p>
        )}
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" class="btn danger" disabled={isBusy}>
            {tell('neverCall')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
