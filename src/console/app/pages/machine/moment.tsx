/** One event: what came with it, what it changed, what the machine asked for then, and which timers it set. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type EffectEndEntry,
  type MachineEventEntry,
  type ConsoleStreamMachine,
  type MachineAtMoment,
  fetchMachineMoment,
} from '../../data.ts';
import { span } from '../../format.ts';
import { ClockTime } from '../../ui/when.tsx';
import { useLatestFetch } from '../../ui/useLatestFetch.ts';
import { useTranslation, type Word } from '../../words/index.ts';
import { ContextValue } from './contextValue.tsx';
import { type MachineSound, MachineSoundPlayer } from './sounds.tsx';
import { useMachineWords } from './useMachineWords.ts';
import { parseRequestedEffects, listContextChanges } from './history.ts';

export const MachineEventDetails = ({
  machine,
  sounds,
  moment,
  entry,
  zone,
}: {
  machine: ConsoleStreamMachine;
  /** What the machine says and plays. */
  sounds: readonly MachineSound[];
  moment: MachineAtMoment;
  /** Of the account. */
  zone: string;
  entry: MachineEventEntry;
}): JSX.Element => {
  const say = useTranslation();
  const { effects, timers, error } = parseRequestedEffects(entry);
  return (
    <section aria-labelledby="moment" aria-live="polite">
      <div class="sh">
        <h2 id="moment">
          {say('revisionIs', { revision: String(entry.revision) })} <code>{entry.event}</code>
        </h2>
        <span class="right">
          <ClockTime at={entry.at} zone={zone} />
        </span>
      </div>
      <div class="inspect">
        <Distrust moment={moment} />
        <h3>{say('changedInContext')}</h3>
        <Changed changes={moment.changes} zone={zone} />
        <h3>{say('broughtWithIt')}</h3>
        {entry.event === 'archived' ? <Archived /> : <Brought payload={entry.payload} zone={zone} />}
        {entry.ended.length > 0 && <Ended effects={entry.ended} />}
        <h3>{say('askedFor')}</h3>
        {error !== undefined && <p class="bad foreign">{error}</p>}
        {effects.length === 0 && error === undefined && <p class="dim">{say('noEffect')}</p>}
        <ul>
          {effects.map((effect, nth) => (
            <li key={nth}>
              <code>{effect}</code>
            </li>
          ))}
        </ul>
        <Played machine={machine} sounds={sounds} places={moment.plays} />
        {timers.map(({ name, ms }) => (
          <p class="dim" key={name}>
            {say('timer')} <code>{name}</code> {span(ms)}
          </p>
        ))}
      </div>
    </section>
  );
};

/** What the event let be heard. `places`: in the list of all sounds. */
const Played = ({
  machine,
  sounds,
  places,
}: {
  machine: ConsoleStreamMachine;
  sounds: readonly MachineSound[];
  places: readonly number[];
}): JSX.Element | null => {
  const say = useMachineWords();
  const played = places.flatMap((place) => (sounds[place] ? [{ place, sound: sounds[place] }] : []));
  if (played.length === 0) return null;
  return (
    <>
      <h3>{say('playsNow')}</h3>
      {played.map(({ place, sound }) => (
        <div key={`${place} ${sound.text}`}>
          <MachineSoundPlayer machine={machine} sound={sound} place={place} />
        </div>
      ))}
    </>
  );
};

