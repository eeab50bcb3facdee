/** Boxes of a form, by the shape of what is typed into them. */
import type { ComponentChildren, JSX } from 'preact';
import type { FormInputValue } from './formInput.ts';
import { emptyFormInputValue } from './formInput.ts';
import type { FormField, FieldShape } from './formFieldsFromSchema.ts';
import {
  boxId,
  type InputBoxProps,
  ChoiceBox,
  type FormScope,
  Line,
  mistakeText,
  OnePerLineBox,
  YesNoBox,
} from './plainFieldInputs.tsx';
import {
  DeclaredSentence,
  FieldName,
  useChoiceText,
  useShortFieldName,
} from '../../ui/translatedApiDescriptions.tsx';
import { ReferenceBox, type ReferenceShape } from './referenceBox.tsx';
import { ExampleBoxes, type ExamplesShape } from './template/exampleBoxes.tsx';
import { lowercaseForSentence, useSettingsWords } from './useSettingsWords.ts';

/** A field: its name, its box, what the declaration says of it, and what is wrong with it. */
export const FieldBox = ({
  scope,
  path,
  field,
  draft,
  onDraft,
}: {
  scope: FormScope;
  path: string;
  field: FormField;
  draft: FormInputValue;
  onDraft(draft: FormInputValue): void;
}): JSX.Element => {
  const { shape, name } = field;
  const box = <Box scope={scope} path={path} shape={shape} field={field} draft={draft} onDraft={onDraft} />;
  if (hasSeveralBoxes(shape))
    return (
      <fieldset class="sub" data-path={path}>
        <legend>
          <FieldName name={name} />
          <Needed field={field} />
        </legend>
        <About scope={scope} path={path} field={field} />
        {box}
      </fieldset>
    );
  return (
    <div class="field" data-path={path}>
      <label for={boxId(scope, path)}>
        <FieldName name={name} />
        <Needed field={field} />
      </label>
      {box}
      <About scope={scope} path={path} field={field} />
    </div>
  );
};

const hasSeveralBoxes = (shape: FieldShape): boolean =>
  ['object', 'map', 'examples'].includes(shape.kind) || isListOfObjects(shape);

const isListOfObjects = (shape: FieldShape): boolean =>
  shape.kind === 'list' && (shape.of.kind === 'object' || shape.of.kind === 'map');

const Needed = ({ field }: { field: FormField }): JSX.Element | null => {
  const say = useSettingsWords();
  return field.isRequired ? <span class="hint"> {say('required')}</span> : null;
};

/** Hints below a box, and what is wrong there; the box points at them. */
const About = ({ scope, path, field }: { scope: FormScope; path: string; field: FormField }): JSX.Element => {
  const say = useSettingsWords();
  const { shape, description, usual, isSecret } = field;
  const hints: ComponentChildren[] = [];
  if (description !== '') hints.push(<DeclaredSentence text={description} />);
  if (isSecret && scope.isChange) hints.push(say('secretStays'));
  if (shape.kind === 'moment') hints.push(say('inZone', { zone: scope.zone }));
  if (shape.kind === 'json') hints.push(say('asJson'));
  if (shape.kind === 'list' && !isListOfObjects(shape)) hints.push(say('onePerLine'));
  if (usual !== undefined && usual !== '' && typeof usual !== 'object')
    hints.push(say('usual', { value: JSON.stringify(usual) }));
  const mistake = mistakeText(scope, path);
  return (
    <>
      <p class="hint" id={`${boxId(scope, path)}-hint`}>
        {hints.flatMap((hint, nth) => (nth === 0 ? [hint] : [' ', hint]))}
      </p>
      <p class="bad" id={`${boxId(scope, path)}-wrong`} hidden={mistake === ''}>
        {mistake}
      </p>
    </>
  );
};

const Box = (props: InputBoxProps): JSX.Element => {
  const choiceText = useChoiceText();
  switch (props.shape.kind) {
    case 'choice':
      return (
        <ChoiceBox {...props} options={props.shape.options.map((option) => [option, choiceText(option)])} />
      );
    case 'yesNo':
      return <YesNoBox {...props} />;
    case 'object':
      return <Parts {...(props as InputBoxProps<Extract<FieldShape, { kind: 'object' }>>)} />;
    case 'map':
      return <Rows {...(props as InputBoxProps<Extract<FieldShape, { kind: 'map' }>>)} />;
    case 'list':
      return isListOfObjects(props.shape) ? (
        <Several {...(props as InputBoxProps<Extract<FieldShape, { kind: 'list' }>>)} />
      ) : (
        <OnePerLineBox {...props} />
      );
    case 'examples':
      return <ExampleBoxes {...(props as InputBoxProps<ExamplesShape>)} />;
    case 'reference':
      return <ReferenceBox {...(props as InputBoxProps<ReferenceShape>)} />;
    default:
      return <Line {...props} />;
  }
};

