/** One machine: what it is doing, everything it did, what comes next. `#rev=N` opens it as it was then. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { address, go } from '../../address.ts';
import type { Entry, Explained, Machine, MachineAnswer } from '../../data.ts';
import { explain, readMachine, readMore } from '../../data.ts';
import { feelingOf } from '../../feeling.ts';
import { clockMs } from '../../format.ts';
import { language } from '../../settings.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';
import { textOf } from '../../textOf.ts';
import { Icon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Failed, Loading } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWords } from '../../words/index.ts';
import { Act } from './act.tsx';
import { Chart } from './chart.tsx';
import { indexOf, joined } from './history.ts';
import { Moment } from './moment.tsx';
import { Agenda, RecordOf, Related } from './side.tsx';
import { Timeline } from './timeline.tsx';

const fullPage = 500;

interface Shown {
  machine: Machine;
  entries: readonly Entry[];
  record: Record<string, unknown> | null;
}

/** The machine as it was read first, and as the stream moves it on. */
const useMachine = (id: string, account: string | null) => {
  const [shown, setShown] = useState<Shown>();
  const [failure, setFailure] = useState<unknown>();
  const [topics, setTopics] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const begin = async (): Promise<void> => {
      const answer = await readMachine(id, account);
      const entries = await restOf(answer, account);
      if (isGone) return;
      setShown({ machine: answer, entries, record: answer.record });
      setTopics(`machine:${answer.id}@${entries.at(-1)?.revision ?? 0}`);
    };
    begin().catch((error: unknown) => !isGone && setFailure(error));
    return () => {
      isGone = true;
    };
  }, [id, account]);
  useStream(topics, {
    machine: (body) => {
      const { machine, history } = body as { machine: Machine; history: Entry[] };
      setShown((before) => before && { ...before, machine, entries: joined(before.entries, history) });
      void readMachine(id, account).then(
        ({ record }) => setShown((before) => before && { ...before, record }),
        () => undefined,
      );
    },
  });
  return { shown, failure };
};

/** A long history comes in pages. */
const restOf = async (answer: MachineAnswer, account: string | null): Promise<readonly Entry[]> => {
  let entries: readonly Entry[] = answer.history;
  let page: readonly Entry[] = answer.history;
  while (page.length === fullPage) {
    page = await readMore(answer.id, account, entries.at(-1)!.revision);
    entries = joined(entries, page);
  }
  return entries;
};

