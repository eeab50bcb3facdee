/** The view for a screen on the floor: figures that are read from four metres, without menus. `g n` leads back. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ServiceOverview, fetchServiceOverview } from '../../data.ts';
import { formatDay, formatHourAndMinute, formatMomentOfDay } from '../../format.ts';
import { useHealthWords } from '../../healthInPageLanguage.ts';
import { useStream } from '../../stream.ts';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { MaskedNumbersNotice } from '../../ui/maskedNote.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useLastNewsBeforeCut } from '../../ui/streamMark.tsx';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';
import { listOperatorAlerts } from '../now/alerts.ts';
import { countCallsInNetwork, countCallsYetToDial } from '../now/flow.tsx';
import { useWallWords } from './useWallWords.ts';

/** More fit no screen. */
const mostCampaigns = 5;
const lastMinutes = 10;
/** Above this part of the attempts the network is in trouble. */
const muchFails = 0.1;

export const WallboardPage = (): JSX.Element => {
  const say = useWallWords();
  const [overview, setOverview] = useState<ServiceOverview>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    document.title = `${say('title')} · Ramal`;
  }, [say]);
  useEffect(() => {
    fetchServiceOverview().then(setOverview, setFailure);
  }, []);
  useStream('now', { now: setOverview });
  if (overview) return <Wall overview={overview} />;
  return failure === undefined ? <LoadingNotice /> : <ErrorNotice error={failure} />;
};

const Wall = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useWallWords();
  const lastNews = useLastNewsBeforeCut();
  return (
    <main id="main" class={lastNews === undefined ? 'wall' : 'wall stale'}>
      <header>
        <h1>{say('title')}</h1>
        <a class="wall-back" href="/admin">
          {say('back')}
        </a>
        <span class="wall-clock">{formatHourAndMinute(overview.at)}</span>
      </header>
      {lastNews === undefined ? <Worst overview={overview} /> : <NoNews since={lastNews} />}
      <Figures overview={overview} />
      <Series values={overview.hour.answers.slice(0, -1)} label={say('series')} />
      <Campaigns overview={overview} />
      <MaskedNumbersNotice />
    </main>
  );
};

/** Stands for what needs a person: that may be another by now. */
const NoNews = ({ since }: { since: string }): JSX.Element => (
  <p class="wall-attention" role="status">
    <Mark of="warn" />
    {useTranslation()('stoodAtLastNews', { time: since })}
  </p>
);

/** The worst of what needs a person, and how much there is besides. */
const Worst = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useWallWords();
  const [worst, ...others] = listOperatorAlerts(overview, useTranslation(), useHealthWords());
  if (!worst)
    return (
      <p class="wall-attention good" role="status">
        <Mark of="good" />
        {say('allIsWell')}
      </p>
    );
  return (
    <p class="wall-attention" role="status">
      <Mark of={worst.feeling} />
      <span class="foreign">
        <b>{worst.title}.</b> <bdi>{worst.text}</bdi>
      </span>
      {others.length > 0 && <span class="dim">{say('andMore', { count: others.length })}</span>}
    </p>
  );
};

const talkingIn = (states: ServiceOverview['states']): number =>
  states
    .filter(({ kind, state }) => kind === 'call' && /^answered\.talking(\.|$)/.test(state))
    .reduce((sum, { count }) => sum + count, 0);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const Figures = ({ overview: { states, hour } }: { overview: ServiceOverview }): JSX.Element => {
  const say = useWallWords();
  const attempts = sumOf(hour.attempts.slice(-1 - lastMinutes, -1));
  const failed = attempts === 0 ? 0 : sumOf(hour.failed.slice(-1 - lastMinutes, -1)) / attempts;
  return (
    <dl class="wall-figures">
      <Figure of="good" name={say('talking')} sub={say('talkingSub')}>
        {formatLocalizedNumber(talkingIn(states))}
      </Figure>
      <Figure of="live" name={say('up')} sub={say('upSub', { waiting: countCallsYetToDial(states) })}>
        {formatLocalizedNumber(countCallsInNetwork(states))}
      </Figure>
      <Figure
        of="good"
        name={say('answers')}
        sub={say('answersSub', { attempts: hour.attempts.at(-2) ?? 0 })}
      >
        {formatLocalizedNumber(hour.answers.at(-2) ?? 0)}
      </Figure>
      <Figure of={failed > muchFails ? 'warn' : 'past'} name={say('failed')} sub={say('failedSub')}>
        {formatLocalizedNumber(failed * 100, 1)}
        <small> %</small>
      </Figure>
    </dl>
  );
};

