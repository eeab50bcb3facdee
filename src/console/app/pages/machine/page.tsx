/** One machine: what it is doing, everything it did, what comes next. `#rev=N` opens it as it was then. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { address } from '../../address.ts';
import { type Entry, type Machine, type Moment, readTimeline } from '../../data.ts';
import { feelingOf } from '../../stateFeeling.ts';
import { useStore } from '../../store.ts';
import { textOf } from '../../textOf.ts';
import { Icon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/mark.tsx';
import { later } from '../../ui/later.tsx';
import { Failed, Loading } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWords } from '../../words/index.ts';
import { Act } from './act.tsx';
import { Chart } from './chart.tsx';
import { Context, MomentOf } from './moment.tsx';
import { Agenda, OwedThen, RecordOf, Related } from './side.tsx';
import { Timeline } from './timeline.tsx';
import { TravelBar } from './travelBar.tsx';
import { type Shown, useMachine, useSentences } from './useMachine.ts';
import { useRows } from './useRows.ts';
import { type Travel, useTravel, useTravelKeys } from './useTravel.ts';

const Waiting = later(async () => (await import('../why/waiting.tsx')).WaitingPicture);

/** Its number, without the name of its shard. */
const campaignOf = ({ id }: Machine): number => Number(id.slice(id.indexOf('_') + 1));

export const MachinePage = ({ id }: { id: string }): JSX.Element => {
  const { query } = useStore(address);
  const account = query.get('account');
  const { shown, failure, news } = useMachine(id, account);
  // Asked for at once, beside the machine.
  const travel = useTravel(id, account, news);
  if (failure !== undefined) return <Failed error={failure} />;
  return shown ? (
    <MachineView {...shown} id={id} account={account} travel={travel} news={news} />
  ) : (
    <Loading />
  );
};

const titleOf = ({ kind, id }: Machine, record: Record<string, unknown> | null): string =>
  textOf(record?.['destination'] ?? record?.['name'] ?? record?.['target'] ?? `${kind} ${id}`);

interface ViewProps extends Shown {
  id: string;
  account: string | null;
  travel: Travel;
  news: number;
}

const MachineView = ({ machine, record, id, account, travel, news }: ViewProps): JSX.Element => {
  useTravelKeys(travel);
  const { moment, isLive, failure } = travel;
  const isPast = moment !== undefined && !isLive;
  const title = titleOf(machine, record);
  useEffect(() => {
    document.title = `${title} · Ramal`;
  }, [title]);
  return (
    <div class={isPast ? 'machine travelled' : 'machine'}>
      <Head machine={machine} moment={moment} title={title} isPast={isPast} />
      {machine.attention !== null && <p class="bad foreign attention-text">{machine.attention}</p>}
      <Lead id={id} account={account} machine={machine} entry={isPast ? moment.entry : null} />
      {moment && travel.count > 0 && <TravelBar travel={travel} isEnded={machine.endedAt !== null} />}
      <div class="mcols">
        <div>
          {moment ? (
            <Way id={id} account={account} machine={machine} travel={travel} moment={moment} news={news} />
          ) : failure === undefined ? (
            <Loading />
          ) : (
            <Failed error={failure} />
          )}
        </div>
        <div>
          {moment?.entry && <MomentOf moment={moment} entry={moment.entry} />}
          {isPast ? <OwedThen moment={moment} /> : <Agenda machine={machine} />}
          {machine.kind === 'campaign' && (
            <section>
              <Waiting account={machine.account} campaign={campaignOf(machine)} at={machine.state} />
            </section>
          )}
          <RecordOf record={record} />
          <Related machine={machine} record={record} />
          <Context machine={machine} account={account} moment={isPast ? moment : undefined} />
        </div>
      </div>
    </div>
  );
};

interface HeadProps {
  machine: Machine;
  moment: Moment | undefined;
  title: string;
  isPast: boolean;
}

const Head = ({ machine, moment, title, isPast }: HeadProps): JSX.Element => {
  const say = useWords();
  const state = (isPast && moment?.entry?.state) || machine.state;
  return (
    <>
      <p class="crumb small dim">
        <a href={`/admin/find?kind=${machine.kind}`}>{machine.kind}</a> / <code>{machine.id}</code>
      </p>
      <div class="head">
        <h1 class="foreign">{title}</h1>
        <span class="chip" data-state={state}>
          <Mark of={feelingOf(machine.kind, state, isPast ? null : machine.attention)} />
          <code>{state}</code>
        </span>
        <span class="grow" />
        <button
          type="button"
          class="btn bare"
          onClick={() => void copyLink(moment?.entry ?? null, say('linkCopied'))}
        >
          <Icon name="link" />
          {say('copyLink')}
        </button>
        <Act machine={machine} isPast={isPast} />
      </div>
    </>
  );
};

const copyLink = async (entry: Entry | null, done: string): Promise<void> => {
  const where = `${location.origin}${location.pathname}${location.search}`;
  await navigator.clipboard.writeText(entry ? `${where}#rev=${entry.revision}` : where);
  toast(done);
};

interface LeadProps {
  id: string;
  account: string | null;
  machine: Machine;
  /** Of the past; null: it is told how it stands. */
  entry: Entry | null;
}

/** What it is doing, or where it was. */
const Lead = ({ id, account, machine, entry }: LeadProps): JSX.Element => {
  const say = useWords();
  const sentences = useSentences(id, account, machine.revision);
  return (
    <p class="lead sentence">
      {entry ? say('stoodThen', { event: entry.event, state: entry.state }) : sentences.join(' ')}
    </p>
  );
};

interface WayProps {
  id: string;
  account: string | null;
  machine: Machine;
  travel: Travel;
  moment: Moment;
  news: number;
}

/** The chart and the timeline. A state that is chosen in the one leaves its events in the other. */
const Way = ({ id, account, machine, travel, moment, news }: WayProps): JSX.Element => {
  const say = useWords();
  const [chosen, setChosen] = useState<string>();
  const rows = useRows(chosen ?? '', news, (from) => readTimeline(id, account, from, chosen));
  const count = chosen === undefined ? travel.count : (rows.count ?? 0);
  const { kind, version } = machine;
  // The same as long as the moment is: a step whose answer is on its way draws it no second time.
  const chart = useMemo(
    () => <Chart kind={kind} version={version} moment={moment} chosen={chosen} onChoose={setChosen} />,
    [kind, version, moment, chosen],
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
        <Timeline
          kind={kind}
          rows={rows}
          count={count}
          isPart={chosen !== undefined}
          at={travel.at}
          onChoose={travel.choose}
        />
      </section>
    </>
  );
};

/** What a line means that is lit. */
const PathKey = ({ moment: { taken } }: { moment: Moment }): JSX.Element => {
  const say = useWords();
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