const useSentences = (id: string, account: string | null, revision: number | undefined): string[] => {
  const of = useStore(language);
  const [told, setTold] = useState<Explained>();
  useEffect(() => {
    let isGone = false;
    if (revision !== undefined)
      explain(id, account, of).then(
        (answer) => !isGone && setTold(answer),
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [id, account, of, revision]);
  return told?.sentences ?? [];
};

export const MachinePage = ({ id }: { id: string }): JSX.Element => {
  const { query } = useStore(address);
  const account = query.get('account');
  const { shown, failure } = useMachine(id, account);
  if (failure !== undefined) return <Failed error={failure} />;
  return shown ? <MachineView {...shown} id={id} account={account} /> : <Loading />;
};

/** Which revision the address asks for; undefined: the newest. */
const revisionIn = (fragment: string): number | undefined => {
  const [, revision] = /^rev=(\d{1,9})$/.exec(fragment) ?? [];
  return revision === undefined ? undefined : Number(revision);
};

const titleOf = ({ kind, id }: Machine, record: Record<string, unknown> | null): string =>
  textOf(record?.['destination'] ?? record?.['name'] ?? record?.['target'] ?? `${kind} ${id}`);

const MachineView = ({
  machine,
  entries,
  record,
  id,
  account,
}: Shown & { id: string; account: string | null }): JSX.Element => {
  const say = useWords();
  const { fragment } = useStore(address);
  const at = indexOf(entries, revisionIn(fragment));
  const isLive = at === entries.length - 1;
  const entry = entries[at];
  const state = isLive ? machine.state : (entry?.state ?? machine.state);
  const sentences = useSentences(id, account, machine.revision);
  const path = useMemo(() => entries.slice(0, at + 1).map((one) => one.state), [entries, at]);
  const title = titleOf(machine, record);
  const choose = (index: number): void => {
    const chosen = Math.max(0, Math.min(entries.length - 1, index));
    const where = location.pathname + location.search;
    go(chosen === entries.length - 1 ? where : `${where}#rev=${entries[chosen]!.revision}`, {
      replace: true,
    });
  };
  useTravelKeys({ at, last: entries.length - 1, choose });
  useEffect(() => {
    document.title = `${title} · Ramal`;
  }, [title]);
  return (
    <div class={isLive ? 'machine' : 'machine travelled'}>
      <p class="crumb small dim">
        <a href={`/admin/find?kind=${machine.kind}`}>{machine.kind}</a> / <code>{machine.id}</code>
      </p>
      <div class="head">
        <h1 class="foreign">{title}</h1>
        <span class="chip" data-state={state}>
          <Mark of={feelingOf(machine.kind, state, isLive ? machine.attention : null)} />
          <code>{state}</code>
        </span>
        <span class="grow" />
        <button type="button" class="btn bare" onClick={() => void copyLink(entry, say('linkCopied'))}>
          <Icon name="link" />
          {say('copyLink')}
        </button>
        <Act machine={machine} isPast={!isLive} />
      </div>
      {machine.attention !== null && <p class="bad foreign attention-text">{machine.attention}</p>}
      <p class="lead sentence">{sentences.join(' ')}</p>
      {entries.length > 0 && (
        <Travel entries={entries} at={at} isEnded={machine.endedAt !== null} onChoose={choose} />
      )}
      <div class="mcols">
        <div>
          <section aria-labelledby="states">
            <div class="sh">
              <h2 id="states">{say('states')}</h2>
              <span class="right">
                {machine.kind} v{machine.version}
              </span>
            </div>
            <Chart chart={machine} active={state} path={path} />
          </section>
          <section aria-labelledby="timeline-title">
            <div class="sh">
              <h2 id="timeline-title">{say('timeline')}</h2>
              <span class="right">{say('entries', { count: entries.length })}</span>
            </div>
            <Timeline kind={machine.kind} entries={entries} at={at} onChoose={choose} />
          </section>
        </div>
        <div>
          {entry && <Moment entry={entry} />}
          <Agenda machine={machine} />
          <RecordOf record={record} />
          <Related machine={machine} record={record} />
          <section>
            <details>
              <summary>{say('wholeContext')}</summary>
              <pre tabIndex={0}>{JSON.stringify(machine.context, undefined, 1)}</pre>
            </details>
          </section>
        </div>
      </div>
    </div>
  );
};

const copyLink = async (entry: Entry | undefined, done: string): Promise<void> => {
  const where = `${location.origin}${location.pathname}${location.search}`;
  await navigator.clipboard.writeText(entry ? `${where}#rev=${entry.revision}` : where);
  toast(done);
};

interface TravelKeys {
  at: number;
  last: number;
  choose(index: number): void;
}

/** Arrow keys go along the timeline, Home and End to its ends. */
const useTravelKeys = ({ at, last, choose }: TravelKeys): void => {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (document.querySelector('dialog[open]') || activeElement?.matches('input, select, textarea')) return;
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [at, last]);
};

interface TravelProps {
  entries: readonly Entry[];
  at: number;
  isEnded: boolean;
  onChoose(index: number): void;
}

/** The slider counts entries, not revisions: several events may fold into one write. */
const Travel = ({ entries, at, isEnded, onChoose }: TravelProps): JSX.Element => {
  const say = useWords();
  const last = entries.length - 1;
  const entry = entries[at]!;
  return (
    <section class="travel" aria-labelledby="travel">
      <h2 id="travel" class="vh">
        {say('timeTravel')}
      </h2>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        disabled={last === 0}
        aria-label={say('event')}
        aria-valuetext={`${entry.revision} ${entry.event}, ${clockMs(entry.at)}`}
        onInput={(event) => onChoose(Number(event.currentTarget.value))}
      />
      <div class="travelbar small">
        <button
          type="button"
          class="btn bare"
          aria-label={say('oneBack')}
          disabled={at === 0}
          onClick={() => onChoose(at - 1)}
        >
          <kbd>←</kbd>
        </button>
        <button
          type="button"
          class="btn bare"
          aria-label={say('oneForward')}
          disabled={at === last}
          onClick={() => onChoose(at + 1)}
        >
          <kbd>→</kbd>
        </button>
        <span>
          {say('revisionOf', { revision: String(entry.revision), last: String(entries[last]!.revision) })}{' '}
          <span class="dim">{clockMs(entry.at)}</span>
        </span>
        <span class="grow" />
        {at === last ? (
          <span class="state">
            <Mark of={isEnded ? 'past' : 'good'} />
            {say(isEnded ? 'ended' : 'live')}
          </span>
        ) : (
          <button type="button" class="btn" onClick={() => onChoose(last)}>
            {say(isEnded ? 'toTheEnd' : 'backToLive')}
          </button>
        )}
      </div>
    </section>
  );
};
