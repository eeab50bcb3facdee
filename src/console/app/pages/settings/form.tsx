/** A form of an operation of the admin API: a field for each that it takes, and what is wrong beside it. */
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { parametersIn, referenceHref } from '../../referenceLinks.ts';
import { ReferenceLink } from '../../ui/referenceLink.tsx';
import { useUnsavedForm } from '../../unsavedForms.ts';
import { useTranslation } from '../../words/index.ts';
import { FieldBox } from './fieldInputs.tsx';
import { FileBox } from './fileBox.tsx';
import { type FormInputValue, emptyFormInputValue, draftFromRecord, isSameDraft } from './formInput.ts';
import { type FormField, formFieldsOfKind } from './formFieldsFromSchema.ts';
import { useHasRole } from './may.ts';
import { mistakeText } from './plainFieldInputs.tsx';
import { type FormValues, type FormProps, useSending } from './sendForm.ts';
import { usePlacedMistakes } from './placeMistakes.ts';
import { useSettingsWords } from './useSettingsWords.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';

const nothing: Readonly<Record<string, unknown>> = {};

export const OperationForm = (props: FormProps): JSX.Element => {
  const { operation, record, zone, verb, busy, isDanger = false } = props;
  const say = useSettingsWords();
  const sayAll = useTranslation();
  const may = useHasRole(operation.role);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const { before, draft, setDraft, markSent, fields } = useDraft(props);
  const { file, setFile, markFileSent } = useChosenFile();
  const markAllSent = (sent: FormValues): void => {
    markSent(sent);
    markFileSent();
  };
  const typed = { form, before, draft, fields, file, markSent: markAllSent };
  const { wrong, isBusy, percent, send } = useSending(props, typed);
  const placed = usePlacedMistakes(form, wrong);
  const scope = {
    id,
    zone,
    isChange: record !== undefined,
    wrong: placed,
    typed: draft,
    params: parametersIn(operation.path, props.path),
  };
  return (
    <form
      ref={form}
      class="record"
      // The browser would tell of one field at a time, and in its own language.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {!may && (
        <p class="hint" id={`${id}-why`}>
          {say('onlyAdministrator')}
        </p>
      )}
      <fieldset class="all" disabled={!may || isBusy}>
        {operation.takesFile && (
          <FileBox
            id={`${id}-file`}
            kind={operation.takesFile}
            onFile={(chosen) => {
              setFile(chosen);
              if (fields.some(({ name }) => name === fileNameField))
                setDraft({ ...draft, [fileNameField]: chosen?.name ?? '' });
            }}
          />
        )}
        {fields.map((field) => (
          <FieldBox
            key={field.name}
            scope={scope}
            path={field.name}
            field={field}
            draft={fitting(draft[field.name], field)}
            onDraft={(one) => setDraft({ ...draft, [field.name]: one })}
          />
        ))}
      </fieldset>
      <p class="bad" role="alert">
        {mistakeText(scope, '') || (placed.length > 1 ? say('severalWrong', { count: placed.length }) : '')}
      </p>
      <div class="acts">
        {props.onCancel && (
          <button type="button" class="btn" onClick={props.onCancel}>
            {sayAll('cancel')}
          </button>
        )}
        <button
          type="submit"
          class={isDanger ? 'btn danger' : 'btn primary'}
          disabled={!may || isBusy}
          title={may ? undefined : say('onlyAdministrator')}
          aria-describedby={may ? undefined : `${id}-why`}
        >
          {isBusy ? (percent === undefined ? busy : say('sendingFile', { percent })) : verb}
        </button>
        <ReferenceLink
          href={referenceHref(operation.reference, parametersIn(operation.path, props.path))}
          look="btn bare"
        />
      </div>
    </form>
  );
};

/** What was typed before its kind was chosen may not fit the boxes any more. */
const fitting = (draft: FormInputValue | undefined, { shape }: FormField): FormInputValue => {
  const empty = emptyFormInputValue(shape);
  const isAlike = typeof draft === typeof empty && Array.isArray(draft) === Array.isArray(empty);
  return draft !== undefined && isAlike ? draft : empty;
};

/** Of something new: what must be given stands first. */
const ordered = (fields: readonly FormField[], isChange: boolean): readonly FormField[] =>
  isChange ? fields : fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));

/** What a record holds now, and over it what was typed since the boxes held `since`. */
const keepTyped = (typed: FormValues, since: FormValues, now: FormValues): FormValues => ({
  ...now,
  ...Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== since[name])),
});

/** The record may come anew while one types (after a save, or a deed beside the form): what was typed stays. */
const useDraft = ({ operation, record, zone, path, onDraft }: FormProps) => {
  const all = useMemo(() => [...operation.query, ...(operation.body ?? [])], [operation]);
  const kindOf = (draft: FormValues): string => toTextOrJson(record?.['kind'] ?? draft['kind'] ?? '');
  const before = useMemo(
    () =>
      draftFromRecord(formFieldsOfKind(all, toTextOrJson(record?.['kind'] ?? '')), record ?? nothing, zone),
    [all, record, zone],
  );
  const [draft, setDraft] = useState<FormValues>(before);
  const held = useRef({ path, draft: before });
  useEffect(() => {
    const since = held.current;
    held.current = { path, draft: before };
    setDraft((typed) => (since.path === path ? keepTyped(typed, since.draft, before) : before));
  }, [before]);
  useEffect(() => onDraft?.(draft), [draft]);
  useUnsavedForm(() => !isSameDraft(draft, held.current.draft));
  return {
    before,
    draft,
    setDraft,
    /** The service has these: from now on only what differs from them was typed. */
    markSent: (sent: FormValues): void => void (held.current = { path, draft: sent }),
    fields: formFieldsOfKind(ordered(all, record !== undefined), kindOf(draft)),
  };
};

/** A file that was chosen is not left without a question until the service has it. */
const useChosenFile = () => {
  const [file, setFile] = useState<File | undefined>(undefined);
  const sent = useRef<File | undefined>(undefined);
  useUnsavedForm(() => file !== sent.current);
  return { file, setFile, markFileSent: (): void => void (sent.current = file) };
};

/** A parameter of this name says what the file is called. */
const fileNameField = 'file';
