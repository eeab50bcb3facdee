/** The machine's statechart, of the version that it began with: the way it took, where it is, how often it was where. */
// oxlint-disable-next-line import/no-unassigned-import -- how charts look comes with this page
import 'virtual:chart.css';
// oxlint-disable-next-line import/no-unassigned-import -- and so do their colours here
import '../../styles/chart.css';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { withAncestors } from '../../../statechart/statechartData.ts';
import { draw } from '../../../statechart/draw.ts';
import type { StatechartLayout } from '../../../statechart/layoutTypes.ts';
import type { ChartHighlights } from '../../../statechart/highlightClasses.ts';
import { chartWordsOf } from '../../chartWordsOf.ts';
import type { MachineAtMoment } from '../../data.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useTranslation } from '../../words/index.ts';
import { keptChartLayout, loadChartLayout, newestChartVersion } from '../chartLayouts.ts';
import { goAmongStates, drawingToVNode } from './drawingToVNodes.ts';

export interface MachineChartProps {
  /** `call`, and its version. */
  kind: string;
  version: number;
  layout: ChartLayout;
  moment: MachineAtMoment;
  /** The state whose events are listed; undefined: all are. */
  chosen: string | undefined;
  onChoose(state: string | undefined): void;
}

export const MachineStateChart = ({ layout, ...props }: MachineChartProps): JSX.Element => {
  const say = useTranslation();
  if (layout === 'loading') return <LoadingNotice />;
  if (layout === 'missing')
    return <p class="dim gap-above">{say('chartMissing', { chart: `${props.kind} v${props.version}` })}</p>;
  return <Drawing {...props} layout={layout} />;
};

/** Brings the file of a chart before it is drawn. What does not come is asked for again by the drawing. */
export const preloadChart = (kind: string, version: number): Promise<void> =>
  loadChartLayout(kind, version).then(
    () => undefined,
    () => undefined,
  );

/** Brings the chart of most machines before it is known which one this machine has: their calls'. */
export const preloadUsualChart = (): Promise<void> => preloadChart('call', newestChartVersion('call'));

/** How a chart is drawn, once its file is here; `missing`: these pages were built without it. */
export type ChartLayout = StatechartLayout | 'loading' | 'missing';

/** The layout of a machine's chart. `machine`: undefined until it is known. */
export const useChartLayout = (machine: { kind: string; version: number } | undefined): ChartLayout => {
  const { kind = '', version = 0 } = machine ?? {};
  const [loaded, setLoaded] = useState<ChartLayout>('loading');
  useLayoutEffect(() => {
    if (kind !== '') loadChartLayout(kind, version).then(setLoaded, () => setLoaded('missing'));
  }, [kind, version]);
  return keptChartLayout(kind, version) ?? loaded;
};

const marksOf = ({ entry, visits, taken }: MachineAtMoment): ChartHighlights => ({
  ...(entry && { active: entry.state }),
  entered: new Set(visits.map(({ state }) => state)),
  visits: new Map(visits.map(({ state, count }) => [state, count])),
  taken: new Map([
    ...taken.guessed.map((id) => [id, 'guessed'] as const),
    ...taken.known.map((id) => [id, 'known'] as const),
  ]),
});

/** Levels that a person folded or unfolded; all others are open while the machine is in them. */
const useUnfolded = (layout: StatechartLayout, active: string) => {
  const [own, setOwn] = useState<ReadonlyMap<string, boolean>>(new Map());
  const unfolded = useMemo(() => {
    const around = withAncestors(active);
    const open = layout.levels.filter(({ id }) => own.get(id) ?? (around.includes(id) && id !== active));
    return new Set(open.map(({ id }) => id));
  }, [layout, own, active]);
  return { unfolded, fold: (id: string, isOpen: boolean) => setOwn(new Map(own).set(id, isOpen)) };
};

const Drawing = ({
  kind,
  version,
  layout,
  moment,
  chosen,
  onChoose,
}: Omit<MachineChartProps, 'layout'> & { layout: StatechartLayout }) => {
  const say = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const active = moment.entry?.state ?? '';
  const { unfolded, fold } = useUnfolded(layout, active);
  const marks = useMemo(() => marksOf(moment), [moment]);
  const { w, h, parts } = useMemo(
    () => draw(layout, { unfolded, marks, words: chartWordsOf(say) }),
    [layout, unfolded, marks, say],
  );
  const levels = useMemo(() => new Set(layout.levels.map(({ id }) => id)), [layout]);
  const first = shownState(chosen, unfolded) ?? shownState(active, unfolded) ?? layout.states[1]?.id;
  useShowing(box, shownState(active, unfolded) ?? '');
  const buttonOf = (state: string) => {
    const isUnfolded = levels.has(state) ? unfolded.has(state) : undefined;
    const isChosen = chosen === state;
    return {
      ...{ isChosen, isUnfolded, isFirst: state === first },
      label: labelOf(state),
      onPress: () => {
        // A second press takes back what the first one did.
        if (isUnfolded !== undefined) fold(state, !isUnfolded);
        onChoose(isChosen ? undefined : state);
      },
    };
  };
  const labelOf = (state: string): string => {
    const count = marks.visits?.get(state) ?? 0;
    const visits = count === 0 ? say('neverVisited') : say('visited', { count });
    return `${state}: ${active === state ? `${say('isHere')}, ${visits}` : visits}`;
  };
  return (
    <div
      class="chartbox"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={say('statesOf', { chart: `${kind} v${version}` })}
    >
      <svg
        class="chart lit"
        width={Math.ceil(w)}
        height={Math.ceil(h)}
        viewBox={`0 0 ${Math.ceil(w)} ${Math.ceil(h)}`}
        data-feeling={toStatusTone(kind, active)}
        onKeyDown={goAmongStates}
      >
        {parts.map((part) => drawingToVNode(part, buttonOf))}
      </svg>
    </div>
  );
};

/** The state, or where it is folded away, the one around it that is drawn. */
const shownState = (state: string | undefined, unfolded: ReadonlySet<string>): string | undefined => {
  if (state === undefined || state === '') return undefined;
  const around = withAncestors(state).slice(0, -1);
  return around.find((_, nth) => around.slice(nth + 1).every((id) => unfolded.has(id)));
};

/** Room around what is brought into sight. */
const margin = 24;

/** Brings a state into sight, as little as it takes. */
const useShowing = (box: { current: HTMLDivElement | null }, state: string): void => {
  useLayoutEffect(() => {
    const shown = box.current;
    const element = document.getElementById(`state:${state}`);
    if (!shown || !element) return;
    const [frame, place] = [shown.getBoundingClientRect(), element.getBoundingClientRect()];
    shown.scrollTop += beyond(place.top, place.bottom, frame.top, frame.bottom);
    shown.scrollLeft += beyond(place.left, place.right, frame.left, frame.right);
  }, [state]);
};

const beyond = (from: number, to: number, start: number, end: number): number => {
  if (from < start + margin) return from - start - margin;
  return to > end - margin ? to - end + margin : 0;
};
