/** What can be done to a machine: an event that its chart allows, an effect tried again, the call cancelled. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { type ConsoleStreamMachine, postOperatorEventToMachine } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { lazyPage } from '../../ui/lazyPage.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import type { OperatorEvents } from './eventForm.tsx';
import { useMachineWords } from './useMachineWords.ts';

const EventForm = lazyPage(async () => (await import('./eventForm.tsx')).EventForm);

interface ActProps {
  machine: ConsoleStreamMachine;
  /** The past is read-only: `past` while an earlier moment is shown. */
  isPast: boolean;
  /** What its kind takes from operators. */
  events: OperatorEvents;
  /** Of the account. */
  zone: string;
}

export const Act = ({ machine, isPast, events, zone }: ActProps): JSX.Element | null => {
  const say = useTranslation();
  const [open, setOpen] = useState<'none' | 'event' | 'cancel'>('none');
  if (machine.endedAt !== null || events.length === 0) return null;
  const title = isPast ? say('pastIsReadOnly') : undefined;
  const close = (): void => setOpen('none');
  return (
    <span class="acts">
      <button type="button" class="btn" disabled={isPast} title={title} onClick={() => setOpen('event')}>
        {say('sendEvent')}
      </button>
      {machine.kind === 'call' && (
        <button
          type="button"
          class="btn danger"
          disabled={isPast}
          title={title}
          onClick={() => setOpen('cancel')}
        >
          {say('cancelCall')}
        </button>
      )}
      {open === 'event' && <SendEvent {...{ machine, events, zone }} onClose={close} />}
      {open === 'cancel' && <CancelCall machine={machine} onClose={close} />}
    </span>
  );
};

interface DialogProps {
  machine: ConsoleStreamMachine;
  onClose(): void;
}

/** Sends an event; what went wrong is said in the dialog. */
const useSending = ({ machine, onClose }: DialogProps) => {
  const say = useTranslation();
  const sayHere = useMachineWords();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: { type: string }): Promise<void> => {
    setBusy(true);
    try {
      const { ignored, state } = await postOperatorEventToMachine(machine.id, machine.account, event);
      toast(
        ignored
          ? sayHere('eventIgnored', { event: event.type, state: state ?? machine.state })
          : say('eventSent', { event: event.type }),
      );
      onClose();
    } catch (error) {
      const text =
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable');
      setProblem(
        error instanceof AdminApiRequestError && error.status === 403 ? say('onlyAdministrator') : text,
      );
      setBusy(false);
    }
  };
  return { send, problem, isBusy };
};

const SendEvent = (props: DialogProps & { events: OperatorEvents; zone: string }): JSX.Element => {
  const say = useTranslation();
  const { machine, events, zone, onClose } = props;
  const { send, problem, isBusy } = useSending(props);
  return (
    <Dialog label={say('sendEvent')} onClose={onClose}>
      <EventForm
        {...{ events, zone, isBusy, problem, onClose }}
        state={machine.state}
        onSend={(event) => void send(event)}
      />
    </Dialog>
  );
};

const CancelCall = (props: DialogProps): JSX.Element => {
  const say = useTranslation();
  const { send, problem, isBusy } = useSending(props);
  const isUp = /^(answered|dialing)/.test(props.machine.state);
  return (
    <Dialog label={say('cancelThisCall')} onClose={props.onClose}>
      <div class="dlg">
        <h2>{say('cancelThisCall')}</h2>
        <p>{say(isUp ? 'cancelHangsUp' : 'cancelStops')}</p>
        <p class="hint">{say('eventAudited')}</p>
        <Problem text={problem} />
        <div class="acts">
          <button type="button" class="btn" onClick={props.onClose}>
            {say('cancel')}
          </button>
          <button
            type="button"
            class="btn danger"
            disabled={isBusy}
            onClick={() => void send({ type: 'cancel' })}
          >
            {say(isUp ? 'hangUp' : 'cancelCall')}
          </button>
        </div>
      </div>
    </Dialog>
  );
};

const Problem = ({ text }: { text: string }): JSX.Element | null =>
  text === '' ? null : (
    <p class="bad" role="alert">
      {text}
    </p>
  );
