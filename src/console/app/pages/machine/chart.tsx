/** The machine's states: those it was in, and the one it is in. A list of them in the order in which they were entered. */
import type { JSX } from 'preact';
import { feelingOf } from '../../feeling.ts';
import { Mark } from '../../ui/mark.tsx';
import { useWords } from '../../words/index.ts';

export interface ChartProps {
  /** Which chart: `call`, and its version. */
  chart: { kind: string; version: number };
  /** The state it is in at the moment that is shown. */
  active: string;
  /** States in the order of its entries, up to that moment. */
  path: readonly string[];
}

export const Chart = ({ chart, active, path }: ChartProps): JSX.Element => {
  const say = useWords();
  const times = new Map<string, number>();
  path.forEach((state, at) => {
    if (path[at - 1] !== state) times.set(state, (times.get(state) ?? 0) + 1);
  });
  return (
    <ol class="states" aria-label={say('statesOf', { chart: `${chart.kind} v${chart.version}` })}>
      {[...times].map(([state, count]) => (
        <li key={state} aria-current={state === active ? 'step' : undefined}>
          <span class="state">
            <Mark of={feelingOf(chart.kind, state)} />
            <code>{state}</code>
          </span>
          {count > 1 && <span class="dimmer small">×{count}</span>}
        </li>
      ))}
    </ol>
  );
};
