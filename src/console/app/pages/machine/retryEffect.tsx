/** Performs an owed effect again, once the operator has confirmed it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { type ConsoleStreamMachine, type MachineAgendaItem, requestEffectRetry } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import { useMachineWords } from './words.ts';

interface RetryProps {
  machine: ConsoleStreamMachine;
  item: MachineAgendaItem;
}

/** A button that asks before anything is sent. */
export const RetryEffect = (props: RetryProps): JSX.Element => {
  const say = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn" onClick={() => setOpen(true)}>
        {say('retryNamed', { effect: props.item.name })}
      </button>
      {isOpen && <ConfirmRetry {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const ConfirmRetry = ({ machine, item, onClose }: RetryProps & { onClose(): void }): JSX.Element => {
  const say = useTranslation();
  const sayHere = useMachineWords();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const title = sayHere('retryTitle', { effect: item.name });
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await requestEffectRetry(machine.id, machine.account, item.id);
      toast(say('triedAgain', { effect: item.name }));
      onClose();
    } catch (error) {
      const isAnswer = error instanceof AdminApiRequestError && error.status !== 0;
      setProblem(isAnswer ? error.message : say('errorUnreachable'));
      setBusy(false);
    }
  };
  return (
    <Dialog label={title} onClose={onClose}>
      <div class="dlg">
        <h2>{title}</h2>
        <p>{sayHere('retryText')}</p>
        <p class="hint">{say('eventAudited')}</p>
        <p class="bad" role="alert">
          {problem}
        </p>
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="button" class="btn primary" disabled={isBusy} onClick={() => void retry()}>
            {say('retryNamed', { effect: item.name })}
          </button>
        </div>
      </div>
    </Dialog>
  );
};
