/** Every event, one row each. Of any number of them a hundred at most are mounted: those in sight, and some around. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../../data.ts';
import { feelingOf } from '../../feeling.ts';
import { clockMs, moment, span } from '../../format.ts';
import { Mark } from '../../ui/mark.tsx';
import { useWords } from '../../words/index.ts';
import { askedOf } from './history.ts';

const rowHeight = 30;
/** Above and below what is in sight. */
const around = 12;
const mostMounted = 100;

interface TimelineProps {
  kind: string;
  entries: readonly Entry[];
  /** Index of the entry that is shown. */
  at: number;
  onChoose(index: number): void;
}

export const Timeline = ({ kind, entries, at, onChoose }: TimelineProps): JSX.Element => {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  useLayoutEffect(() => {
    const shown = box.current!;
    setHeight(shown.clientHeight);
    keepInSight(shown, at);
  }, [at, entries.length]);
  const first = Math.max(0, Math.floor(top / rowHeight) - around);
  const last = Math.min(
    entries.length,
    first + Math.min(mostMounted, Math.ceil(height / rowHeight) + 2 * around),
  );
  return (
    <div
      class="timeline"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={say('timeline')}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <table aria-rowcount={entries.length + 1}>
        <thead>
          <tr>
            <th class="num">{say('revision')}</th>
            <th>{say('time')}</th>
            <th class="num">{say('after')}</th>
            <th>{say('event')}</th>
            <th>{say('stateAfter')}</th>
            <th>{say('askedFor')}</th>
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} />
          {entries.slice(first, last).map((entry, nth) => (
            <Row
              key={entry.revision}
              kind={kind}
              entry={entry}
              before={entries[first + nth - 1]}
              index={first + nth}
              at={at}
              onChoose={onChoose}
            />
          ))}
          <Gap rows={entries.length - last} />
        </tbody>
      </table>
    </div>
  );
};

const keepInSight = (box: HTMLElement, at: number): void => {
  const from = at * rowHeight;
  // The head stands over the first row.
  if (from < box.scrollTop) box.scrollTop = from;
  else if (from + 2 * rowHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = from + 2 * rowHeight - box.clientHeight;
};

/** Stands for rows that are not mounted. An SVG, since its height is an attribute: the page allows no styles. */
const Gap = ({ rows }: { rows: number }): JSX.Element | null =>
  rows <= 0 ? null : (
    <tr aria-hidden="true" class="gap">
      <td colSpan={6}>
        <svg width="1" height={rows * rowHeight} />
      </td>
    </tr>
  );

interface RowProps {
  kind: string;
  entry: Entry;
  before: Entry | undefined;
  index: number;
  at: number;
  onChoose(index: number): void;
}

const Row = ({ kind, entry, before, index, at, onChoose }: RowProps): JSX.Element => {
  const say = useWords();
  const asked = askedOf(entry);
  return (
    <tr
      class={index > at ? 'ahead' : ''}
      aria-selected={index === at}
      aria-rowindex={index + 2}
      onClick={() => onChoose(index)}
    >
      <td class="num">
        <button
          type="button"
          class="rev"
          data-row
          aria-label={say('showRevision', { revision: String(entry.revision) })}
          onClick={() => onChoose(index)}
        >
          {entry.revision}
        </button>
      </td>
      <td title={moment(entry.at)}>{clockMs(entry.at)}</td>
      <td class="num dimmer">{before ? span(entry.at - before.at) : ''}</td>
      <td>
        <code>{entry.event}</code>
      </td>
      <td>
        {before?.state === entry.state ? (
          <span class="dimmer">{say('sameState')}</span>
        ) : (
          <span class="state">
            <Mark of={feelingOf(kind, entry.state)} />
            <code>{entry.state}</code>
          </span>
        )}
      </td>
      <td class="clip">
        {asked.error === undefined ? (
          <code>{asked.effects.join(' ')}</code>
        ) : (
          <span class="bad">{asked.error}</span>
        )}
      </td>
    </tr>
  );
};
