/** The statement of one dial: where the number came from, and what each rule answered, as it was written down then. */
import type { JSX } from 'preact';
import { formatClockWithMillisecondsInZone, formatHourInZone } from '../../format.ts';
import { type StatusTone, Mark } from '../../ui/mark.tsx';
import { copyText } from '../../ui/copyText.ts';
import type { NumberHistoryItem, DialRuleVerdict, NumberHistoryRuleResults } from './data.ts';
import { useWhyWords } from './useWhyWords.ts';

interface StatementProps {
  happened: NumberHistoryItem;
  statement: NumberHistoryRuleResults;
  /** The time zone of the account; absent: the viewer's. */
  zone: string | undefined;
}

export const DialRulesTable = ({ happened, statement, zone }: StatementProps): JSX.Element => {
  const tell = useWhyWords();
  const title = happened.what === 'called' ? 'calledAt' : 'notCalledAt';
  return (
    <section class="why-statement" aria-labelledby="why-statement">
      <div class="sh">
        <h2 id="why-statement">{tell(title, { time: formatHourInZone(statement.at, zone) })}</h2>
        <div class="right">
          <button
            type="button"
            class="btn bare"
            onClick={() => void copyText(statement.text, tell('copied'))}
          >
            {tell('copy')}
          </button>
        </div>
      </div>
      <p class="why-origin foreign">{statement.origin}</p>
      <h3>{tell('asked', { time: formatClockWithMillisecondsInZone(statement.at, zone) })}</h3>
      {statement.rules.length > 0 && <Rules rules={statement.rules} />}
      <p class="small dimmer">{tell(statement.rules.length > 0 ? 'written' : 'unwritten')}</p>
    </section>
  );
};

const feelings: Readonly<Record<DialRuleVerdict['answer'], StatusTone>> = {
  yes: 'good',
  no: 'bad',
  notAsked: 'past',
};

const Rules = ({ rules }: { rules: readonly DialRuleVerdict[] }): JSX.Element => (
  <table class="why-rules">
    <tbody>
      {rules.map(({ rule, title, answer, says }) => (
        <tr key={rule}>
          <th scope="row">{title}</th>
          <td>
            <span class={answer === 'notAsked' ? 'state dimmer' : 'state'}>
              <Mark of={feelings[answer]} />
              <span class="foreign">{says}</span>
            </span>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
