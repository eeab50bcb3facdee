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
  const [type, setType] = useState(events[0]!.type);
  const [draft, setDraft] = useState<TypedValues>({});
  const [wrong, setWrong] = useState<readonly FieldMistake[]>([]);
  const fields: FormField[] = formFieldsFromSchema(events.find((one) => one.type === type)?.schema ?? {});
  const submit = (event: Event): void => {
    event.preventDefault();
    const unreadable = unreadableInputs(fields, draft, zone);
    setWrong(unreadable.map(({ path, word }) => ({ path, text: sayOfForms(word) })));
    if (unreadable.length === 0) on.onSend({ ...requestBodyFromDraft(fields, draft, zone), type });
  };
  const choose = (chosen: string): void => {
    setType(chosen);
    setDraft({});
    setWrong([]);
  };
  return (
    <form class="dlg" onSubmit={submit}>
      <h2>{say('sendEvent')}</h2>
      <label class="f">
        {say('event')}
        <select class="mono" value={type} onChange={(event) => choose(event.currentTarget.value)}>
          {events.map((one) => (
            <option key={one.type}>{one.type}</option>
          ))}
        </select>
      </label>
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
      <p>{sayHere('sendConfirm', { event: type, state })}</p>
      <p class="hint">{say('eventAudited')}</p>
      <p class="bad" role="alert">
        {problem}
      </p>
      <div class="acts">
        <button type="button" class="btn" onClick={on.onClose}>
          {say('cancel')}
        </button>
        <button type="submit" class="btn primary" disabled={isBusy}>
          {say('sendNamed', { event: type })}
        </button>
      </div>
    </form>
  );
};
