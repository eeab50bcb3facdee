/**
 * Places a level as a subway line: its stations below each other, the happy path a straight line at the left; every
 * other way out runs right in a lane of its own, with its label in it, to the rail of its target, and along it. So by
 * construction no line crosses a station, and no label another.
 */
import {
  LABEL_HEIGHT,
  CHART_LABEL_FONT_SIZE,
  MARGIN,
  type ChartLevelLayout,
  type Line,
  type ChartNodeLayout,
} from './layoutTypes.ts';
import type { ChartLevelModel, TransitionLineModel } from './diagramPerCompoundState.ts';
import { placeChartNodes, type ChartNodeColumn, type RoutedTransitionLine } from './placeChartNodes.ts';
import { placeTransitionRails, TRANSITION_RAIL_WIDTH, type TransitionLineGeometry } from './rails.ts';
import { textWidthInPixels } from './text.ts';

/** From the left edge of the happy path's stations to the line through them. */
const SPINE_INSET = 20;
/** From the widest station to the labels, and from the widest label to the rails. */
const BEFORE_LABELS = 14;
const BEFORE_RAILS = 12;
/** Between a line and a label at its side or its end. */
const BESIDE = 8;
const BEFORE = 3;
/** A line whose target is so far away names it, so that the rail need not be followed. */
const FAR = 160;

/** A level without its place among the others. */
export type ChartLevelLayoutWithoutOrigin = Omit<ChartLevelLayout, 'x' | 'y'>;

export const placeChartLevel = (
  level: ChartLevelModel,
  happyPath: readonly string[],
): ChartLevelLayoutWithoutOrigin => {
  const courses = level.lines.map((line) => ({ ...line, course: courseOf(line, happyPath) }));
  const column = placeChartNodes(level.stations, courses, happyPath);
  const stations = [...column.stations.values()];
  const labelsAt = Math.max(...stations.map(({ x, w }) => x + w)) + BEFORE_LABELS;
  const labels = new Map(courses.map((line) => [line, labelAt(line, column, labelsAt)]));
  const labelsEnd = Math.max(labelsAt, ...[...labels.values()].map(({ x, w }) => x + w));
  const railed = courses.filter(({ course }) => course === 'rail');
  const rails = placeTransitionRails(railed, column, labelsEnd + BEFORE_RAILS);
  return {
    id: level.id,
    w: Math.max(labelsEnd, ...[...rails.values()].map(({ x }) => x + TRANSITION_RAIL_WIDTH)) + MARGIN,
    h: stations.at(-1)!.y + stations.at(-1)!.h + MARGIN,
    stations,
    lines: courses.map((line) => ({
      id: `line:${level.id}:${line.from}>${line.to}`,
      from: line.from,
      to: line.to,
      course: line.course,
      // Where all goes well even the end of a wait is no trouble.
      ...(line.isTrouble && line.course !== 'spine' && { isTrouble: true }),
      transitions: line.transitions,
      points: pointsOf(line, column, labelsAt, rails),
      label: labels.get(line)!,
    })),
  };
};

const courseOf = ({ from, to }: TransitionLineModel, happyPath: readonly string[]): Line['course'] => {
  if (from === to) return 'loop';
  return happyPath.includes(from) && happyPath[happyPath.indexOf(from) + 1] === to ? 'spine' : 'rail';
};

const labelAt = (
  line: RoutedTransitionLine,
  { stations, lanes, arrivals }: ChartNodeColumn,
  labelsAt: number,
): Line['label'] => {
  const from = stations.get(line.from)!;
  if (line.course === 'spine') {
    const w = textWidthInPixels(line.label, CHART_LABEL_FONT_SIZE);
    return { x: spineAt(from) + BESIDE, y: from.y + from.h + 1, w, text: line.label };
  }
  const lane = lanes.get(line)!;
  const text = line.course === 'loop' ? `↻ ${line.label}` : line.label;
  const { name } = stations.get(line.to)!;
  const isFar = line.course === 'rail' && Math.abs(lane - arrivals.get(line.to)!) > FAR;
  const target = isFar && name !== line.label ? ` → ${name}` : '';
  return {
    x: labelsAt,
    y: lane - LABEL_HEIGHT / 2,
    w: textWidthInPixels(text + target, CHART_LABEL_FONT_SIZE),
    text,
    ...(target !== '' && { target }),
  };
};

const pointsOf = (
  line: RoutedTransitionLine,
  { stations, lanes }: ChartNodeColumn,
  labelsAt: number,
  rails: ReadonlyMap<string, TransitionLineGeometry>,
): Line['points'] => {
  const [from, to] = [stations.get(line.from)!, stations.get(line.to)!];
  if (line.course === 'spine') {
    // Straight, because the stations in between are indented.
    const x = spineAt(from);
    return [
      [x, from.y + from.h],
      [x, to.y],
    ];
  }
  const [right, lane] = [from.x + from.w, lanes.get(line)!];
  if (line.course === 'loop') {
    return [
      [right, lane],
      [labelsAt - BEFORE, lane],
    ];
  }
  const { x, arrival } = rails.get(line.to)!;
  return [
    [right, lane],
    [x, lane],
    [x, arrival],
    [to.x + to.w, arrival],
  ];
};

const spineAt = ({ x }: ChartNodeLayout): number => x + SPINE_INSET;
