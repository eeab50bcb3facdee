/** What can be done to a machine: an event that its chart allows, an effect tried again, the call cancelled. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { type ConsoleStreamMachine, postOperatorEventToMachine } from '../../data.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';

/** What each kind takes from operators, and with what. The service refuses everything else. */
const events: Readonly<Record<string, readonly string[]>> = {
  call: ['retryNow', 'resolveUnknown', 'cancel'],
  line: ['lineChanged', 'lineRemoved'],
  campaign: ['windowsChanged', 'reload'],
  delivery: ['retryNow', 'replay', 'cancel'],
  message: ['resolveUnknown'],
  template: ['checkNow'],
};

const outcomes = ['normal', 'busy', 'noAnswer', 'cancelled', 'congestion', 'unreachable'] as const;

interface ActProps {
  machine: ConsoleStreamMachine;
  /** The past is read-only: `past` while an earlier moment is shown. */
  isPast: boolean;
}

export const Act = ({ machine, isPast }: ActProps): JSX.Element | null => {
  const say = useTranslation();
  const [open, setOpen] = useState<'none' | 'event' | 'cancel'>('none');
  const allowed = events[machine.kind] ?? [];
  if (machine.endedAt !== null || allowed.length === 0) return null;
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
      {open === 'event' && <SendEvent machine={machine} allowed={allowed} onClose={close} />}
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
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: { type: string }): Promise<void> => {
    setBusy(true);
    try {
      await postOperatorEventToMachine(machine.id, machine.account, event);
      toast(say('eventSent', { event: event.type }));
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

const SendEvent = (props: DialogProps & { allowed: readonly string[] }): JSX.Element => {
  const say = useTranslation();
  const { machine, allowed, onClose } = props;
  const { send, problem, isBusy } = useSending(props);
  const [type, setType] = useState(allowed[0]!);
  const [outcome, setOutcome] = useState<string>(outcomes[0]);
  const [isSent, setSent] = useState('true');
  const isUnknown = type === 'resolveUnknown';
  const event =
    isUnknown && machine.kind === 'call'
      ? { type, outcome }
      : isUnknown && machine.kind === 'message'
        ? { type, sent: isSent === 'true' }
        : { type };
  return (
    <Dialog label={say('sendEvent')} onClose={onClose}>
      <form
        class="dlg"
        onSubmit={(submit) => {
          submit.preventDefault();
          void send(event);
        }}
      >
        <h2>{say('sendEvent')}</h2>
        <Choice label={say('event')} value={type} options={allowed} onChoose={setType} />
        {isUnknown && machine.kind === 'call' && (
          <Choice label={say('outcome')} value={outcome} options={outcomes} onChoose={setOutcome} />
        )}
        {isUnknown && machine.kind === 'message' && (
          <Choice label={say('wasSent')} value={isSent} options={['true', 'false']} onChoose={setSent} />
        )}
        <p class="hint">{say('eventAudited')}</p>
        <Problem text={problem} />
        <div class="acts">
          <button type="button" class="btn" onClick={onClose}>
            {say('cancel')}
          </button>
          <button type="submit" class="btn primary" disabled={isBusy}>
            {say('sendNamed', { event: type })}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly string[];
  onChoose(value: string): void;
}

const Choice = ({ label, value, options, onChoose }: ChoiceProps): JSX.Element => (
  <label class="f">
    {label}
    <select class="mono" value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);

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
