/** Boxes for one plain value, or several, one a line. */
import type { JSX } from 'preact';
import type { FormInputValue } from './formInput.ts';
import type { FormField, FieldShape } from './formFieldsFromSchema.ts';
import { useSettingsWords } from './useSettingsWords.ts';

/** What all boxes of a form share. */
export interface FormScope {
  /** Begins the ids of its boxes. */
  id: string;
  zone: string;
  /** What stands in the path of its operation, by name. */
  params: Readonly<Record<string, string>>;
  /** A record is changed, and what is left alone stays as it is. */
  isChange: boolean;
  /** What stands in all boxes of the form, by field. */
  typed: Readonly<Record<string, FormInputValue>>;
  /** Where something is wrong, and what. */
  wrong: readonly FieldMistake[];
}

/** `path`: as the API names the field; empty: the whole. */
export interface FieldMistake {
  path: string;
  text: string;
}

/** What is wrong with a field, in one text; empty: nothing is. */
export const mistakeText = ({ wrong }: Pick<FormScope, 'wrong'>, path: string): string =>
  wrong
    .filter((one) => one.path === path)
    .map(({ text }) => text)
    .join('; ');

export interface InputBoxProps<Of extends FieldShape = FieldShape> {
  scope: FormScope;
  path: string;
  shape: Of;
  field: Pick<FormField, 'isRequired' | 'isSecret' | 'usual' | 'isNullable'>;
  draft: FormInputValue;
  onDraft(draft: FormInputValue): void;
}

export const boxId = ({ id }: FormScope, path: string): string => `${id}-${path}`;

/** What a box is for those who do not see it. */
const described = ({ scope, path, field }: InputBoxProps) => ({
  id: boxId(scope, path),
  'aria-describedby': `${boxId(scope, path)}-hint ${boxId(scope, path)}-wrong`,
  'aria-invalid': mistakeText(scope, path) !== '',
  // Parts of what may be left out are asked for by the service, when the whole is given.
  required: field.isRequired && !path.includes('.'),
});

export const YesNoBox = (props: InputBoxProps): JSX.Element => {
  const say = useSettingsWords();
  return (
    <ChoiceBox
      {...props}
      options={[
        ['true', say('yes')],
        ['false', say('no')],
      ]}
    />
  );
};

export const ChoiceBox = (
  props: InputBoxProps & { options: readonly (readonly [value: string, text: string])[] },
): JSX.Element => {
  const say = useSettingsWords();
  const { scope, field, draft, onDraft, options } = props;
  const isShownEmpty = !options.some(([value]) => value === '');
  return (
    <select
      {...described(props)}
      value={draft as string}
      onChange={(event) => onDraft(event.currentTarget.value)}
    >
      {isShownEmpty && (
        <option value="">{say(scope.isChange && !field.isNullable ? 'asIs' : 'unset')}</option>
      )}
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text === '' ? say('none') : text}
        </option>
      ))}
    </select>
  );
};

export const Line = (props: InputBoxProps): JSX.Element => {
  const { shape, field, draft, onDraft } = props;
  const shared = {
    ...described(props),
    value: draft as string,
    onInput: (event: { currentTarget: { value: string } }): void => onDraft(event.currentTarget.value),
  };
  const longest = shape.kind === 'text' ? shape.longest : undefined;
  if (field.isSecret)
    return <input {...shared} type="password" autocomplete="new-password" maxLength={longest} />;
  switch (shape.kind) {
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          min={shape.least}
          max={shape.most}
          step={shape.isWhole ? 1 : 'any'}
        />
      );
    case 'moment':
      return <input {...shared} type="datetime-local" step={1} />;
    case 'decimal':
      return <input {...shared} type="text" inputMode="decimal" autocomplete="off" />;
    case 'text':
      return shape.isLong ? (
        <textarea {...shared} rows={3} spellcheck={false} maxLength={longest} />
      ) : (
        <input {...shared} type="text" autocomplete="off" spellcheck={false} maxLength={longest} />
      );
    default:
      return (
        <textarea
          {...shared}
          class="mono"
          rows={Math.min(12, Math.max(3, shared.value.split('\n').length))}
          spellcheck={false}
        />
      );
  }
};

/** Several plain values, one a line. */
export const OnePerLineBox = (props: InputBoxProps): JSX.Element => {
  const { draft, onDraft } = props;
  const lines = draft as readonly string[];
  return (
    <textarea
      {...described(props)}
      rows={Math.min(8, Math.max(2, lines.length + 1))}
      spellcheck={false}
      value={lines.join('\n')}
      onInput={(event) =>
        onDraft(event.currentTarget.value === '' ? [] : event.currentTarget.value.split('\n'))
      }
    />
  );
};
