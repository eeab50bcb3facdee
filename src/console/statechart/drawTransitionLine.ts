/** Lines and their labels. */
import { svgElement, type SvgElement } from './svgElement.ts';
import { LABEL_HEIGHT, type Line } from './layoutTypes.ts';
import { labelInWords } from './translatableChartWords.ts';
import type { Pen } from './pen.ts';

/** Radius of a corner. */
const CORNER = 5;
/** Length and half the width of an arrow's head. */
const HEAD = { length: 7, half: 3.2 };

/** A line with the elements of its transitions, which are unseen: a page lights and clicks them. */
export const drawTransitionLine = (line: Line, { lights, isStatic, idOf }: Pen): SvgElement => {
  const { id, course, isTrouble, points, transitions } = line;
  const classes = `line ${course}${isTrouble ? ' trouble' : ''}${lights.lineClass(transitions)}`;
  const d = rounded(points);
  const own = isStatic
    ? []
    : transitions.map((transition) =>
        svgElement('path', {
          class: `transition${lights.lineClass([transition])}`,
          'data-transition': transition,
          d,
        }),
      );
  return svgElement(
    'g',
    { id: idOf(id), class: classes, 'data-transitions': !isStatic && transitions.join(' ') },
    svgElement('path', { class: 'way', d }),
    ...(course === 'loop' ? [] : [svgElement('path', { class: 'head', d: arrowHead(points) })]),
    ...own,
  );
};

/** Its text has a rim in the colour of what is below, so that the line ends before it. */
export const drawLabel = ({ course, transitions, label }: Line, { lights, words }: Pen): SvgElement => {
  const { x, y, text, target } = label;
  return svgElement(
    'text',
    { class: `label ${course}${lights.lineClass(transitions)}`, x, y: y + LABEL_HEIGHT - 3 },
    labelInWords(text, words),
    ...(target === undefined ? [] : [svgElement('tspan', { class: 'target' }, target)]),
  );
};

const arrowHead = (points: Line['points']): string => {
  const [[fromX, fromY], [x, y]] = points.slice(-2) as [readonly [number, number], readonly [number, number]];
  const [dx, dy] = [Math.sign(x - fromX), Math.sign(y - fromY)];
  const [baseX, baseY] = [x - dx * HEAD.length, y - dy * HEAD.length];
  const [sideX, sideY] = [dy * HEAD.half, dx * HEAD.half];
  return `M${x} ${y}L${baseX + sideX} ${baseY + sideY}L${baseX - sideX} ${baseY - sideY}Z`;
};

/** Points at right angles, with their corners rounded. */
const rounded = (points: Line['points']): string => {
  const parts = points.map(([x, y], index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) return `M${x} ${y}`;
    if (!after) return `L${x} ${y}`;
    const radius = Math.min(CORNER, distance(before, [x, y]) / 2, distance([x, y], after) / 2);
    const [inX, inY] = [x - Math.sign(x - before[0]) * radius, y - Math.sign(y - before[1]) * radius];
    const [outX, outY] = [x + Math.sign(after[0] - x) * radius, y + Math.sign(after[1] - y) * radius];
    return `L${inX} ${inY}Q${x} ${y} ${outX} ${outY}`;
  });
  return parts.join('');
};

const distance = ([x, y]: readonly [number, number], [otherX, otherY]: readonly [number, number]): number =>
  Math.hypot(otherX - x, otherY - y);
