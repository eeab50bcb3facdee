/** What happened, by day, the newest first; what it is filtered by, and which statement is shown. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { groupBy } from '../../../statechart/groupBy.ts';
import { formatLongDayInZone, formatHourInZone, formatDateTime } from '../../format.ts';
import { type StatusTone, Mark } from '../../ui/mark.tsx';
import { ServiceSentence } from '../../ui/serviceSentence.tsx';
import { useTranslation } from '../../words/index.ts';
import type { NumberHistoryItem } from './data.ts';
import { useWhyWords, type WhyTranslationKey } from './useWhyWords.ts';

const filters = {
  all: ['all', () => true],
  called: ['called', ({ what }) => what === 'called'],
  not: ['notCalled', ({ what }) => what !== 'called'],
} as const satisfies Readonly<
  Record<string, readonly [WhyTranslationKey, (one: NumberHistoryItem) => boolean]>
>;

type Filter = keyof typeof filters;

interface HappeningsProps {
  happened: readonly NumberHistoryItem[];
  /** Names by their ids. */
  accounts: Readonly<Record<string, string>>;
  /** Their time zones. */
  zones: Readonly<Record<string, string>>;
  chosen: NumberHistoryItem | undefined;
  onChoose(one: NumberHistoryItem): void;
}

export const NumberHistoryList = ({
  happened,
  accounts,
  zones,
  chosen,
  onChoose,
}: HappeningsProps): JSX.Element => {
  const tell = useWhyWords();
  const [filter, setFilter] = useState<Filter>('all');
  const shown = happened.filter(filters[filter][1]);
  const days = groupBy(shown, ({ at, account }) => formatLongDayInZone(at, zones[account]));
  const isOfMany = Object.keys(accounts).length > 1;
  return (
    <>
      <div class="sh">
        <h2 id="why-happened">{tell('happened')}</h2>
        <div class="seg" role="group" aria-label={tell('happened')}>
          {Object.entries(filters).map(([name, [word, fits]]) => (
            <button
              key={name}
              type="button"
              aria-pressed={filter === name}
              onClick={() => setFilter(name as Filter)}
            >
              {tell(word)} <span class="c">{happened.filter(fits).length}</span>
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 && <p class="dim gap-above">{tell('nothingHappened')}</p>}
      {[...days].map(([day, ofDay]) => (
        <div key={day} class="why-day">
          <h3>{day}</h3>
          <ol class="why-events">
            {ofDay.map((one) => (
              <Event
                key={`${one.call} ${one.at} ${one.rule} ${one.sentence}`}
                one={one}
                zone={zones[one.account]}
                account={isOfMany ? accounts[one.account] : undefined}
                isChosen={one === chosen}
                onChoose={onChoose}
              />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
};

const feelings: Readonly<Record<NumberHistoryItem['what'], StatusTone>> = {
  called: 'past',
  notCalled: 'past',
  postponed: 'wait',
  waiting: 'wait',
  leftOut: 'past',
};

/** A call that a person answered feels unlike one that rang out. */
const feelingOf = ({ what, rule }: NumberHistoryItem): StatusTone =>
  what === 'called' && /^(?:completed|hungUp|transferred|)$/.test(rule) ? 'good' : feelings[what];

interface EventProps {
  one: NumberHistoryItem;
  zone: string | undefined;
  account: string | undefined;
  isChosen: boolean;
  onChoose(one: NumberHistoryItem): void;
}

const Event = ({ one, zone, account, isChosen, onChoose }: EventProps): JSX.Element => {
  const say = useTranslation();
  const tell = useWhyWords();
  const { call, statement } = one;
  return (
    <li>
      <Mark of={feelingOf(one)} />
      <time
        class="dim"
        dateTime={new Date(one.at).toISOString()}
        title={say('yourTime', { time: formatDateTime(one.at) })}
      >
        {formatHourInZone(one.at, zone)}
      </time>
      <div class="foreign">
        <ServiceSentence text={one.sentence} zone={zone} />
        <span class="sub">
          {account !== undefined && (
            <>
              <bdi>{account}</bdi>
              {' · '}
            </>
          )}
          {one.times > 1 && `${tell('inARow', { count: one.times })} · `}
          {one.ruleName}
          {call !== null && (
            <>
              {one.ruleName !== '' && ' · '}
              <a class="link" data-row href={`/admin/machines/${call}?account=${one.account}`}>
                <code>{call}</code>
              </a>
            </>
          )}
          {statement && (
            <>
              {' '}
              <button
                type="button"
                class="btn bare"
                aria-pressed={isChosen}
                aria-label={tell('rulesAt', { time: formatHourInZone(one.at, zone) })}
                onClick={() => onChoose(one)}
              >
                {tell('rules')}
              </button>
            </>
          )}
        </span>
      </div>
    </li>
  );
};
