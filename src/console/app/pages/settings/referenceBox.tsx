/** A box that names a record of another kind: it offers those that there are, by what they are called. */
import type { JSX } from 'preact';
import { useFetch } from '../../ui/useRead.ts';
import type { FieldShape } from './formFieldsFromSchema.ts';
import { ChoiceBox, type InputBoxProps, Line } from './plainFieldInputs.tsx';
import { readNamedRecords } from './readNamedRecords.ts';
import { fill } from './settingsPageAddresses.ts';

export type ReferenceShape = Extract<FieldShape, { kind: 'reference' }>;

/** Where the records cannot be listed, or are too many to choose from, their name is typed. */
export const ReferenceBox = (props: InputBoxProps<ReferenceShape>): JSX.Element => {
  const { shape, scope, draft } = props;
  const path = fill(shape.records.list, scope.params);
  const { answer, failure } = useFetch(path, (signal) => readNamedRecords(shape.records, path, signal));
  if (failure !== undefined || answer?.isTooMany) return <Line {...props} shape={shape.typed} />;
  const offered = answer?.records.map(({ value, text }) => [value, text] as const) ?? [];
  const isOffered = draft === '' || offered.some(([value]) => value === draft);
  // What is set stays to be seen, also where it is gone, or not read yet.
  return (
    <ChoiceBox {...props} options={isOffered ? offered : [[draft as string, draft as string], ...offered]} />
  );
};
