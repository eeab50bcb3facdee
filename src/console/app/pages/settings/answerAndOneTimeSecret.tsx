/** What an operation answered; what is secret in it is shown this once. */
import type { JSX } from 'preact';
import { copyText } from '../../ui/copyText.ts';
import { FieldName } from '../../ui/translatedApiDescriptions.tsx';
import type { ResourceColumn } from './resourcesFromOpenApi.ts';
import { RecordFieldList } from './recordFieldValue.tsx';
import { useSettingsWords } from './useSettingsWords.ts';

interface ShownProps {
  answer: unknown;
  columns: readonly ResourceColumn[];
  zone: string;
}

export const OperationAnswerView = ({ answer, columns, zone }: ShownProps): JSX.Element => {
  const say = useSettingsWords();
  const record = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <div class="answer" role="status">
      <h3>{columns.length === 0 ? say('done') : say('answer')}</h3>
      <RecordFieldList columns={columns} record={record} zone={zone} />
    </div>
  );
};

interface OnceProps {
  /** Its name in the answer. */
  name: string;
  text: string;
}

/** A token or a key: it is copied now, or never. */
export const Once = ({ name, text }: OnceProps): JSX.Element => {
  const say = useSettingsWords();
  return (
    <div class="answer once" role="status">
      <p class="strong">{say('shownOnce')}</p>
      <label class="f">
        <FieldName name={name} />
        <input
          type="text"
          class="mono"
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <div class="acts">
        <button type="button" class="btn" onClick={() => void copyText(text, say('copied'))}>
          {say('copy')}
        </button>
      </div>
    </div>
  );
};

/** What the answer to a new record holds beside the record: a token, a key. */
export const secretsShownOnce = (
  answer: Readonly<Record<string, unknown>>,
  columns: readonly ResourceColumn[],
): readonly (readonly [name: string, text: string])[] =>
  Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && !columns.some((column) => column.name === name)
      ? [[name, value] as const]
      : [],
  );
