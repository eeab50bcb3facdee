/** The parameters of CreateCampaign that the form has no field of its own for, out of the declaration of the route. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { DeclaredSentence, FieldName, useChoiceText } from '../../ui/translatedApiDescriptions.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { useTranslation } from '../../words/index.ts';

interface Described {
  name: string;
  description: string;
  words?: readonly string[];
}

interface Document {
  paths: Record<
    string,
    {
      post?: {
        requestBody?: {
          content: {
            'application/json': {
              schema: { properties: Record<string, { description?: string; enum?: unknown[] }> };
            };
          };
        };
      };
    }
  >;
}

const readParameters = async (signal: AbortSignal): Promise<Described[]> => {
  const answer = await fetch('/admin/openapi.json', { signal });
  const { paths } = (await answer.json()) as Document;
  const body = paths['/accounts/{account}/campaigns']?.post?.requestBody;
  return Object.entries(body?.content['application/json'].schema.properties ?? {}).map(([name, one]) => ({
    name,
    description: one.description ?? '',
    ...(one.enum && { words: one.enum.map(String) }),
  }));
};

export type OtherFieldValues = Readonly<Record<string, string>>;

interface OtherFieldsProps {
  /** Names that the form has fields for. */
  without: readonly string[];
  others: OtherFieldValues;
  onOthers(others: OtherFieldValues): void;
}

export const OtherCampaignFields = (props: OtherFieldsProps): JSX.Element => {
  const say = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('otherFields')}</summary>
      {isOpen && <Fields {...props} />}
    </details>
  );
};

const Fields = ({ without, others, onOthers }: OtherFieldsProps): JSX.Element => {
  const choiceText = useChoiceText();
  const { answer, failure } = useFetch('parameters', readParameters);
  if (failure !== undefined) return <ErrorNotice error={failure} />;
  if (!answer) return <LoadingNotice />;
  return (
    <div class="form-grid gap-above">
      {answer
        .filter(({ name }) => !without.includes(name))
        .map(({ name, description, words }) => {
          const common = {
            value: others[name] ?? '',
            onInput: (event: { currentTarget: { value: string } }) =>
              onOthers({ ...others, [name]: event.currentTarget.value }),
          };
          return (
            <label key={name} class="f">
              <FieldName name={name} />
              {words ? (
                <select {...common}>
                  <option />
                  {words.map((word) => (
                    <option key={word} value={word}>
                      {choiceText(word)}
                    </option>
                  ))}
                </select>
              ) : (
                <input type="text" {...common} />
              )}
              <span class="hint">
                <DeclaredSentence text={description} />
              </span>
            </label>
          );
        })}
    </div>
  );
};
