/** Now: what is wrong, and what to do; then what goes on, as proof. Every figure leads to the machines behind it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ServiceOverview, fetchServiceOverview } from '../../data.ts';
import { useHealthWords } from '../../healthInPageLanguage.ts';
import { useStream } from '../../stream.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useLastNewsBeforeCut } from '../../ui/streamMark.tsx';
import { useTranslation } from '../../words/index.ts';
import { listOperatorAlerts } from './alerts.ts';
import { OperatorAlerts } from './attention.tsx';
import { Flow, countCallsInNetwork } from './flow.tsx';
import { Hour } from './hour.tsx';
import { MessageOutcomesTable } from './messageAndCallbackOutcomes.tsx';
import {
  RunningCampaignsTable,
  HealthCheckList,
  QueueDepthTable,
  ServiceNodeList,
} from './campaignHealthAndNodeTables.tsx';

const useOverview = () => {
  const [overview, setOverview] = useState<ServiceOverview>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    fetchServiceOverview().then(setOverview, setFailure);
  }, []);
  useStream('now', { now: setOverview });
  return { overview, failure };
};

export const ServiceOverviewPage = (): JSX.Element => {
  const say = useTranslation();
  const { overview, failure } = useOverview();
  useEffect(() => {
    document.title = `${say('now')} · Ramal`;
  }, [say]);
  if (overview) return <NowView overview={overview} />;
  return failure === undefined ? (
    <LoadingNotice />
  ) : (
    <ErrorNotice error={failure} onAgain={() => location.reload()} />
  );
};

/** No call waits or was dialled within the hour: the first step is to place one. */
const isEmpty = ({ states, hour, campaigns }: ServiceOverview): boolean =>
  campaigns.length === 0 &&
  !states.some(({ kind }) => kind === 'call') &&
  hour.attempts.every((count) => count === 0);

const Summary = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const wrong = listOperatorAlerts(overview, say, useHealthWords()).length;
  const up = countCallsInNetwork(overview.states);
  return (
    <>
      {say(wrong === 0 ? 'allIsWell' : wrong === 1 ? 'oneThing' : 'manyThings', { count: wrong })}{' '}
      {say(up === 1 ? 'oneCallUp' : 'callsUp', { count: up })}
    </>
  );
};

const NowView = ({ overview }: { overview: ServiceOverview }): JSX.Element => {
  const say = useTranslation();
  const lastNews = useLastNewsBeforeCut();
  return (
    <div class={lastNews === undefined ? 'now' : 'now stale'}>
      <div class="head">
        <h1>{say('now')}</h1>
        <p class="lead">
          {lastNews === undefined ? (
            <Summary overview={overview} />
          ) : (
            say('stoodAtLastNews', { time: lastNews })
          )}
        </p>
        <a
          class={isEmpty(overview) ? 'btn primary' : 'link'}
          href={isEmpty(overview) ? '/admin/try' : '/admin/wall'}
        >
          {say(isEmpty(overview) ? 'firstCall' : 'wall')}
        </a>
      </div>
      <div class="cols">
        <div>
          <OperatorAlerts overview={overview} />
          <Flow states={overview.states} />
          <Hour hour={overview.hour} />
          <RunningCampaignsTable overview={overview} />
        </div>
        <div>
          <HealthCheckList checks={overview.checks} />
          <MessageOutcomesTable overview={overview} />
          <QueueDepthTable overview={overview} />
          <ServiceNodeList overview={overview} />
        </div>
      </div>
    </div>
  );
};
