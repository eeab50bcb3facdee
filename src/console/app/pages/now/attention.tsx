/** What needs an operator, first on the page, each with what to do beside it; filtered by kind, account and age. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ServiceOverview } from '../../data.ts';
import { span } from '../../format.ts';
import { useHealthWords } from '../../healthInPageLanguage.ts';
import { HealthLight } from '../../ui/healthLight.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useLastNewsBeforeCut } from '../../ui/streamMark.tsx';
import { formatLocalizedNumber, useTranslation, type Word } from '../../words/index.ts';
import { alertGroups, listOperatorAlerts, type OperatorAlert } from './alerts.ts';
import { ReplayDeadLetters } from './replayDeadLetters.tsx';

/** Which of them are shown; `all` is not filtered. */
interface AlertFilter {
  group: OperatorAlert['group'] | 'all';
  account: string;
  age: AlertAge;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long ago they began, by name; what began at no known moment is in each of them. */
const ages = {
  all: ['anyAge', () => true],
  hour: ['lastHourOnly', (ms) => ms < hourMs],
  day: ['lastDayOnly', (ms) => ms < dayMs],
  older: ['olderThanDay', (ms) => ms >= dayMs],
} as const satisfies Record<string, readonly [Word, (ms: number) => boolean]>;

type AlertAge = keyof typeof ages;

const fits = ({ group, account, age }: AlertFilter, alert: OperatorAlert, now: number): boolean =>
  (group === 'all' || alert.group === group) &&
  (account === 'all' || String(alert.account ?? '') === account) &&
  (alert.since === undefined || ages[age][1](now - alert.since));

export const OperatorAlerts = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const [filter, setFilter] = useState<AlertFilter>({ group: 'all', account: 'all', age: 'all' });
  const all = listOperatorAlerts(overview, say, useHealthWords());
  const shown = all.filter((alert) => fits(filter, alert, overview.at));
  return (
    <section aria-labelledby="attention">
      <div class="sh">
        <h2 id="attention">{say('needsAttention')}</h2>
        {all.length > 0 && <AlertGroups {...{ all, filter, setFilter }} />}
      </div>
      {all.length > 1 && <AlertChoices {...{ all, overview, filter, setFilter }} />}
      {shown.length === 0 ? (
        <p class="dim gap-above state">{all.length === 0 ? <NoAlerts /> : say('nothingOfThese')}</p>
      ) : (
        <ul class="attention">
          {shown.map((alert) => (
            <AlertRow key={alert.key} alert={alert} now={overview.at} />
          ))}
        </ul>
      )}
    </section>
  );
};

const NoAlerts = (): JSX.Element => {
  const say = useTranslation();
  const lastNews = useLastNewsBeforeCut();
  return (
    <>
      <HealthLight isWell />
      {lastNews === undefined ? say('nothingNeedsYou') : say('nothingNeededYou', { time: lastNews })}
    </>
  );
};

interface FilterProps {
  all: readonly OperatorAlert[];
  filter: AlertFilter;
  setFilter(filter: AlertFilter): void;
}

const AlertGroups = ({ all, filter, setFilter }: FilterProps): JSX.Element => {
  const say = useTranslation();
  const counts = alertGroups.map((group) => ({
    group,
    count: all.filter((one) => one.group === group).length,
  }));
  return (
    <div class="seg" role="group" aria-label={say('kind')}>
      {[{ group: 'all' as const, count: all.length }, ...counts.filter(({ count }) => count > 0)].map(
        ({ group, count }) => (
          <button
            key={group}
            type="button"
            aria-pressed={filter.group === group}
            onClick={() => setFilter({ ...filter, group })}
          >
            {say(group)}
            <span class="c">{formatLocalizedNumber(count)}</span>
          </button>
        ),
      )}
    </div>
  );
};

const AlertChoices = ({
  all,
  overview: { accounts },
  filter,
  setFilter,
}: FilterProps & { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const owners = [...new Set(all.flatMap(({ account }) => account ?? []))].toSorted((a, b) => a - b);
  return (
    <div class="alert-choices">
      <label>
        <span class="vh">{say('account')}</span>
        <select
          value={filter.account}
          onChange={({ currentTarget }) => setFilter({ ...filter, account: currentTarget.value })}
        >
          <option value="all">{say('allAccounts')}</option>
          {owners.map((id) => (
            <option key={id} value={String(id)}>
              {accounts[id] ?? id}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="vh">{say('age')}</span>
        <select
          value={filter.age}
          onChange={({ currentTarget }) => setFilter({ ...filter, age: currentTarget.value as AlertAge })}
        >
          {Object.entries(ages).map(([age, [word]]) => (
            <option key={age} value={age}>
              {say(word)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
};

const AlertRow = ({ alert, now }: { alert: OperatorAlert; now: number }): JSX.Element => {
  const say = useTranslation();
  const { feeling, title, text, since, href, replay } = alert;
  return (
    <li data-row>
      <Mark of={feeling} />
      <div class="what">
        <b class="foreign">{title}</b>
        <span class="dim foreign">{text}</span>
      </div>
      <span class="age">{since === undefined ? '' : span(now - since)}</span>
      <div class="acts">
        {replay && <ReplayDeadLetters {...replay} />}
        {href !== undefined && (
          <a class="btn bare" href={href}>
            {say('open')}
            <span class="vh">: {title}</span>
          </a>
        )}
      </div>
    </li>
  );
};