interface FigureProps {
  of: StatusTone;
  name: string;
  sub: string;
  children: ComponentChildren;
}

const Figure = ({ of, name, sub, children }: FigureProps): JSX.Element => (
  <div class={of === 'warn' ? 'out' : ''}>
    <dt>
      <Mark of={of} />
      {name}
    </dt>
    <dd>{children}</dd>
    <dd class="sub">{sub}</dd>
  </div>
);

const tall = 100;

const Series = ({ values, label }: { values: readonly number[]; label: string }): JSX.Element => {
  const most = Math.max(1, ...values);
  const points = values.map((value, at) => `${at},${(tall - (value / most) * (tall - 4)).toFixed(1)}`);
  const wide = Math.max(1, values.length - 1);
  return (
    <svg
      class="wall-series"
      viewBox={`0 0 ${wide} ${tall}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="area" d={`M0,${tall}L${points.join('L')}L${wide},${tall}Z`} />
      <path class="line" d={`M${points.join('L')}`} />
    </svg>
  );
};

const Campaigns = ({ overview: { campaigns } }: { overview: ServiceOverview }): JSX.Element => {
  const say = useWallWords();
  if (campaigns.length === 0) return <p class="dim wall-campaigns">{say('noCampaigns')}</p>;
  return (
    <div>
      <table class="wall-campaigns">
        <thead>
          <tr>
            <th>{say('campaign')}</th>
            <th class="wall-bar">{say('progress')}</th>
            <th class="num">{say('called')}</th>
            <th class="num">{say('pace')}</th>
            <th class="num">{say('ends')}</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.slice(0, mostCampaigns).map((one) => (
            <CampaignRow key={`${one.account_id} ${one.id}`} {...one} />
          ))}
        </tbody>
      </table>
      {campaigns.length > mostCampaigns && (
        <p class="dim">{say('andMore', { count: campaigns.length - mostCampaigns })}</p>
      )}
    </div>
  );
};

const CampaignRow = (one: ServiceOverview['campaigns'][number]): JSX.Element => {
  const say = useWallWords();
  const all = Math.max(one.destinations, 1);
  return (
    <tr>
      <td>
        <Mark of={one.state === 'active' ? 'live' : 'wait'} /> <span class="foreign">{one.name}</span>
      </td>
      <td class="wall-bar">
        <svg class="bar" viewBox={`0 0 ${all} 6`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="f-line" width={all} height="6" />
          <rect class="f-past" width={Math.min(one.made, all)} height="6" />
          <rect class="f-good" width={Math.min(one.answered, all)} height="6" />
        </svg>
      </td>
      <td class="num">{formatLocalizedNumber((100 * Math.min(one.made, all)) / all)} %</td>
      <td class="num">
        {one.calls_per_minute === null ? say('noLimit') : formatLocalizedNumber(one.calls_per_minute)}
      </td>
      <td class="num nowrap">
        <EndOfCampaign {...one} />
      </td>
    </tr>
  );
};

/** When it will end as it goes, by the clock of its account; else its last day. */
const EndOfCampaign = ({
  forecast,
  time_zone: zone,
  date_end: lastDay,
}: ServiceOverview['campaigns'][number]): JSX.Element => {
  const say = useWallWords();
  if (forecast === null || forecast.ends === 'truncated')
    return <>{say('atLatest', { day: formatDay(lastDay) })}</>;
  return <>{formatMomentOfDay(forecast.ends_at, zone)}</>;
};
