/** One machine: what it is doing, everything it did, what comes next. `#rev=N` opens it as it was then. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pageAddressStore } from '../../pageAddressStore.ts';
import {
  type MachineEventEntry,
  type ConsoleStreamMachine,
  type MachineAtMoment,
  fetchMachineTimeline,
} from '../../data.ts';
import { useStore } from '../../store.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { lazyPage } from '../../ui/lazyPage.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { ServiceSentence, TranslatedServiceSentence } from '../../ui/serviceSentence.tsx';
import { useTranslation } from '../../words/index.ts';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { type ChartLayout, MachineStateChart, useChartLayout } from './chart.tsx';
import { MachineHead, NoMachine } from './head.tsx';
import { MachineContextView, MachineEventDetails } from './moment.tsx';
import {
  MachineAgenda,
  AgendaAtMoment,
  MachineRecordSection,
  RelatedMachines,
} from './agendaRecordAndRelated.tsx';
import { MachineSounds } from './sounds.tsx';
import { MachineEventTimeline } from './timeline.tsx';
import { TimeTravelBar } from './travelBar.tsx';
import { type ShownMachine, useLiveMachine, useMachineSentences } from './useLiveMachine.ts';
import { useTimelineRows } from './useTimelineRows.ts';
import { type TimeTravelState, useTimeTravel, useTravelKeys } from './useTimeTravel.ts';

export { preloadChart, preloadUsualChart } from './chart.tsx';

const Waiting = lazyPage(async () => (await import('../why/campaignWaitingReasons.tsx')).WaitingReasonsChart);

/** Its number, without the name of its shard. */
const campaignOf = ({ id }: ConsoleStreamMachine): number => Number(id.slice(id.indexOf('_') + 1));

export const MachinePage = ({ id }: { id: string }): JSX.Element => {
  const { query } = useStore(pageAddressStore);
  const account = query.get('account');
  const hasFailed = useRef(false);
  const { shown, failure, news, readAgain } = useLiveMachine(id, account, () => hasFailed.current);
  // Asked for at once, beside the machine; so it may be of a moment before.
  const travel = useTimeTravel(id, account, news);
  const { moment } = travel;
  hasFailed.current = travel.failure !== undefined;
  const readAgainFor = useRef(0);
  useEffect(() => {
    const revision = shown?.machine.revision ?? 0;
    if (!moment || moment.machineRevision >= revision || readAgainFor.current === revision) return;
    readAgainFor.current = revision;
    readAgain();
  }, [moment, shown === undefined]);
  const layout = useChartLayout(shown?.machine);
  const isWhole = layout !== 'loading' && (moment !== undefined || travel.failure !== undefined);
  const isDrawn = useDrawnOnce(shown !== undefined, isWhole);
  if (failure !== undefined) return <NoMachine id={id} failure={failure} />;
  return shown && isDrawn ? (
    <MachineView {...shown} {...{ id, account, travel, news, layout }} />
  ) : (
    <LoadingNotice />
  );
};

/** So long a page that could be drawn in part waits for the rest, milliseconds: drawn twice, it would stand there later. */
const patienceMs = 300;

