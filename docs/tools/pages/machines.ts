/** Every chart as tables of its states, made from the chart itself. */
import type { Kind } from '../../../src/engine/contract/kind.ts';
import { rowsOf, type Row, type StateRow, type WayOutRow } from '../charts/rows.ts';
import { code, table } from './table.ts';

/** One page for all kinds of machine. */
export const machinesPage = (kinds: readonly Kind[]): string =>
  `${[
    '# The machines',
    'Made from the charts in `machines/` by `npm run docs`; edit there. How to read them: [machines/README.md](../machines/README.md).',
    ...kinds.flatMap(kindSection),
  ].join('\n\n')}\n`;

const kindSection = ({ name, current, versions, effects, operatorEvents }: Kind): string[] => {
  const [chart, ...states] = byOuterState(rowsOf(versions[current]!));
  return [
    `## ${name}, version ${current}`,
    `[Drawing](machines/${name}.svg). Operators may send: ${operatorEvents.map(code).join(', ')}.`,
    ...effectTable(effects),
    ...(chart!.ways.length > 0 ? ['Whatever its state:', waysTable(chart!.ways, name)] : []),
    ...states.flatMap((state) => stateSection(state, name)),
  ];
};

const effectTable = (effects: Kind['effects']): string[] => {
  const rows = Object.entries(effects).map(([name, terms]) => [
    code(name),
    terms.delivery === 'atMostOnce' ? 'at most once' : 'at least once',
    `${terms.timeoutMs / 1000} s`,
    terms.delivery === 'atMostOnce' ? '' : String(terms.attempts ?? 5),
  ]);
  return rows.length === 0
    ? []
    : ['What it asks of the world:', table(['effect', 'delivery', 'accepted within', 'tries'], rows)];
};

interface Section {
  state: StateRow;
  ways: WayOutRow[];
  inner: Section[];
}

/** States with their ways out; inner states stand under their outermost one. The chart itself comes first. */
const byOuterState = (rows: readonly Row[]): Section[] => {
  const all = new Map<string, Section>();
  const outer: Section[] = [];
  for (const row of rows) {
    if (row.what === 'wayOut') {
      all.get(row.from)!.ways.push(row);
      continue;
    }
    const section: Section = { state: row, ways: [], inner: [] };
    all.set(row.id, section);
    if (row.depth < 2) outer.push(section);
    else outer.at(-1)!.inner.push(section);
  }
  return outer;
};

const stateSection = (section: Section, chart: string): string[] => [
  `### ${chart}: ${section.state.name}`,
  ...stateLines(section, chart),
  ...section.inner.flatMap((inner) => [`#### ${within(inner.state.id, chart)}`, ...stateLines(inner, chart)]),
];

const stateLines = ({ state, ways }: Section, chart: string): string[] => {
  const says = [
    ...(state.isQuestion ? ['A question: left in the step that enters it.'] : []),
    ...(state.isFinal ? ['The end.'] : []),
    ...(state.effects.length > 0 ? [`Asks for ${state.effects.map(code).join(', ')}.`] : []),
  ];
  return [...(says.length > 0 ? [says.join(' ')] : []), ...(ways.length > 0 ? [waysTable(ways, chart)] : [])];
};

const waysTable = (ways: readonly WayOutRow[], chart: string): string =>
  table(
    ['hears', 'if', 'goes to', 'asks for'],
    ways.map(({ on, guard, to, effects }) => [
      code(on),
      code(guard),
      to === '' ? 'stays' : code(within(to, chart)),
      effects.map(code).join(', '),
    ]),
  );

const within = (id: string, chart: string): string => id.slice(chart.length + 1) || chart;