const Parts = ({
  scope,
  path,
  shape,
  field,
  draft,
  onDraft,
}: InputBoxProps<Extract<FieldShape, { kind: 'object' }>>): JSX.Element => {
  const parts = draft as Record<string, FormInputValue>;
  return (
    <div class="fields">
      {shape.fields.map((part) => (
        <FieldBox
          key={part.name}
          scope={scope}
          path={`${path}.${part.name}`}
          field={{ ...part, isSecret: part.isSecret || field.isSecret }}
          draft={parts[part.name] ?? emptyFormInputValue(part.shape)}
          onDraft={(one) => onDraft({ ...parts, [part.name]: one })}
        />
      ))}
    </div>
  );
};

/** What a part of a list or of a map is, as a field. */
const partOf = (name: string, shape: FieldShape, isSecret: boolean): FormField => ({
  ...{ name, shape, isSecret, isRequired: false, isNullable: false, description: '', usual: undefined },
});

const Several = ({
  scope,
  path,
  shape,
  field,
  draft,
  onDraft,
}: InputBoxProps<Extract<FieldShape, { kind: 'list' }>>): JSX.Element => {
  const say = useSettingsWords();
  const all = draft as readonly FormInputValue[];
  const what = useShortFieldName()(lowercaseForSentence(path.split('.').at(-1)!.replace(/s$/, '')));
  return (
    <>
      {all.map((one, nth) => (
        <div class="one" key={nth}>
          <FieldBox
            scope={scope}
            path={`${path}.${nth}`}
            field={partOf(say('nth', { what, nth: nth + 1 }), shape.of, field.isSecret)}
            draft={one}
            onDraft={(changed) => onDraft(all.with(nth, changed))}
          />
          <Take what={`${what} ${nth + 1}`} onTake={() => onDraft(all.toSpliced(nth, 1))} />
        </div>
      ))}
      <Add what={what} onAdd={() => onDraft([...all, emptyFormInputValue(shape.of)])} />
    </>
  );
};

const Rows = ({
  scope,
  path,
  shape,
  field,
  draft,
  onDraft,
}: InputBoxProps<Extract<FieldShape, { kind: 'map' }>>): JSX.Element => {
  const say = useSettingsWords();
  const rows = draft as readonly { name: string; value: FormInputValue }[];
  const what = useShortFieldName()(lowercaseForSentence(path.split('.').at(-1)!.replace(/s$/, '')));
  const name: FieldShape =
    shape.names.length > 0
      ? { kind: 'choice', options: shape.names }
      : { kind: 'text', isLong: false, longest: undefined };
  return (
    <>
      {rows.map((row, nth) => (
        <div class="one pair" key={nth}>
          <FieldBox
            scope={scope}
            path={`${path}.${nth}#`}
            field={partOf(say('mapName'), name, false)}
            draft={row.name}
            onDraft={(changed) => onDraft(rows.with(nth, { ...row, name: changed as string }))}
          />
          <FieldBox
            scope={scope}
            path={`${path}.${row.name || nth}`}
            field={partOf(say('mapValue'), shape.of, field.isSecret)}
            draft={row.value}
            onDraft={(changed) => onDraft(rows.with(nth, { ...row, value: changed }))}
          />
          <Take what={row.name || `${what} ${nth + 1}`} onTake={() => onDraft(rows.toSpliced(nth, 1))} />
        </div>
      ))}
      <Add what={what} onAdd={() => onDraft([...rows, { name: '', value: emptyFormInputValue(shape.of) }])} />
    </>
  );
};

const Add = ({ what, onAdd }: { what: string; onAdd(): void }): JSX.Element => {
  const say = useSettingsWords();
  return (
    <button type="button" class="btn" onClick={onAdd}>
      {say('addOne', { what })}
    </button>
  );
};

const Take = ({ what, onTake }: { what: string; onTake(): void }): JSX.Element => {
  const say = useSettingsWords();
  return (
    <button type="button" class="btn bare" aria-label={say('removeOne', { what })} onClick={onTake}>
      {say('remove')}
    </button>
  );
};
