/** A box for the example of each gap of a template, made from its texts as they are typed; the form keeps them as JSON. */
import type { JSX } from 'preact';
import type { FieldShape } from '../formFieldsFromSchema.ts';
import { boxId, type InputBoxProps } from '../plainFieldInputs.tsx';
import { type SettingsTranslationKey, useSettingsWords } from '../useSettingsWords.ts';
import { countGaps, examplesOfPart, readJson, withExample } from './examples.ts';

export type ExamplesShape = Extract<FieldShape, { kind: 'examples' }>;

/** Where a gap stands, by the part of the examples. */
const places: Readonly<Record<string, SettingsTranslationKey>> = {
  body_text: 'gapInText',
  header_text: 'gapInHeader',
};

const textIn = ({ scope }: InputBoxProps, field: string): string => {
  const text = scope.typed[field];
  return typeof text === 'string' ? text : '';
};

export const ExampleBoxes = (props: InputBoxProps<ExamplesShape>): JSX.Element => {
  const say = useSettingsWords();
  const written = props.draft as string;
  const examples = readJson(written);
  const gaps = Object.entries(props.shape.of).flatMap(([part, field]) => {
    const count = countGaps(textIn(props, field));
    const values = examplesOfPart(examples, part);
    return Array.from({ length: count }, (_, nth) => ({ part, count, nth, value: values[nth] ?? '' }));
  });
  if (gaps.length === 0) return <p class="hint">{say('noGaps')}</p>;
  return (
    <div class="fields">
      {gaps.map(({ part, count, nth, value }) => (
        <ExampleBox
          key={`${part} ${nth}`}
          id={boxId(props.scope, `${props.path}.${part}.${nth}`)}
          label={say(places[part] ?? 'gapInText', { gap: `{{${nth + 1}}}` })}
          value={value}
          onValue={(example) => props.onDraft(withExample(written, { part, count }, nth, example))}
        />
      ))}
    </div>
  );
};

interface ExampleBoxProps {
  id: string;
  label: string;
  value: string;
  onValue(value: string): void;
}

/** A template is stored without its examples, too; that its review lacks one is said before it is asked for. */
const ExampleBox = ({ id, label, value, onValue }: ExampleBoxProps): JSX.Element => {
  const say = useSettingsWords();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        value={value}
        aria-describedby={`${id}-lacks`}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <p class="warn" id={`${id}-lacks`} hidden={value.trim() !== ''}>
        {say('exampleLacks')}
      </p>
    </div>
  );
};
