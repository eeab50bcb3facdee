/** Every event, one row each. Of any number of them a hundred at most are mounted: those in sight, and some around. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Row as Event } from '../../data.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { formatClockWithMillisecondsInZone, span } from '../../format.ts';
import { Mark } from '../../ui/mark.tsx';
import { memo } from '../../ui/memo.tsx';
import { useWhenIdle } from '../../ui/useWhenIdle.ts';
import { dayAndYourTime } from '../../ui/when.tsx';
import { useTranslation } from '../../words/index.ts';
import { parseRequestedEffects } from './history.ts';
import {
  fillsBox,
  rowHeight,
  rowsInSight,
  topThatKeepsInSight,
  topThatShows,
  usualHeight,
} from './rowsInSight.ts';
import type { Rows } from './useTimelineRows.ts';

interface TimelineProps {
  kind: string;
  /** Of the account. */
  zone: string;
  rows: Rows;
  count: number;
  /** Whose events alone are listed, so that those before a row are not the ones above it; undefined: all are. */
  part: string | undefined;
  /** Index of the entry that is shown. */
  at: number;
  onChoose(index: number): void;
}

export const MachineEventTimeline = ({
  kind,
  zone,
  rows,
  count,
  part,
  at,
  onChoose,
}: TimelineProps): JSX.Element => {
  const say = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const isPart = part !== undefined;
  // Where it will be scrolled to: other rows are not asked for.
  const [top, setTop] = useState(isPart ? 0 : topThatShows(at));
  const [height, setHeight] = useState(usualHeight);
  const isFull = fillsBox(count);
  useLayoutEffect(() => {
    // To measure it is to lay the page out: of a full box all is known.
    setHeight(isFull ? usualHeight : box.current!.clientHeight);
  }, [count, isPart, isFull]);
  /** Where it is scrolled to. */
  const stands = useRef(0);
  const scrollTo = (to: number): void => {
    if (to !== stands.current) box.current!.scrollTop = stands.current = to;
  };
  useLayoutEffect(() => {
    if (isPart) scrollTo(0);
  }, [part]);
  useLayoutEffect(() => {
    if (!isPart) scrollTo(topThatKeepsInSight(at, stands.current, height));
  }, [at, count, isPart]);
  // What is out of sight comes when the page stands there.
  const isBare = !useWhenIdle();
  const { first, end } = rowsInSight({ top, height, count, isBare });
  useEffect(() => rows.need({ first, end }), [first, end, rows.count]);
  return (
    <div
      class={isFull ? 'timeline full' : 'timeline'}
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={say('timeline')}
      onScroll={(event) => setTop((stands.current = event.currentTarget.scrollTop))}
    >
      <table aria-rowcount={count + 1}>
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
        <tbody onClick={(event) => chooseRow(event.target as Element, onChoose)}>
          <Gap rows={first} />
          {positions(first, end).map((position) => (
            <Row
              key={position % (end - first)}
              kind={kind}
              zone={zone}
              event={rows.rowAt(position)}
              before={isPart ? undefined : rows.rowAt(position - 1)}
              position={position}
              isShown={rows.rowAt(position)?.index === at}
              isAhead={(rows.rowAt(position)?.index ?? Infinity) > at}
            />
          ))}
          <Gap rows={count - end} />
        </tbody>
      </table>
    </div>
  );
};

const chooseRow = (pressed: Element, onChoose: (index: number) => void): void => {
  const index = pressed.closest('tr')?.dataset['index'];
  if (index !== undefined) onChoose(Number(index));
};

const positions = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, nth) => first + nth);

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
  zone: string;
  /** Undefined: it is on its way. */
  event: Event | undefined;
  before: Event | undefined;
  position: number;
  /** It is the entry that is shown. */
  isShown: boolean;
  /** It came later than that. */
  isAhead: boolean;
}

/**
 * Drawn anew when something of it is another: of those in sight most stay as they are when one travels or scrolls. One that
 * leaves the sight is filled with what comes into it, so all have the same cells, and what is on its way has them too.
 */
const Row = memo(({ kind, zone, event, before, position, isShown, isAhead }: RowProps): JSX.Element => {
  const say = useTranslation();
  return (
    <tr
      class={isAhead ? 'ahead' : ''}
      aria-selected={isShown}
      aria-rowindex={position + 2}
      data-index={event?.index}
    >
      <td class="num">
        <button
          type="button"
          class="rev"
          data-row
          hidden={!event}
          aria-label={event && say('showRevision', { revision: String(event.revision) })}
        >
          {event?.revision}
        </button>
      </td>
      <td title={event && dayAndYourTime(say, event.at, zone)}>
        {event && formatClockWithMillisecondsInZone(event.at, zone)}
      </td>
      <td class="num dimmer">{event && before && span(event.at - before.at)}</td>
      <td title={event?.event}>
        <code>{event ? event.event : '…'}</code>
      </td>
      <td title={event?.state}>{event && <StateAfter kind={kind} event={event} before={before} />}</td>
      <td title={event?.asked.join(' ')}>{event && <RequestedEffects event={event} />}</td>
    </tr>
  );
});

const StateAfter = ({
  kind,
  event: { state },
  before,
}: Pick<RowProps, 'kind' | 'before'> & { event: Event }): JSX.Element => {
  const say = useTranslation();
  return before?.state === state ? (
    <span class="dimmer">{say('sameState')}</span>
  ) : (
    <span class="state">
      <Mark of={toStatusTone(kind, state)} />
      <code>{state}</code>
    </span>
  );
};

const RequestedEffects = ({ event }: { event: Event }): JSX.Element => {
  const { error, effects } = parseRequestedEffects(event);
  return error === undefined ? <code>{effects.join(' ')}</code> : <span class="bad">{error}</span>;
};
