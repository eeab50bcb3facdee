/** Draws a layout: pure, the same at build time, in a test and in a page. */
import { svgElement, type SvgElement } from './svgElement.ts';
import {
  CHART_LABEL_FONT_SIZE,
  HEAD_HEIGHT,
  MARGIN,
  type ChartLegendText,
  type StatechartLayout,
  type ChartLevelLayout,
  type ChartNodeLayout,
} from './layoutTypes.ts';
import { drawLabel, drawTransitionLine } from './drawTransitionLine.ts';
import { drawChartNode } from './drawChartNode.ts';
import { toHighlightClasses, type ChartHighlights } from './highlightClasses.ts';
import type { Pen } from './pen.ts';
import { type ChartWords, englishChartWords, labelInWords, legendHeading } from './translatableChartWords.ts';
import { textWidthInPixels } from './text.ts';

export interface DrawOptions {
  /** Ids of the states whose levels are shown. */
  unfolded: ReadonlySet<string>;
  /** What is lit. */
  marks?: ChartHighlights;
  /** On paper: nothing can be folded, and transitions have no elements of their own. */
  isStatic?: boolean;
  /** Before every id, where a page shows several charts. Default: ''. */
  idPrefix?: string;
  /** Default: English. */
  words?: ChartWords;
}

/** The parts of a drawing, to be put into an `svg` element; `w` and `h` hold what is unfolded. */
export const draw = (
  layout: StatechartLayout,
  { unfolded, marks = {}, isStatic = false, idPrefix = '', words = englishChartWords }: DrawOptions,
): { w: number; h: number; parts: SvgElement[] } => {
  const lights = toHighlightClasses(marks);
  const pen: Pen = { lights, unfolded, isStatic, words, idOf: (id) => idPrefix + id };
  const legend = layout.legend.map((text) => inWords(text, words));
  const levels = layout.levels.filter(({ id }) => isShown(id, unfolded));
  const [outermost, ...inner] = levels;
  const legendEnd = Math.max(0, ...layout.legend.map(({ y }) => y + MARGIN));
  return {
    w: Math.max(...legend.map(({ x, w }) => x + w), ...levels.map(({ x, w }) => x + w)),
    h: Math.max(legendEnd, ...levels.map(({ y, h }) => y + h)) + 1,
    parts: [
      drawLevel(outermost!, inner, words.heading(layout.kind, layout.version), pen),
      ...inner.map((level) => drawLevel(level, inner, level.id, pen)),
      drawLegend(legend, pen),
    ],
  };
};

/** A level is shown when the states around it are unfolded, too. */
const isShown = (id: string, unfolded: ReadonlySet<string>): boolean => {
  const parts = id === '' ? [] : id.split('.');
  return parts.every((_, index) => unfolded.has(parts.slice(0, index + 1).join('.')));
};

const drawLevel = (
  level: ChartLevelLayout,
  inner: readonly ChartLevelLayout[],
  heading: string,
  pen: Pen,
): SvgElement => {
  const { id, x, y, w, h, lines, stations } = level;
  const beams = stations.flatMap((state) =>
    inner.filter((one) => one.id === state.id).map((one) => drawBeam(level, state, one)),
  );
  // What was taken lies above what was not.
  const byLight = lines.toSorted((one, other) => rank(one.transitions, pen) - rank(other.transitions, pen));
  return svgElement(
    'g',
    {
      id: pen.idOf(`level:${id}`),
      class: id === '' ? 'level outermost' : 'level',
      transform: `translate(${x} ${y})`,
    },
    ...(id === ''
      ? []
      : [svgElement('rect', { class: 'panel', y: -HEAD_HEIGHT, width: w, height: h + HEAD_HEIGHT, rx: 6 })]),
    ...beams,
    svgElement('text', { class: 'heading', x: MARGIN, y: -6 }, heading),
    svgElement('g', {}, ...byLight.map((line) => drawTransitionLine(line, pen))),
    svgElement('g', {}, ...lines.map((line) => drawLabel(line, pen))),
    ...stations.map((station) => drawChartNode(station, isPassed(station, lines, pen), pen)),
  );
};

/** Whether a way that was taken leads past a station that is no state of the chart. */
const isPassed = (
  { id, kind }: ChartNodeLayout,
  lines: ChartLevelLayout['lines'],
  { lights }: Pen,
): boolean =>
  (kind === 'answers' || kind === 'enter' || kind === 'exit') &&
  lines.some(
    ({ from, to, transitions }) => (from === id || to === id) && lights.lineClass(transitions) !== '',
  );

const rank = (transitions: readonly number[], { lights }: Pen): number =>
  ['', ' taken guessed', ' taken'].indexOf(lights.lineClass(transitions));

/** From an unfolded state to its level beside it. */
const drawBeam = (level: ChartLevelLayout, state: ChartNodeLayout, inner: ChartLevelLayout): SvgElement => {
  const right = state.x + state.w;
  const [left, top] = [inner.x - level.x, inner.y - level.y];
  return svgElement('path', {
    class: 'beam',
    d: `M${right} ${state.y}L${left} ${top - HEAD_HEIGHT}V${top + inner.h}L${right} ${state.y + state.h}Z`,
  });
};

/** Headings and timers say what they say in the words of the drawing; events keep their names. */
const inWords = (text: ChartLegendText, words: ChartWords): ChartLegendText => {
  if (text.transitions.length > 0) return { ...text, text: labelInWords(text.text, words) };
  const heading = legendHeading(words, text.target);
  return { ...text, text: heading, w: textWidthInPixels(heading, CHART_LABEL_FONT_SIZE) };
};

const drawLegend = (legend: readonly ChartLegendText[], { lights, isStatic }: Pen): SvgElement =>
  svgElement(
    'g',
    { class: 'legend' },
    ...legend.map(({ x, y, text, transitions }) =>
      svgElement(
        'text',
        {
          x,
          y,
          class: transitions.length === 0 ? 'about' : `word${lights.lineClass(transitions)}`,
          'data-transitions': !isStatic && transitions.length > 0 && transitions.join(' '),
        },
        text,
      ),
    ),
  );
