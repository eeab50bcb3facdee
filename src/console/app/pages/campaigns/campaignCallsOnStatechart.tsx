/** The calls of a campaign on the chart of a call: how many are in each state at this moment. A state leads to its calls. */
// oxlint-disable-next-line import/no-unassigned-import -- how charts look comes with this page
import 'virtual:chart.css';
import { type ComponentChild, h, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { withAncestors } from '../../../statechart/statechartData.ts';
import { draw } from '../../../statechart/draw.ts';
import type { SvgElement } from '../../../statechart/svgElement.ts';
import type { StatechartLayout } from '../../../statechart/layoutTypes.ts';
import { chartWordsOf } from '../../chartWordsOf.ts';
import { toStatusTone } from '../../stateFeeling.ts';
import { ErrorNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useTranslation } from '../../words/index.ts';
import type { CampaignWithFigures } from './data.ts';
import { loadChartLayout } from '../chartLayouts.ts';
import { countCallsUnderWay } from './phase.ts';

export const CampaignCallStates = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element => {
  const say = useTranslation();
  const [layout, setLayout] = useState<StatechartLayout>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => void loadChartLayout('call', campaign.call_chart).then(setLayout, setFailure), []);
  const count = countCallsUnderWay(campaign.figures);
  const waiting = campaign.destinations - campaign.ended - count;
  return (
    <section aria-labelledby="h-fleet">
      <div class="sh">
        <h2 id="h-fleet">{say('whereCallsAre')}</h2>
        <span class="right">{say('chooseState')}</span>
      </div>
      {failure !== undefined && <ErrorNotice error={failure} />}
      {layout && <Drawing layout={layout} campaign={campaign} />}
      <p class="small dim" data-fleet={count}>
        {count === 0 ? say('fleetNone') : say('fleetHave', { count, waiting: Math.max(0, waiting) })}
      </p>
    </section>
  );
};

const Drawing = ({
  layout,
  campaign,
}: {
  layout: StatechartLayout;
  campaign: CampaignWithFigures;
}): JSX.Element => {
  const say = useTranslation();
  const { states } = campaign.figures;
  // What was unfolded once stays so: a drawing that folds by itself could not be read.
  const unfolded = useRef(new Set<string>());
  for (const { state } of states) for (const id of withAncestors(state).slice(1)) unfolded.current.add(id);
  const counts = useMemo(
    () => Object.fromEntries(states.map(({ state, count }) => [state, count])),
    [states],
  );
  const sums = sumsOf(counts);
  const {
    w,
    h: tall,
    parts,
  } = draw(layout, {
    unfolded: unfolded.current,
    isStatic: true,
    idPrefix: 'fleet-',
    words: chartWordsOf(say),
    marks: { counts, entered: new Set(Object.keys(counts)) },
  });
  const linkOf = (state: string): string =>
    `/admin/find?kind=call&account=${campaign.cdcs_id}&campaign=${campaign.cp_id}&state=${state}`;
  const paint = (part: SvgElement | string): ComponentChild => {
    if (typeof part === 'string') return part;
    const { tag, attributes, children } = part;
    const state = stateOf(part);
    const count = state === undefined ? 0 : (sums.get(state) ?? 0);
    const drawn = h(
      tag,
      {
        ...attributes,
        ...(count > 0 && { class: `${attributes['class']} in-${toStatusTone('call', state!)}` }),
        ...(count > 0 && { 'data-state': state, 'data-count': count }),
      },
      ...children.map(paint),
    );
    if (count === 0) return drawn;
    return (
      <a href={linkOf(state!)} data-row>
        <title>{say('callsIn', { count, state: state! })}</title>
        {drawn}
      </a>
    );
  };
  return (
    <div class="fleet" tabIndex={0} role="group" aria-label={say('fleetLabel')}>
      <svg
        class="chart lit"
        width={Math.ceil(w)}
        height={Math.ceil(tall)}
        viewBox={`0 0 ${Math.ceil(w)} ${Math.ceil(tall)}`}
      >
        {parts.map(paint)}
      </svg>
    </div>
  );
};

/** A station's state; undefined: it is no station of one. */
const stateOf = ({ attributes }: SvgElement): string | undefined =>
  /^fleet-state:(.+)$/.exec(String(attributes['id'] ?? ''))?.[1];

const sumsOf = (counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [state, count] of Object.entries(counts))
    for (const id of withAncestors(state)) sums.set(id, (sums.get(id) ?? 0) + count);
  return sums;
};
