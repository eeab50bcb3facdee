/** Sends what is typed into a form, and keeps all that is wrong with it. */
import { useState } from 'preact/hooks';
import { AdminApiRequestError, send as sendRequest } from '../../api.ts';
import { refusalInPageLanguage } from '../../refusalInPageLanguage.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { useTranslation } from '../../words/index.ts';
import type { FormField } from './formFieldsFromSchema.ts';
import {
  changedFieldsOfDraft,
  type FormInputValue,
  requestBodyFromDraft,
  type UnreadableInput,
  unreadableInputs,
} from './formInput.ts';
import type { FieldMistake } from './plainFieldInputs.tsx';
import type { AdminApiOperation, UploadKind } from './resourcesFromOpenApi.ts';
import { uploadFile } from './uploadFile.ts';
import { useSettingsWords } from './useSettingsWords.ts';

export type FormValues = Readonly<Record<string, FormInputValue>>;

/** What a form of an operation is given. */
export interface FormProps {
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

interface Typed {
  form: { current: HTMLFormElement | null };
  before: FormValues;
  draft: FormValues;
  fields: readonly FormField[];
  file: File | undefined;
  markSent(draft: FormValues): void;
}

const none: readonly FieldMistake[] = [];

/** Of which kind a sound is the service finds out by what it holds. */
const mediaTypes: Readonly<Record<UploadKind, string>> = {
  csv: 'text/csv',
  sound: 'application/octet-stream',
};

export const useSending = (props: FormProps, typed: Typed) => {
  const say = useSettingsWords();
  const sayAll = useTranslation();
  const [wrong, setWrong] = useState<readonly FieldMistake[]>(none);
  const [isBusy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | undefined>(undefined);
  const unreadable = (): FieldMistake[] =>
    unreadableIn(props, typed).map(({ path, word }) => ({ path, text: say(word) }));
  const send = async (): Promise<void> => {
    const mistakes = unreadable();
    setWrong(mistakes.length === 0 ? none : mistakes);
    if (mistakes.length > 0 || lacksFile(typed)) return;
    setBusy(true);
    try {
      const answer = await sendTyped(props, typed, (share) => setPercent(Math.round(share * 100)));
      typed.markSent(typed.draft);
      setBusy(false);
      props.onDone(answer);
    } catch (error) {
      const told = await mistakesOf(error, props.operation, sayAll('errorUnreachable'));
      setBusy(false);
      setWrong(told);
    }
    setPercent(undefined);
  };
  return { wrong, isBusy, percent, send };
};

type Unreadable = Pick<UnreadableInput, 'path' | 'word'>;

/** What stands in the boxes and is no value, of each field the first. */
const unreadableIn = ({ record, zone }: FormProps, { form, before, draft, fields }: Typed): Unreadable[] => {
  const typed = record ? fields.filter(({ name }) => draft[name] !== before[name]) : fields;
  return [...unreadByBrowser(form.current), ...unreadableInputs(typed, draft, zone)];
};

/** Boxes that hold what the browser itself cannot read: they say that they are empty. */
const unreadByBrowser = (form: HTMLFormElement | null): Unreadable[] =>
  [...(form?.querySelectorAll('input') ?? [])]
    .filter(({ validity }) => validity.badInput)
    .map((box) => ({
      path: box.closest<HTMLElement>('[data-path]')?.dataset['path'] ?? '',
      word: box.type === 'number' ? 'notNumber' : 'notMoment',
    }));

/** The browser says so at the box of the file. */
const lacksFile = ({ form }: Typed): boolean =>
  form.current?.querySelector<HTMLInputElement>('input[type=file]')?.reportValidity() === false;

const sendTyped = (
  { operation, path, record, zone }: FormProps,
  { before, draft, fields, file }: Typed,
  onSent: (share: number) => void,
): Promise<unknown> => {
  const inQuery = new Set(operation.query.map(({ name }) => name));
  const query = requestBodyFromDraft(
    fields.filter(({ name }) => inQuery.has(name)),
    draft,
    zone,
  );
  const written = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const address = written.size === 0 ? path : `${path}?${written}`;
  if (operation.takesFile) {
    const upload = { file: file ?? new Blob([]), type: mediaTypes[operation.takesFile] };
    return uploadFile(address, upload, onSent);
  }
  const ofBody = fields.filter(({ name }) => !inQuery.has(name));
  const body = record
    ? changedFieldsOfDraft(ofBody, before, draft, zone)
    : requestBodyFromDraft(ofBody, draft, zone);
  return sendRequest({ method: operation.method, path: address, ...(operation.body && { body }) });
};

/** What the service finds wrong, in the language of the page. */
const mistakesOf = async (
  error: unknown,
  { role }: AdminApiOperation,
  unreachable: string,
): Promise<FieldMistake[]> => {
  if (!(error instanceof AdminApiRequestError) || error.status === 0)
    return [{ path: '', text: unreachable }];
  const { field, problems } = error.body as { field?: unknown; problems?: readonly FieldRefusal[] };
  if (Array.isArray(problems)) return Promise.all(problems.map(inPageLanguage));
  const isOfRole = error.status === 403 && role === 'admin' && field === undefined;
  return [{ path: isOfRole ? '' : toTextOrJson(field ?? ''), text: error.message }];
};

interface FieldRefusal {
  field: string | null;
  error: string;
}

const inPageLanguage = async ({ field, error }: FieldRefusal): Promise<FieldMistake> => ({
  path: field ?? '',
  text: await refusalInPageLanguage(error),
});
