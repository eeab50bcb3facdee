/** Campaigns, messages and callbacks, what the service stands on, and its nodes. */
import type { JSX } from 'preact';
import type { ServiceOverview } from '../../data.ts';
import { span } from '../../format.ts';
import { useHealthWords } from '../../healthInPageLanguage.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { HealthLight } from '../../ui/healthLight.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Day, When } from '../../ui/when.tsx';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';
import { runningPhaseWord } from '../campaigns/phase.ts';
import { silentMs } from './alerts.ts';

type Campaign = ServiceOverview['campaigns'][number];

export const RunningCampaignsTable = ({ overview }: { overview: ServiceOverview }): JSX.Element | null => {
  const say = useTranslation();
  if (overview.campaigns.length === 0) return null;
  return (
    <section aria-labelledby="campaigns">
      <div class="sh">
        <h2 id="campaigns">{say('campaigns')}</h2>
      </div>
      <div class="tw" tabIndex={0} role="group" aria-label={say('campaigns')}>
        <table class="stack">
          <thead>
            <tr>
              <th>{say('campaign')}</th>
              <th class="w-prog">{say('progress')}</th>
              <th class="num">{say('called')}</th>
              <th class="num">{say('pace')}</th>
              <th class="num">{say('answerRate')}</th>
              <th class="num">{say('forecastEnd')}</th>
              <th class="num">{say('lastDay')}</th>
            </tr>
          </thead>
          <tbody>
            {overview.campaigns.map((one) => (
              <CampaignRow
                key={`${one.account_id} ${one.id}`}
                one={one}
                account={overview.accounts[one.account_id]}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

const CampaignRow = ({ one, account }: { one: Campaign; account: string | undefined }): JSX.Element => {
  const say = useTranslation();
  const all = Math.max(one.destinations, 1);
  const phase = one.phase || one.state;
  const word = runningPhaseWord(phase);
  return (
    <tr>
      <td data-l={say('campaign')}>
        <span>
          <a class="state" data-row href={`/admin/campaigns/${one.id}`}>
            <Mark of={toStatusTone('campaign', one.state === 'active' ? one.state : 'waiting')} />
            <span class="strong foreign">{one.name}</span>
          </a>
          <span class="sub foreign">
            <bdi>{account ?? one.account_id}</bdi> · {word === undefined ? phase : say(word)}
          </span>
        </span>
      </td>
      <td>
        <svg
          class="bar"
          viewBox={`0 0 ${all} 6`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say('progress')}
        >
          <rect class="f-line" width={all} height="6" />
          <rect class="f-past" width={Math.min(one.made, all)} height="6" />
          <rect class="f-good" width={Math.min(one.answered, all)} height="6" />
        </svg>
      </td>
      <td data-l={say('called')} class="num">
        <span>
          {formatLocalizedNumber(one.made)}
          <span class="sub">{say('ofAll', { count: one.destinations })}</span>
        </span>
      </td>
      <td data-l={say('pace')} class="num">
        {one.calls_per_minute === null ? say('noLimit') : formatLocalizedNumber(one.calls_per_minute)}
      </td>
      <td data-l={say('answerRate')} class="num">
        {one.made === 0 ? '–' : `${formatLocalizedNumber((100 * one.answered) / one.made, 1)} %`}
      </td>
      <td data-l={say('forecastEnd')} class="num">
        <ForecastEnd of={one} />
      </td>
      <td data-l={say('lastDay')} class="num nowrap">
        <Day day={one.date_end} />
      </td>
    </tr>
  );
};

/** When a campaign will end at its pace, and how many it does not call by then. */
const ForecastEnd = ({ of: { forecast, time_zone: zone } }: { of: Campaign }): JSX.Element => {
  const say = useTranslation();
  if (forecast === null) return <>–</>;
  const { ends, ends_at: at, unreached } = forecast;
  return (
    <span>
      {ends === 'truncated' ? say('notForeseen') : <When at={at} zone={zone} />}
      {ends === 'expired' && <span class="sub warn">{say('notCalledByThen', { count: unreached })}</span>}
      {ends === 'limitReached' && <span class="sub">{say('enoughAnswered')}</span>}
    </span>
  );
};

export const HealthCheckList = ({ checks }: { checks: ServiceOverview['checks'] }): JSX.Element => {
  const say = useTranslation();
  const health = useHealthWords();
  return (
    <section aria-labelledby="checks">
      <div class="sh">
        <h2 id="checks">{say('trunksAndLinks')}</h2>
      </div>
      <ul class="checks">
        {checks.map(({ name, ok, detail }) => (
          <li key={name}>
            <HealthLight isWell={ok} />
            <span>
              {health.name(name)}
              <span class={ok ? 'sub foreign' : 'sub foreign bad'}>{health.detail(detail)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Callers in queues; nothing where none wait or talk. */
export const QueueDepthTable = ({
  overview: { queues, accounts },
}: {
  overview: ServiceOverview;
}): JSX.Element | null => {
  const say = useTranslation();
  if (queues.length === 0) return null;
  return (
    <section aria-labelledby="queues">
      <div class="sh">
        <h2 id="queues">{say('queues')}</h2>
      </div>
      <table>
        <thead>
          <tr>
            <th>{say('queue')}</th>
            <th class="num">{say('queueWaiting')}</th>
            <th class="num">{say('talking')}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ account_id: account, id, name, waiting, talking }) => (
            <tr key={`${account} ${id}`}>
              <td>
                <a class="foreign" data-row href={`/admin/machines/${id}?account=${account}`}>
                  {name}
                </a>
                <span class="sub foreign">{accounts[account] ?? account}</span>
              </td>
              <td class="num">{formatLocalizedNumber(waiting)}</td>
              <td class="num">{formatLocalizedNumber(talking)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Later than this a timer is late, milliseconds. */
const lateMs = 1_000;

export const ServiceNodeList = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const { here, nodes, at } = overview;
  const running = nodes.filter(({ lost_at: lost }) => lost === null);
  const names = [...new Map(running.map((node) => [node.name, node])).values()];
  return (
    <section aria-labelledby="nodes">
      <div class="sh">
        <h2 id="nodes">{say('nodes')}</h2>
        <span class="right">{say('hereIs', { node: here.node })}</span>
      </div>
      <ul class="checks">
        {names.map((node) => (
          <li key={node.name}>
            <HealthLight isWell={at - node.beat_at <= silentMs} />
            <span>
              {node.name}
              <span class="sub">{say('upFor', { time: span(at - node.started_at) })}</span>
            </span>
          </li>
        ))}
      </ul>
      <dl class="kv gap-above">
        <dt>{say('stepsPerSecond')}</dt>
        <dd class="num">{formatLocalizedNumber(here.stepsPerSecond)}</dd>
        <dt>{say('timerLag')}</dt>
        <dd class={(here.timerLagMs ?? 0) > lateMs ? 'num warn' : 'num'}>
          {here.timerLagMs === null ? '–' : span(here.timerLagMs)}
        </dd>
        <dt>{say('callbacksWaiting')}</dt>
        <dd class="num">{formatLocalizedNumber(here.callbacksWaiting)}</dd>
      </dl>
    </section>
  );
};