/** How effects of earlier events ended: what was heard, after how many attempts, and how long the last one took. */
const Ended = ({ effects }: { effects: readonly EffectEndEntry[] }): JSX.Element => {
  const say = useTranslation();
  return (
    <>
      <h3>{say('effectsEnded')}</h3>
      <ul class="ended">
        {effects.map(({ id, name, outcome, tries, ms }) => (
          <li key={id}>
            <code>{name}</code>{' '}
            <span class={outcome === 'accepted' ? '' : 'bad'}>{say(outcomeWords[outcome])}</span>
            <span class="dim">
              {' '}
              {say('attemptsMade', { count: tries })}
              {ms !== null && `, ${span(ms)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

const outcomeWords = {
  accepted: 'effectAccepted',
  failed: 'effectFailed',
  unknown: 'effectUnknown',
} as const satisfies Record<EffectEndEntry['outcome'], Word>;

/** Its last snapshot comes with it, which is kept for time travel and is no news. */
const Archived = (): JSX.Element => {
  const say = useMachineWords();
  return <p class="dim">{say('movedToArchive')}</p>;
};

const Brought = ({ payload, zone }: { payload: unknown; zone: string }): JSX.Element => {
  const say = useTranslation();
  if (typeof payload !== 'object' || payload === null) return <p class="dim">{say('nothing')}</p>;
  const fields = Object.entries(payload).filter(([name]) => name !== 'type');
  if (fields.length === 0) return <p class="dim">{say('nothing')}</p>;
  return (
    <dl class="kv">
      {fields.map(([name, value]) => (
        <Field key={name} name={name} value={value} zone={zone} />
      ))}
    </dl>
  );
};

/** A value from outside. */
const Field = ({ name, value, zone }: { name: string; value: unknown; zone: string }): JSX.Element => (
  <>
    <dt>
      <code>{name}</code>
    </dt>
    <dd class="foreign">
      <ContextValue name={name} value={value} zone={zone} />
    </dd>
  </>
);

/** Why what it remembered is not known, or not to be trusted. */
const Distrust = ({ moment: { trouble, agrees } }: { moment: MachineAtMoment }): JSX.Element | null => {
  const say = useTranslation();
  const word: Word | undefined =
    trouble === 'beginningMissing'
      ? 'beginningMissing'
      : trouble === 'failed'
        ? 'replayFailed'
        : agrees
          ? undefined
          : 'replayDiffers';
  return word === undefined ? null : <p class="warn">{say(word)}</p>;
};

/** Fields shown; a campaign's first step sets hundreds. */
const mostFields = 40;

const Changed = ({
  changes: { was, is },
  zone,
}: Pick<MachineAtMoment, 'changes'> & { zone: string }): JSX.Element => {
  const say = useTranslation();
  const fields = listContextChanges(was, is);
  if (fields.length === 0) return <p class="dim">{say('nothing')}</p>;
  const more = fields.length - mostFields;
  return (
    <>
      <dl class="kv diff">
        {fields.slice(0, mostFields).map((field) => (
          <>
            <dt>
              <code>{field.path}</code>
            </dt>
            <dd class="foreign">
              {field.was !== undefined && (
                <del>
                  <span class="vh">{say('was')} </span>
                  <ContextValue name={field.path} value={field.was} zone={zone} />
                </del>
              )}{' '}
              {field.is !== undefined && (
                <ins>
                  <span class="vh">{say('is')} </span>
                  <ContextValue name={field.path} value={field.is} zone={zone} />
                </ins>
              )}
            </dd>
          </>
        ))}
      </dl>
      {more > 0 && <p class="dim">{say('moreChanges', { count: more })}</p>}
    </>
  );
};

interface ContextProps {
  machine: ConsoleStreamMachine;
  account: string | null;
  /** Undefined: as it stands now. */
  moment: MachineAtMoment | undefined;
}

/** All that the machine remembers, or remembered then; asked for when it is opened. */
export const MachineContextView = ({ machine, account, moment }: ContextProps): JSX.Element => {
  const say = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const key = isOpen && moment ? String(moment.index) : undefined;
  const { answer } = useLatestFetch(key, () =>
    fetchMachineMoment(machine.id, account, { index: moment!.index }, { isWhole: true }),
  );
  const then = answer?.index === moment?.index ? answer?.context : undefined;
  const context = moment ? then : machine.context;
  return (
    <section>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{say(moment ? 'wholeContextThen' : 'wholeContext')}</summary>
        {isOpen && (
          <pre tabIndex={0}>{context === undefined ? '…' : JSON.stringify(context, undefined, 1)}</pre>
        )}
      </details>
    </section>
  );
};
