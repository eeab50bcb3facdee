/** What is lit on a chart: a machine's path through it, or how many machines are where. Classes and texts only. */
import { withAncestors } from './statechartData.ts';

export interface ChartHighlights {
  /** The state in which the machine is, or was at the moment shown. */
  active?: string;
  /** States that were entered. */
  entered?: ReadonlySet<string>;
  /** Short ids of transitions that were taken; `guessed`: the history does not say so, but nothing else is as near. */
  taken?: ReadonlyMap<number, 'known' | 'guessed'>;
  /** How often each state was visited; shown where it was more than once. */
  visits?: ReadonlyMap<string, number>;
  /** How many machines are in each state; states around them show the sum. */
  counts?: Readonly<Record<string, number>>;
}

/** Marks made ready for drawing: states around a state are marked with it. */
export interface ChartHighlightClasses {
  isOn: boolean;
  stateClass(id: string): string;
  /** `taken` when one of them was, `guessed` when that is a guess. */
  lineClass(transitions: readonly number[]): string;
  /** How many machines are there, or how often one was; '' where that says nothing. */
  count(id: string): string;
}

export const toHighlightClasses = ({
  active,
  entered,
  taken = new Map(),
  visits = new Map(),
  counts = {},
}: ChartHighlights): ChartHighlightClasses => {
  const now = new Set(active === undefined ? [] : withAncestors(active));
  const seen = new Set([...(entered ?? [])].flatMap(withAncestors));
  const sums = new Map<string, number>();
  for (const [state, count] of Object.entries(counts))
    for (const id of withAncestors(state)) sums.set(id, (sums.get(id) ?? 0) + count);
  return {
    isOn: entered !== undefined || taken.size > 0,
    stateClass: (id) => `${seen.has(id) ? ' entered' : ''}${now.has(id) ? ' active' : ''}`,
    lineClass: (transitions) => {
      const known = transitions.map((id) => taken.get(id));
      if (known.includes('known')) return ' taken';
      return known.includes('guessed') ? ' taken guessed' : '';
    },
    count: (id) => {
      const times = visits.get(id) ?? 0;
      if (times > 1) return `×${shortNumber(times)}`;
      const sum = sums.get(id) ?? 0;
      return sum === 0 ? '' : shortNumber(sum);
    },
  };
};

/** At most four characters: `9999`, `12k`, `1.3M`. */
const shortNumber = (count: number): string => {
  if (count < 10_000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
};
