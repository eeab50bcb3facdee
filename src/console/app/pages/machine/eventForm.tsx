/** An event for a machine, as a form: which of those that its kind takes from operators, and a field for all that it says. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { MachineApiAnswer } from '../../data.ts';
import { useTranslation } from '../../words/index.ts';
import { FieldBox } from '../settings/fieldInputs.tsx';
import { type FormField, formFieldsFromSchema } from '../settings/formFieldsFromSchema.ts';
import {
  emptyFormInputValue,
  type FormInputValue,
  requestBodyFromDraft,
  unreadableInputs,
} from '../settings/formInput.ts';
import type { FieldMistake } from '../settings/plainFieldInputs.tsx';
import { useSettingsWords } from '../settings/useSettingsWords.ts';
import { useMachineWords } from './useMachineWords.ts';

/** Those that operators may send, each with the JSON schema of what it says. */
export type OperatorEvents = MachineApiAnswer['events'];

interface EventFormProps {
  events: OperatorEvents;
  /** Where the machine stands, for who confirms it. */
  state: string;
  /** That moments are typed in. */
  zone: string;
  isBusy: boolean;
  /** Why it was not sent; empty: it was not tried. */
  problem: string;
  onSend(event: { type: string }): void;
  onClose(): void;
}

const noParams = {};

type TypedValues = Readonly<Record<string, FormInputValue>>;

export const EventForm = ({ events, state, zone, isBusy, problem, ...on }: EventFormProps): JSX.Element => {
  const say = useTranslation();
  const sayHere = useMachineWords();
  const sayOfForms = useSettingsWords();
  const id = useId();
  const isTaken = ({ taken_in: states }: OperatorEvents[number]): boolean => states.includes(state);
  const taken = events.filter(isTaken);
  const [chosen, setChosen] = useState('');
  // The machine may have gone on to a state that does not take what was chosen.
  const type = (taken.find((one) => one.type === chosen) ?? taken[0])?.type;
  const [draft, setDraft] = useState<TypedValues>({});
  const [wrong, setWrong] = useState<readonly FieldMistake[]>([]);
  const fields: FormField[] = formFieldsFromSchema(events.find((one) => one.type === type)?.schema ?? {});
  const submit = (event: Event): void => {
    event.preventDefault();
    const unreadable = unreadableInputs(fields, draft, zone);
    setWrong(unreadable.map(({ path, word }) => ({ path, text: sayOfForms(word) })));
    if (unreadable.length === 0 && type !== undefined)
      on.onSend({ ...requestBodyFromDraft(fields, draft, zone), type });
  };
  const choose = (one: string): void => {
    setChosen(one);
    setDraft({});
    setWrong([]);
  };
  return (
    <form class="dlg" onSubmit={submit}>
      <h2>{say('sendEvent')}</h2>
      {type !== undefined && (
        <label class="f">
          {say('event')}
          <select class="mono" value={type} onChange={(event) => choose(event.currentTarget.value)}>
            {taken.map((one) => (
              <option key={one.type}>{one.type}</option>
            ))}
          </select>
        </label>
      )}
      <NotTaken events={events.filter((one) => !isTaken(one))} state={state} />
      {fields.map((field) => (
        <FieldBox
          key={`${type} ${field.name}`}
          scope={{ id, zone, params: noParams, isChange: false, typed: draft, wrong }}
          path={field.name}
          field={field}
          draft={draft[field.name] ?? emptyFormInputValue(field.shape)}
          onDraft={(one) => setDraft({ ...draft, [field.name]: one })}
        />
      ))}
      <p>
        {type === undefined
          ? sayHere('noneTaken', { state })
          : sayHere('sendConfirm', { event: type, state })}
      </p>
      {type !== undefined && <p class="hint">{say('eventAudited')}</p>}
      <p class="bad" role="alert">
        {problem}
      </p>
      <div class="acts">
        <button type="button" class="btn" onClick={on.onClose}>
          {say('cancel')}
        </button>
        {type !== undefined && (
          <button type="submit" class="btn primary" disabled={isBusy}>
            {say('sendNamed', { event: type })}
          </button>
        )}
      </div>
    </form>
  );
};

/** Events that would change nothing now, and where they do. */
const NotTaken = ({ events, state }: { events: OperatorEvents; state: string }): JSX.Element | null => {
  const sayHere = useMachineWords();
  if (events.length === 0) return null;
  return (
    <details>
      <summary>{sayHere('notTaken', { state })}</summary>
      <ul>
        {events.map(({ type, taken_in: states }) => (
          <li key={type}>
            <code>{type}</code>{' '}
            {states.length === 0
              ? sayHere('takenNowhere')
              : sayHere('takenIn', { states: states.join(', ') })}
          </li>
        ))}
      </ul>
    </details>
  );
};
