/**
 * Draws a timetable of rows as SVG. Ways out run right to the lane of their target and along it to the target's
 * row: every target has one lane, so lines never tangle, however many states there are.
 */
import type { Row, StateRow, WayOutRow } from './rows.ts';

const ROW = 18;
const INDENT = 18;
const MARGIN = 16;
const LANE = 9;
/** Width of a letter in the drawing's monospaced font. */
const LETTER = 6.7;
const COLOURS = ['#2563eb', '#b45309', '#047857', '#be123c', '#6d28d9', '#0e7490', '#4d7c0f', '#9d174d'];

interface Lane {
  target: number;
  sources: number[];
  top: number;
  bottom: number;
  x: number;
  colour: string;
}

/** One chart as an SVG document. */
export const draw = (title: string, rows: Row[]): string => {
  const edge = MARGIN + Math.max(...rows.map(widthOf)) + 24;
  const lanes = lanesOf(rows, edge);
  const width = Math.max(edge, ...lanes.map(({ x }) => x)) + MARGIN;
  const height = rows.length * ROW + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="11">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...lanes.map((lane) => drawLane(rows, lane)),
    ...rows.map((row, index) => (row.what === 'state' ? drawState(row, index) : drawWayOut(row, index))),
    '</svg>',
    '',
  ].join('\n');
};

const y = (index: number): number => MARGIN + index * ROW + ROW / 2;
const left = ({ depth }: Row): number => MARGIN + depth * INDENT;
const widthOf = (row: Row): number =>
  left(row) + labelOf(row).length * LETTER + (row.what === 'state' ? 16 : INDENT);

const labelOf = (row: Row): string => (row.what === 'state' ? stateLabel(row) : wayOutLabel(row));

/** Marks the state its parent begins in. */
const BEGIN = '\u25b8 ';

const stateLabel = ({ name, isInitial, isQuestion, effects }: StateRow): string =>
  `${isInitial ? BEGIN : ''}${name}${isQuestion ? '?' : ''}${asked(effects)}`;

const wayOutLabel = ({ on, guard, effects }: WayOutRow): string =>
  `${on || (guard ? '' : 'else')}${guard ? `${on ? ' ' : ''}[${guard}]` : ''}${asked(effects)}`;

const asked = (effects: string[]): string => (effects.length > 0 ? ` / ${effects.join(', ')}` : '');

/** One lane a target, the shortest ones nearest to the rows; lanes that do not overlap share a place. */
const lanesOf = (rows: Row[], edge: number): Lane[] => {
  const lanes: Lane[] = [];
  rows.forEach((row, target) => {
    if (row.what !== 'state') return;
    const sources = rows.flatMap((way, index) => (way.what === 'wayOut' && way.to === row.id ? [index] : []));
    if (sources.length === 0) return;
    const all = [target, ...sources];
    lanes.push({ target, sources, top: Math.min(...all), bottom: Math.max(...all), x: 0, colour: '' });
  });
  const places: Lane[][] = [];
  for (const lane of lanes.toSorted((one, other) => one.bottom - one.top - (other.bottom - other.top))) {
    const isFree = (place: Lane[]): boolean =>
      place.every((other) => lane.bottom < other.top || lane.top > other.bottom);
    let place = places.findIndex(isFree);
    if (place < 0) place = places.push([]) - 1;
    places[place]!.push(lane);
    lane.x = edge + place * LANE;
  }
  lanes.forEach((lane, index) => (lane.colour = COLOURS[index % COLOURS.length]!));
  return lanes;
};

const drawLane = (rows: Row[], { target, sources, top, bottom, x, colour }: Lane): string => {
  const end = widthOf(rows[target]!) + 4;
  return [
    `<g stroke="${colour}" fill="none" stroke-width="1" opacity="0.75">`,
    `<path d="M${x} ${y(top)}V${y(bottom)}"/>`,
    ...sources.map((source) => `<path d="M${widthOf(rows[source]!) + 4} ${y(source)}H${x}"/>`),
    `<path d="M${x} ${y(target)}H${end}"/>`,
    `<path d="M${end + 5} ${y(target) - 3}L${end} ${y(target)}l5 3" fill="${colour}"/>`,
    '</g>',
  ].join('');
};

const drawState = (row: StateRow, index: number): string => {
  const x = left(row);
  const width = widthOf(row) - x;
  const fill = row.isQuestion ? '#ffffff' : row.isFinal ? '#e5e7eb' : '#eff6ff';
  const name = `<tspan font-weight="bold">${row.isInitial ? BEGIN : ''}${escape(row.name)}${row.isQuestion ? '?' : ''}</tspan>`;
  return [
    `<rect x="${x}" y="${y(index) - 8}" width="${width}" height="16" rx="${row.isFinal ? 8 : 3}" fill="${fill}" stroke="#475569"${row.isQuestion ? ' stroke-dasharray="3 2"' : ''}/>`,
    `<text x="${x + 7}" y="${y(index) + 4}" fill="#0f172a">${name}${escape(asked(row.effects))}</text>`,
  ].join('');
};

const drawWayOut = (row: WayOutRow, index: number): string =>
  `<text x="${left(row) + INDENT}" y="${y(index) + 4}" fill="${row.to ? '#334155' : '#94a3b8'}">${escape(wayOutLabel(row))}</text>`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
