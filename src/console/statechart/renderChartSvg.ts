/** A chart's drawing as a document of its own: for pages on paper, and to be looked at without a console. */
import { draw, type DrawOptions } from './draw.ts';
import { svgElement, svgToMarkup } from './svgElement.ts';
import { MARGIN, type StatechartLayout } from './layoutTypes.ts';
import { flow } from './rootTransitionsLegend.ts';
import { toHighlightClasses } from './highlightClasses.ts';
import { chartStyle, standaloneChartColours } from './style.ts';

/** An SVG document that brings its colours along. Default: everything unfolded, nothing lit. */
export const renderChartSvg = (layout: StatechartLayout, options: Partial<DrawOptions> = {}): string => {
  const unfolded = options.unfolded ?? new Set(layout.levels.map(({ id }) => id));
  const { w, h, parts } = draw(layout, { isStatic: true, ...options, unfolded });
  const width = Math.ceil(w);
  const key = flow(KEY, MARGIN, h + KEY_GAP, width);
  const height = Math.ceil(key.at(-1)!.y) + MARGIN;
  const isLit = toHighlightClasses(options.marks ?? {}).isOn;
  const root = svgElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: isLit ? 'chart lit' : 'chart',
      ...{ width, height, viewBox: `0 0 ${width} ${height}` },
    },
    svgElement('title', {}, `${layout.kind}, version ${layout.version}`),
    svgElement('style', {}, standaloneChartColours + chartStyle),
    svgElement('rect', { width: '100%', height: '100%', style: 'fill: var(--chart-paper)' }),
    ...parts,
    svgElement('g', { class: 'legend' }, ...key.map(({ x, y, text }) => svgElement('text', { x, y }, text))),
  );
  return `${svgToMarkup(root)}\n`;
};

/** Above what the signs mean. */
const KEY_GAP = 22;

/** What the signs mean. */
const KEY = [
  'thick line: all goes well',
  'dashed line: a failure, a timeout, an early end',
  '↻ stays in its state',
  '▸ begins here',
  'hexagon: a question, answered in the same step',
  'bold: holds the states shown beside it',
];
