/**
 * A level's stations below each other, in the order of the chart: those of the happy path at the left, the others
 * indented. Each way out that is not on the happy path has a lane of its own, at the height of its station.
 */
import {
  LABEL_HEIGHT,
  MARGIN,
  CHART_NAME_FONT_SIZE,
  type Line,
  type ChartNodeLayout,
} from './layoutTypes.ts';
import type { TransitionLineModel, ChartNodeModel } from './diagramPerCompoundState.ts';
import { textWidthInPixels } from './text.ts';

/** A line of which it is known how it runs. */
export interface RoutedTransitionLine extends TransitionLineModel {
  course: Line['course'];
}

export interface ChartNodeColumn {
  /** By id, in their order. */
  stations: ReadonlyMap<string, ChartNodeLayout>;
  /** Heights of the lanes of lines that are not on the happy path. */
  lanes: ReadonlyMap<RoutedTransitionLine, number>;
  /** Heights at which rails arrive, by target. */
  arrivals: ReadonlyMap<string, number>;
}

/** Where lines arrive there is nothing to read. */
const ARRIVAL_HEIGHT = 8;
const LEAST_HEIGHT = 24;
const LEAST_WIDTH = 60;
const INDENT = 44;
const GAP = 7;
/** A label of the happy path stands in the gap. */
const SPINE_GAP = 16;

/** Room beside the name: for what a page adds (how many machines, the sign of folding), and a hexagon's corners. */
const ROOM: Readonly<Record<ChartNodeModel['kind'] | 'compound', number>> = {
  ...{ state: 50, final: 52, question: 48, compound: 62 },
  ...{ answers: 40, enter: 28, exit: 24 },
};

export const placeChartNodes = (
  stations: readonly ChartNodeModel[],
  lines: readonly RoutedTransitionLine[],
  happyPath: readonly string[],
): ChartNodeColumn => {
  const rows = inOrder(stations, happyPath);
  const rowOf = new Map(rows.map(({ id }, index) => [id, index]));
  const targets = new Set(lines.filter(({ course }) => course === 'rail').map(({ to }) => to));
  const placed = new Map<string, ChartNodeLayout>();
  const lanes = new Map<RoutedTransitionLine, number>();
  const arrivals = new Map<string, number>();
  let y = MARGIN;
  for (const row of rows) {
    const own = lines.filter(({ from }) => from === row.id);
    const outs = byTarget(own, rowOf);
    const arrival = targets.has(row.id) ? ARRIVAL_HEIGHT : 0;
    const inner = arrival + outs.length * LABEL_HEIGHT;
    const h = Math.max(LEAST_HEIGHT, inner + 6);
    const top = y + (h - inner) / 2;
    if (arrival > 0) arrivals.set(row.id, outs.length > 0 ? top + arrival / 2 : y + h / 2);
    outs.forEach((line, index) => lanes.set(line, top + arrival + (index + 0.5) * LABEL_HEIGHT));
    placed.set(row.id, stationAt(row, happyPath.includes(row.id), y, h));
    y += h + (own.length > outs.length ? SPINE_GAP : GAP);
  }
  return { stations: placed, lanes, arrivals };
};

/** The chart's order; but shared answers on the happy path stand below the station before them. */
const inOrder = (stations: readonly ChartNodeModel[], happyPath: readonly string[]): ChartNodeModel[] => {
  const isMoved = ({ id, kind }: ChartNodeModel): boolean => kind === 'answers' && happyPath.includes(id);
  const rows = stations.filter((station) => !isMoved(station));
  for (const station of stations.filter(isMoved)) {
    const before = happyPath[happyPath.indexOf(station.id) - 1];
    rows.splice(rows.findIndex(({ id }) => id === before) + 1, 0, station);
  }
  return rows;
};

/** Lines with lanes: the highest target first, and last those that stay. */
const byTarget = (
  lines: readonly RoutedTransitionLine[],
  rowOf: ReadonlyMap<string, number>,
): RoutedTransitionLine[] => {
  const rank = ({ course, to }: RoutedTransitionLine): number =>
    course === 'loop' ? Infinity : rowOf.get(to)!;
  return lines
    .filter(({ course }) => course !== 'spine')
    .toSorted((one, other) => rank(one) - rank(other) || 0);
};

const stationAt = (station: ChartNodeModel, isOnPath: boolean, y: number, h: number): ChartNodeLayout => {
  const { id, name, kind, isCompound, isInitial } = station;
  const text = isInitial ? `▸ ${name}` : name;
  return {
    id,
    name,
    kind,
    x: MARGIN + (isOnPath || kind === 'enter' ? 0 : INDENT),
    y,
    w: Math.max(
      LEAST_WIDTH,
      textWidthInPixels(text, CHART_NAME_FONT_SIZE, isCompound) + ROOM[isCompound ? 'compound' : kind],
    ),
    h,
    ...(isCompound && { isCompound }),
    ...(isInitial && { isInitial }),
  };
};