/** Whether to draw: all is there, or what is missing takes long. Once it is drawn it stays. */
const useDrawnOnce = (isThere: boolean, isWhole: boolean): boolean => {
  const [isLate, setLate] = useState(false);
  const wasDrawn = useRef(false);
  useEffect(() => {
    if (!isThere) return undefined;
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, [isThere]);
  wasDrawn.current ||= isThere && (isWhole || isLate);
  return wasDrawn.current;
};

const titleOf = ({ kind, id }: ConsoleStreamMachine, record: Record<string, unknown> | null): string =>
  toTextOrJson(record?.['destination'] ?? record?.['name'] ?? record?.['target'] ?? `${kind} ${id}`);

interface ViewProps extends ShownMachine {
  id: string;
  account: string | null;
  travel: TimeTravelState;
  news: number;
  layout: ChartLayout;
}

const MachineView = (props: ViewProps): JSX.Element => {
  const { machine, record, sounds, events, zone, id, account, travel, news, layout } = props;
  useTravelKeys(travel);
  const { moment, isLive, failure } = travel;
  const isPast = moment !== undefined && !isLive;
  const title = titleOf(machine, record);
  useEffect(() => {
    document.title = `${isolateBidi(title)} · Ramal`;
  }, [title]);
  return (
    <div class={isPast ? 'machine travelled' : 'machine'}>
      <MachineHead {...{ machine, moment, title, isPast, events, zone }} />
      {machine.attention_in_words !== null && (
        <p class="bad foreign attention-text" title={machine.attention ?? undefined}>
          <TranslatedServiceSentence says={machine.attention_in_words} zone={zone} />
        </p>
      )}
      <Lead id={id} account={account} machine={machine} zone={zone} entry={isPast ? moment.entry : null} />
      {moment && travel.count > 0 && (
        <TimeTravelBar travel={travel} zone={zone} isEnded={machine.endedAt !== null} />
      )}
      <div class="mcols">
        <div>
          {moment ? (
            <Way {...{ id, account, machine, zone, travel, moment, news, layout }} />
          ) : failure === undefined ? (
            <LoadingNotice />
          ) : (
            <ErrorNotice error={failure} isPart onAgain={() => location.reload()} />
          )}
        </div>
        <div>
          {moment?.entry && (
            <MachineEventDetails {...{ machine, sounds, moment, zone }} entry={moment.entry} />
          )}
          {isPast ? (
            <AgendaAtMoment moment={moment} zone={zone} />
          ) : (
            <MachineAgenda machine={machine} zone={zone} />
          )}
          {machine.kind === 'campaign' && (
            <section>
              <Waiting account={machine.account} campaign={campaignOf(machine)} at={machine.state} />
            </section>
          )}
          <MachineSounds machine={machine} record={record} sounds={sounds} />
          <MachineRecordSection record={record} zone={zone} />
          <RelatedMachines machine={machine} record={record} />
          <MachineContextView machine={machine} account={account} moment={isPast ? moment : undefined} />
        </div>
      </div>
    </div>
  );
};

interface LeadProps {
  id: string;
  account: string | null;
  machine: ConsoleStreamMachine;
  zone: string;
  /** Of the past; null: it is told how it stands. */
  entry: MachineEventEntry | null;
}

/** What it is doing, or where it was. */
const Lead = ({ id, account, machine, zone, entry }: LeadProps): JSX.Element => {
  const say = useTranslation();
  const sentences = useMachineSentences(id, account, machine.revision);
  return (
    <p class="lead sentence">
      {entry ? (
        say('stoodThen', { event: entry.event, state: entry.state })
      ) : (
        <ServiceSentence text={sentences.join(' ')} zone={zone} />
      )}
    </p>
  );
};

interface WayProps {
  id: string;
  account: string | null;
  machine: ConsoleStreamMachine;
  zone: string;
  travel: TimeTravelState;
  moment: MachineAtMoment;
  news: number;
  layout: ChartLayout;
}

/** The chart and the timeline. A state that is chosen in the one leaves its events in the other. */
const Way = ({ id, account, machine, zone, travel, moment, news, layout }: WayProps): JSX.Element => {
  const say = useTranslation();
  const [chosen, setChosen] = useState<string>();
  const rows = useTimelineRows(chosen ?? '', news, moment, (from) =>
    fetchMachineTimeline(id, account, from, chosen),
  );
  const count = chosen === undefined ? travel.count : (rows.count ?? 0);
  const { kind, version } = machine;
  // The same as long as the moment is: a step whose answer is on its way draws it no second time.
  const chart = useMemo(
    () => <MachineStateChart {...{ kind, version, layout, moment, chosen }} onChoose={setChosen} />,
    [kind, version, layout, moment, chosen],
  );
  return (
    <>
      <section aria-labelledby="states">
        <div class="sh">
          <h2 id="states">{say('states')}</h2>
          <span class="right">
            <PathKey moment={moment} />
            <span>
              {kind} v{version}
            </span>
          </span>
        </div>
        {chart}
      </section>
      <section aria-labelledby="timeline-title">
        <div class="sh">
          <h2 id="timeline-title">{say('timeline')}</h2>
          {chosen === undefined ? (
            <span class="right">{say('entries', { count })}</span>
          ) : (
            <span class="right">
              {say('entriesOf', { count, state: chosen })}
              <button type="button" class="btn" onClick={() => setChosen(undefined)}>
                {say('showAll')}
              </button>
            </span>
          )}
        </div>
        <MachineEventTimeline
          kind={kind}
          zone={zone}
          rows={rows}
          count={count}
          part={chosen}
          at={travel.at}
          onChoose={travel.choose}
        />
      </section>
    </>
  );
};

/** What a line means that is lit. */
const PathKey = ({ moment: { taken } }: { moment: MachineAtMoment }): JSX.Element => {
  const say = useTranslation();
  return (
    <>
      {taken.known.length > 0 && (
        <span class="pathkey">
          <svg width="22" height="4" aria-hidden="true">
            <line x2="22" y1="2" y2="2" />
          </svg>
          {say('pathTaken')}
        </span>
      )}
      {taken.guessed.length > 0 && (
        <span class="pathkey">
          <svg width="22" height="4" aria-hidden="true">
            <line class="guessed" x2="22" y1="2" y2="2" />
          </svg>
          {say('pathGuessed')}
        </span>
      )}
    </>
  );
};
