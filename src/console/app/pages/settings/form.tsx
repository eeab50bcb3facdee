/** A form of an operation of the admin API: a field for each that it takes, and what is wrong beside it. */
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { AdminApiRequestError, send as sendRequest } from '../../api.ts';
import { parametersIn, referenceHref } from '../../referenceLinks.ts';
import { ReferenceLink } from '../../ui/referenceLink.tsx';
import { useTranslation } from '../../words/index.ts';
import { FieldBox } from './fieldInputs.tsx';
import {
  requestBodyFromDraft,
  changedFieldsOfDraft,
  type FormInputValue,
  emptyFormInputValue,
  draftFromRecord,
  UnreadableInput,
} from './formInput.ts';
import { type FormField, formFieldsOfKind } from './formFieldsFromSchema.ts';
import { useHasRole } from './may.ts';
import type { AdminApiOperation, UploadKind } from './resourcesFromOpenApi.ts';
import { uploadFile } from './uploadFile.ts';
import { type SettingsTranslationKey, useSettingsWords } from './words.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';

type FormValues = Readonly<Record<string, FormInputValue>>;

interface FormProps {
  operation: AdminApiOperation;
  /** Below `/admin/api`, filled in. */
  path: string;
  /** What is changed; absent: something new, or a deed. */
  record?: Readonly<Record<string, unknown>> | undefined;
  /** That moments are typed in. */
  zone: string;
  /** The button's word, and while it works. */
  verb: string;
  busy: string;
  isDanger?: boolean;
  /** Leaves it undone; absent: the form is no question that one has to get out of. */
  onCancel?: (() => void) | undefined;
  onDone(answer: unknown): void;
  /** Hears what is typed. */
  onDraft?(draft: FormValues): void;
}

interface Wrong {
  /** As the API names the field; empty: the whole. */
  path: string;
  text: string;
}

const nothing: Readonly<Record<string, unknown>> = {};

export const OperationForm = (props: FormProps): JSX.Element => {
  const { operation, record, zone, verb, busy, isDanger = false } = props;
  const say = useSettingsWords();
  const sayAll = useTranslation();
  const may = useHasRole(operation.role);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const { before, draft, setDraft, markSent, fields } = useDraft(props);
  const [file, setFile] = useState<File | undefined>(undefined);
  const { wrong, isBusy, percent, send } = useSending(props, { before, draft, fields, file, markSent });
  const placed = usePlace(form, wrong);
  const scope = { id, zone, isChange: record !== undefined, wrong: placed };
  return (
    <form
      ref={form}
      class="record"
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
        {wrong && (placed === undefined || placed.path === '') ? wrong.text : ''}
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
  return {
    before,
    draft,
    setDraft,
    /** The service has these: from now on only what differs from them was typed. */
    markSent: (sent: FormValues): void => void (held.current = { path, draft: sent }),
    fields: formFieldsOfKind(ordered(all, record !== undefined), kindOf(draft)),
  };
};

interface Typed {
  before: FormValues;
  draft: FormValues;
  fields: readonly FormField[];
  file: File | undefined;
  markSent(draft: FormValues): void;
}

/** Sends what is typed, and keeps what is wrong with it. */
const useSending = ({ operation, path, record, zone, onDone }: FormProps, typed: Typed) => {
  const say = useSettingsWords();
  const sayAll = useTranslation();
  const [wrong, setWrong] = useState<Wrong | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | undefined>(undefined);
  const work = async (): Promise<unknown> => {
    const { before, draft, fields, file } = typed;
    const inQuery = new Set(operation.query.map(({ name }) => name));
    const query = requestBodyFromDraft(
      fields.filter(({ name }) => inQuery.has(name)),
      draft,
      zone,
    );
    const written = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const address = written.size === 0 ? path : `${path}?${written}`;
    if (operation.takesFile) {
      const upload = { file: file ?? new Blob([]), type: uploads[operation.takesFile].type };
      return uploadFile(address, upload, (share) => setPercent(Math.round(share * 100)));
    }
    const ofBody = fields.filter(({ name }) => !inQuery.has(name));
    const body = record
      ? changedFieldsOfDraft(ofBody, before, draft, zone)
      : requestBodyFromDraft(ofBody, draft, zone);
    return sendRequest({ method: operation.method, path: address, ...(operation.body && { body }) });
  };
  const send = async (): Promise<void> => {
    setBusy(true);
    setWrong(undefined);
    try {
      const answer = await work();
      typed.markSent(typed.draft);
      setBusy(false);
      onDone(answer);
    } catch (error) {
      setBusy(false);
      if (error instanceof UnreadableInput) setWrong({ path: error.path, text: say(error.word) });
      else if (!(error instanceof AdminApiRequestError) || error.status === 0)
        setWrong({ path: '', text: sayAll('errorUnreachable') });
      else if (error.status === 403 && operation.role === 'admin' && error.body['field'] === undefined)
        setWrong({ path: '', text: error.message });
      else setWrong({ path: toTextOrJson(error.body['field'] ?? ''), text: error.message });
    }
    setPercent(undefined);
  };
  return { wrong, isBusy, percent, send };
};

/** The nearest field that is shown of the one that is wrong; its box takes the focus. */
const usePlace = (form: { current: HTMLFormElement | null }, wrong: Wrong | undefined): Wrong | undefined => {
  const [placed, setPlaced] = useState<Wrong | undefined>(undefined);
  useEffect(() => {
    const path = wrong === undefined ? '' : shownPath(form.current, wrong.path);
    setPlaced(wrong && { path, text: wrong.text });
    if (path !== '')
      form.current
        ?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"] :is(input, select, textarea)`)
        ?.focus();
  }, [wrong]);
  return placed;
};

const shownPath = (form: HTMLFormElement | null, path: string): string => {
  const parts = path.split('.');
  for (let most = parts.length; most > 0; most -= 1) {
    const shorter = parts.slice(0, most).join('.');
    if (form?.querySelector(`[data-path="${CSS.escape(shorter)}"]`)) return shorter;
  }
  return '';
};

/** A parameter of this name says what the file is called. */
const fileNameField = 'file';

const uploads: Readonly<Record<UploadKind, { type: string; accept: string; hint: SettingsTranslationKey }>> =
  {
    csv: { type: 'text/csv', accept: '.csv,.txt,text/csv,text/plain', hint: 'fileHint' },
    // Of which kind it is the service finds out by what it holds.
    sound: { type: 'application/octet-stream', accept: 'audio/*', hint: 'soundHint' },
  };

const FileBox = ({
  id,
  kind,
  onFile,
}: {
  id: string;
  kind: UploadKind;
  onFile(file: File | undefined): void;
}): JSX.Element => {
  const say = useSettingsWords();
  const { accept, hint } = uploads[kind];
  return (
    <div class="field">
      <label for={id}>{say('file')}</label>
      <input
        id={id}
        type="file"
        required
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`}>
        {say(hint)}
      </p>
    </div>
  );
};
