/** Lays a chart out: its levels, each in its place for good, and what is heard everywhere, in words. */
import type { StatechartData } from './statechartData.ts';
import { happyPathOf } from './chartHappyPaths.ts';
import { HEAD_HEIGHT, type StatechartLayout, type ChartLevelLayout } from './layoutTypes.ts';
import { placeLegend } from './rootTransitionsLegend.ts';
import { rootTransitions, chartNestingLevels } from './diagramPerCompoundState.ts';
import { placeChartLevel, type ChartLevelLayoutWithoutOrigin } from './placeChartLevel.ts';

/** Between two columns, and between two levels of one. */
const GAP = 20;
/** A legend may be wider than a narrow chart. */
const LEAST_LEGEND_WIDTH = 340;

/** The layout of a chart version; the same chart always gives the same one. */
export const placeChart = (chart: StatechartData): StatechartLayout => {
  const placed = chartNestingLevels(chart).map((level) =>
    placeChartLevel(level, happyPathOf(chart.kind, level.id)),
  );
  const [outermost] = placed;
  const legendWidth = Math.max(LEAST_LEGEND_WIDTH, outermost!.w);
  const legend = placeLegend(rootTransitions(chart), legendWidth, HEAD_HEIGHT + outermost!.h);
  const legendEnd = Math.max(0, ...legend.map(({ y }) => y + GAP));
  const levels = placeLevels(placed, legend.length > 0 ? legendWidth : outermost!.w);
  return {
    kind: chart.kind,
    version: chart.version,
    w: Math.max(legendWidth, ...levels.map(({ x, w }) => x + w)),
    h: Math.max(legendEnd, ...levels.map(({ y, h }) => y + h)),
    levels,
    legend,
    states: chart.states,
    transitions: chart.transitions,
  };
};

/** A column for each depth; in it, every level as near to the state that it is the inside of as those above it allow. */
const placeLevels = (
  placed: readonly ChartLevelLayoutWithoutOrigin[],
  firstWidth: number,
): ChartLevelLayout[] => {
  const levels: ChartLevelLayout[] = [];
  let x = 0;
  let column = placed.filter(({ id }) => id === '');
  while (column.length > 0) {
    const wished = column.map((level) => requestedTop(levels, level));
    const tops = spread(
      wished,
      column.map(({ h }) => h + HEAD_HEIGHT + GAP),
    );
    column.forEach((level, index) => levels.push({ ...level, x, y: tops[index]! + HEAD_HEIGHT }));
    x += GAP + Math.max(x === 0 ? firstWidth : 0, ...column.map(({ w }) => w));
    const outer = column;
    column = placed.filter(({ id }) => outer.some(({ stations }) => stations.some((one) => one.id === id)));
  }
  return placed.map(({ id }) => levels.find((level) => level.id === id)!);
};

/** Its heading level with its state. */
const requestedTop = (
  levels: readonly ChartLevelLayout[],
  { id, h }: ChartLevelLayoutWithoutOrigin,
): number => {
  const outer = levels.find(({ stations }) => stations.some((station) => station.id === id));
  if (!outer) return 0;
  const state = outer.stations.find((station) => station.id === id)!;
  // High ones stand beside the whole of the level that they lie in, not below its end.
  return Math.max(0, Math.min(outer.y + state.y - HEAD_HEIGHT, outer.y + outer.h - h));
};

/** Tops in order, none above its predecessor's end: pushed down where they overlap, but as little as can be. */
const spread = (wished: readonly number[], heights: readonly number[]): number[] => {
  const end = Math.max(
    heights.reduce((sum, height) => sum + height, 0),
    ...wished.map((top, index) => top + heights[index]!),
  );
  const tops: number[] = [];
  let free = 0;
  wished.forEach((top, index) => {
    const below = heights.slice(index).reduce((sum, height) => sum + height, 0);
    tops.push(Math.max(free, Math.min(top, end - below)));
    free = tops[index]! + heights[index]!;
  });
  return tops;
};
