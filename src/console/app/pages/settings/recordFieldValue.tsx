/** A value of a record as it is shown: times on the account's clock, sounds to be heard, the rest as text. */
import type { JSX } from 'preact';
import { formatLocalizedNumber } from '../../words/index.ts';
import { Day, When } from '../../ui/when.tsx';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { SoundPlayer } from '../../ui/soundPlayer.tsx';
import { ChoiceName, DeclaredSentence, FieldName } from '../../ui/translatedApiDescriptions.tsx';
import type { ResourceColumn } from './resourcesFromOpenApi.ts';
import { useSettingsWords } from './useSettingsWords.ts';

interface ValueProps {
  column: ResourceColumn;
  value: unknown;
  zone?: string | undefined;
  /** In a row of a list: what is long is folded away. */
  isBrief?: boolean;
}

export const RecordFieldValue = ({ column, value, zone, isBrief = false }: ValueProps): JSX.Element => {
  const say = useSettingsWords();
  if (value === null || value === undefined || value === '' || isEmptyPart(value)) return <NoValue />;
  if (column.shape.kind === 'moment' && typeof value === 'number') return <When at={value} zone={zone} />;
  if (typeof value === 'boolean') return <>{say(value ? 'yes' : 'no')}</>;
  if (typeof value === 'number')
    return <>{Number.isInteger(value) ? String(value) : formatLocalizedNumber(value, 4)}</>;
  if (typeof value === 'object') return <Parts value={value} isBrief={isBrief} />;
  const text = toTextOrJson(value);
  if (column.shape.kind === 'choice') return <ChoiceName value={text} />;
  if (days.test(column.name)) return <Day day={text} />;
  if (secrets.test(column.name)) return <Secret text={text} />;
  const sound = soundIn(text);
  if (sound !== undefined) return <Sound address={sound} name={column.name} />;
  return <bdi class={isBrief ? 'foreign brief' : 'foreign'}>{text}</bdi>;
};

/** Names of days: `date_start`. */
const days = /^date_/;

export const NoValue = (): JSX.Element => {
  const say = useSettingsWords();
  return (
    <span class="dimmer">
      <span aria-hidden="true">–</span>
      <span class="vh">{say('none')}</span>
    </span>
  );
};

/** Values that who looks over a shoulder should not read. */
const secrets = /_secret$/;

const Secret = ({ text }: { text: string }): JSX.Element => {
  const say = useSettingsWords();
  return (
    <details>
      <summary>{say('showSecret')}</summary>
      <bdi class="foreign">{text}</bdi>
    </details>
  );
};

const isEmptyPart = (value: unknown): boolean =>
  typeof value === 'object' && Object.keys(value!).length === 0;

const Parts = ({ value, isBrief }: { value: object; isBrief: boolean }): JSX.Element => {
  const say = useSettingsWords();
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return <bdi class={isBrief ? 'foreign brief' : 'foreign'}>{value.map(toTextOrJson).join(', ')}</bdi>;
  const text = JSON.stringify(value, undefined, 2);
  if (isBrief) return <bdi class="foreign brief mono">{JSON.stringify(value)}</bdi>;
  return (
    <details>
      <summary>{say('details')}</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
};

/** The path of a sound that this service keeps; undefined: the text names none. */
const soundIn = (text: string): string | undefined => {
  if (!/^https?:\/\/[^\s]+\/media\/[^\s]+\.(wav|mp3)(\?[^\s]*)?$/i.test(text)) return undefined;
  const { pathname, search } = new URL(text);
  return pathname + search;
};

/** Nothing of it is fetched before it is played. */
const Sound = ({ address, name }: { address: string; name: string }): JSX.Element => {
  const say = useSettingsWords();
  return <SoundPlayer src={address} label={say('listen', { what: name })} />;
};

/** Names and values of a record. */
export const RecordFieldList = ({
  columns,
  record,
  zone,
}: {
  columns: readonly ResourceColumn[];
  record: Readonly<Record<string, unknown>>;
  zone?: string | undefined;
}): JSX.Element => (
  <dl class="kv values">
    {columns
      .filter(({ name }) => record[name] !== undefined)
      .map((column) => (
        <>
          <dt>
            <FieldName name={column.name} />
          </dt>
          <dd>
            <RecordFieldValue column={column} value={record[column.name]} zone={zone} />
            {column.description !== '' && !column.description.startsWith('Epoch') && (
              <span class="hint">
                <DeclaredSentence text={column.description} />
              </span>
            )}
          </dd>
        </>
      ))}
  </dl>
);
