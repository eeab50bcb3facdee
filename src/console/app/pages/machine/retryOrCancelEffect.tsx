/** What an operator may order about an owed effect: perform it again, or give it up. Each is confirmed first. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import {
  type ConsoleStreamMachine,
  type MachineAgendaItem,
  requestEffectCancel,
  requestEffectRetry,
} from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import { type MachineWord, useMachineWords } from './useMachineWords.ts';

interface EffectOrderKind {
  /** On the button, and on the one that confirms. */
  label: MachineWord;
  title: MachineWord;
  text: MachineWord;
  /** Said once it was done. */
  told: MachineWord;
  send(id: string, account: number, effect: string): Promise<{ outcome: string }>;
}

const RETRY: EffectOrderKind = {
  label: 'retryNamed',
  title: 'retryTitle',
  text: 'retryText',
  told: 'triedAgain',
  send: requestEffectRetry,
};

const GIVE_UP: EffectOrderKind = {
  label: 'giveUpNamed',
  title: 'giveUpTitle',
  text: 'giveUpText',
  told: 'givenUp',
  send: requestEffectCancel,
};

interface EffectProps {
  machine: ConsoleStreamMachine;
  item: MachineAgendaItem;
}

/** The buttons of one effect: one that is under way can be tried again, but not given up. */
export const EffectOrders = (props: EffectProps): JSX.Element => (
  <>
    <OrderButton {...props} order={RETRY} />
    {props.item.isWaiting === true && <OrderButton {...props} order={GIVE_UP} />}
  </>
);

interface OrderProps extends EffectProps {
  order: EffectOrderKind;
}

const OrderButton = (props: OrderProps): JSX.Element => {
  const say = useMachineWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn" onClick={() => setOpen(true)}>
        {say(props.order.label, { effect: props.item.name })}
      </button>
      {isOpen && <ConfirmOrder {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const ConfirmOrder = ({ machine, item, order, onClose }: OrderProps & { onClose(): void }): JSX.Element => {
  const say = useTranslation();
  const sayHere = useMachineWords();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const title = sayHere(order.title, { effect: item.name });
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      const { outcome } = await order.send(machine.id, machine.account, item.id);
      toast(sayHere(outcome === 'left' ? 'orderLeft' : order.told, { effect: item.name }));
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
        <p>{sayHere(order.text)}</p>
        <p class="hint">{say('eventAudited')}</p>
        <p class="bad" role="alert">
          {problem}
        </p>
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="button" class="btn primary" disabled={isBusy} onClick={() => void confirm()}>
            {sayHere(order.label, { effect: item.name })}
          </button>
        </div>
      </div>
    </Dialog>
  );
};
