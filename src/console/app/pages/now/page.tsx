/** Now: what is wrong, and what to do; then what goes on, as proof. Every figure leads to the machines behind it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Overview, readOverview } from '../../data.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';
import { Failed, Loading } from '../../ui/state.tsx';
import { streamState } from '../../ui/streamMark.tsx';
import { useWords } from '../../words/index.ts';
import { Attention, troublesOf } from './attention.tsx';
import { Flow, inNetwork } from './flow.tsx';
import { Hour } from './hour.tsx';
import { Campaigns, Checks, Nodes, Outcomes } from './tables.tsx';

const useOverview = () => {
  const [overview, setOverview] = useState<Overview>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    readOverview().then(setOverview, setFailure);
  }, []);
  useStream('now', { now: setOverview });
  return { overview, failure };
};

export const NowPage = (): JSX.Element => {
  const say = useWords();
  const { overview, failure } = useOverview();
  useEffect(() => {
    document.title = `${say('now')} · Ramal`;
  }, [say]);
  if (overview) return <NowView overview={overview} />;
  return failure === undefined ? <Loading /> : <Failed error={failure} />;
};

/** No call waits or was dialled within the hour: the first step is to place one. */
const isEmpty = ({ states, hour, campaigns }: Overview): boolean =>
  campaigns.length === 0 &&
  !states.some(({ kind }) => kind === 'call') &&
  hour.attempts.every((count) => count === 0);

const NowView = ({ overview }: { overview: Overview }): JSX.Element => {
  const say = useWords();
  const isStale = typeof useStore(streamState) === 'object';
  const wrong = troublesOf(overview, say).length;
  const up = inNetwork(overview.states);
  return (
    <div class={isStale ? 'now stale' : 'now'}>
      <div class="head">
        <h1>{say('now')}</h1>
        <p class="lead">
          {say(wrong === 0 ? 'allIsWell' : wrong === 1 ? 'oneThing' : 'manyThings', { count: wrong })}{' '}
          {say(up === 1 ? 'oneCallUp' : 'callsUp', { count: up })}
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
          <Attention overview={overview} />
          <Flow states={overview.states} />
          <Hour hour={overview.hour} />
          <Campaigns overview={overview} />
        </div>
        <div>
          <Checks checks={overview.checks} />
          <Outcomes outcomes={overview.outcomes} />
          <Nodes overview={overview} />
        </div>
      </div>
    </div>
  );
};
