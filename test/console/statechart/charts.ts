/** All chart versions, read and laid out, for tests. */
import { readStatechart } from '../../../src/console/statechart/statechartData.ts';
import { placeChart } from '../../../src/console/statechart/placeChart.ts';
import {
  LABEL_HEIGHT,
  type ChartLevelLayout,
  type Line,
} from '../../../src/console/statechart/layoutTypes.ts';
import { machineKinds } from '../../../machines/index.ts';

/** Every version of every kind, with its chart and layout. */
export const everyChart = machineKinds.flatMap(({ name, versions }) =>
  Object.entries(versions).map(([version, machine]) => {
    const chart = readStatechart(name, Number(version), machine);
    return { name: `${name} ${version}`, kind: name, machine, chart, layout: placeChart(chart) };
  }),
);

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Whether two boxes have more than an edge in common. */
export const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

export const labelBox = ({ label }: Line): Box => ({ ...label, h: LABEL_HEIGHT });

/** The straight pieces of a line, a pixel thick. */
export const pieces = ({ points }: Line): Box[] =>
  points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index]!;
    return {
      x: Math.min(x, fromX) - 0.5,
      y: Math.min(y, fromY) - 0.5,
      w: Math.abs(x - fromX) + 1,
      h: Math.abs(y - fromY) + 1,
    };
  });

/** Pairs of members that overlap, by name; `nameOf` is for the message. */
export const overlaps = <Item>(
  items: readonly Item[],
  boxOf: (item: Item) => Box,
  nameOf: (item: Item) => string,
): string[] =>
  items.flatMap((one, index) =>
    items
      .slice(index + 1)
      .filter((other) => overlap(boxOf(one), boxOf(other)))
      .map((other) => `${nameOf(one)} and ${nameOf(other)}`),
  );

/** A level with its heading, on the drawing. */
export const levelBox = ({ x, y, w, h }: ChartLevelLayout, heading: number): Box => ({
  x,
  y: y - heading,
  w,
  h: h + heading,
});
