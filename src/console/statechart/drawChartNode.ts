/** Stations: states are boxes, questions hexagons, shared answers dashed hexagons; what lies outside has none. */
import { svgElement, type SvgElement } from './svgElement.ts';
import type { ChartNodeLayout } from './layoutTypes.ts';
import type { Pen } from './pen.ts';

/** How far a hexagon's corners stand out. */
const CORNER = 8;
const SIGNS: Partial<Record<ChartNodeLayout['kind'], string>> = { enter: '↳ ', exit: '↪ ' };

/** A station, with how many machines are there and the sign of folding. `isPassed`: lit, though no state of the chart. */
export const drawChartNode = (station: ChartNodeLayout, isPassed: boolean, pen: Pen): SvgElement => {
  const { id, kind, x, y, w, h, isCompound, isInitial } = station;
  const name = kind === 'enter' ? pen.words.fromOutside : station.name;
  const isUnfolded = pen.unfolded.has(id);
  const base = y + h / 2 + 4;
  const inset = isHexagon(station) ? 13 : 9;
  const count = pen.lights.count(id);
  const sign = SIGNS[kind] ?? (isInitial ? '▸ ' : '');
  return svgElement(
    'g',
    {
      id: pen.idOf(isState(station) ? `state:${id}` : id),
      class: `station ${kind}${isCompound ? ' compound' : ''}${isUnfolded ? ' unfolded' : ''}${isPassed ? ' entered' : pen.lights.stateClass(id)}`,
    },
    svgElement('title', {}, isState(station) ? id : `${sign}${name}`),
    ...(kind === 'exit' ? [] : [outline(station)]),
    svgElement('text', { class: 'name', x: x + inset, y: base }, sign + name),
    ...(count === ''
      ? []
      : [svgElement('text', { class: 'count', x: x + w - (isCompound ? 19 : inset - 2), y: base }, count)]),
    ...(isCompound && !pen.isStatic
      ? [svgElement('text', { class: 'fold', x: x + w - 14, y: base }, isUnfolded ? '−' : '+')]
      : []),
  );
};

const isState = ({ kind }: ChartNodeLayout): boolean =>
  kind === 'state' || kind === 'question' || kind === 'final';
const isHexagon = ({ kind }: ChartNodeLayout): boolean => kind === 'question' || kind === 'answers';

const outline = (station: ChartNodeLayout): SvgElement => {
  const { x, y, w, h, kind } = station;
  if (kind === 'enter') return svgElement('path', { class: 'outline', d: `M${x + w} ${y}v${h}` });
  if (isHexagon(station)) {
    const across = w - 2 * CORNER;
    return svgElement('path', {
      class: 'outline',
      d: `M${x} ${y + h / 2}l${CORNER} ${-h / 2}h${across}l${CORNER} ${h / 2}l${-CORNER} ${h / 2}h${-across}Z`,
    });
  }
  return svgElement('rect', { class: 'outline', x, y, width: w, height: h, rx: kind === 'final' ? 12 : 5 });
};
