/** Rails: one for every target of a level, which all lines to it share. Those that do not overlap share a place. */
import type { ChartNodeColumn, RoutedTransitionLine } from './placeChartNodes.ts';

export const TRANSITION_RAIL_WIDTH = 8;
/** Between the ends of two rails in one place. */
const APART = 3;

export interface TransitionLineGeometry {
  x: number;
  top: number;
  bottom: number;
  /** Height at which it arrives at its target. */
  arrival: number;
}

/** Rails by target; short ones stand nearest to the labels. */
export const placeTransitionRails = (
  lines: readonly RoutedTransitionLine[],
  { lanes, arrivals }: ChartNodeColumn,
  left: number,
): Map<string, TransitionLineGeometry> => {
  const rails = new Map(
    [...arrivals].map(([target, arrival]): [string, TransitionLineGeometry] => {
      const own = lines.filter(({ to }) => to === target).map((line) => lanes.get(line)!);
      return [
        target,
        { x: left, top: Math.min(arrival, ...own), bottom: Math.max(arrival, ...own), arrival },
      ];
    }),
  );
  const places: TransitionLineGeometry[][] = [];
  const length = ({ top, bottom }: TransitionLineGeometry): number => bottom - top;
  for (const rail of [...rails.values()].toSorted((one, other) => length(one) - length(other))) {
    const isFree = (place: readonly TransitionLineGeometry[]): boolean =>
      place.every(({ top, bottom }) => rail.bottom + APART < top || rail.top - APART > bottom);
    let place = places.findIndex(isFree);
    if (place < 0) place = places.push([]) - 1;
    places[place]!.push(rail);
    rail.x = left + place * TRANSITION_RAIL_WIDTH;
  }
  return rails;
};
