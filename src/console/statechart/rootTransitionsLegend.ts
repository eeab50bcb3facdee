/** What a chart hears in every state that does not answer it: no lines, but words, by where they lead. */
import type { StatechartTransition } from './statechartData.ts';
import { englishChartWords, legendHeading } from './translatableChartWords.ts';
import { groupBy } from './groupBy.ts';
import { CHART_LABEL_FONT_SIZE, MARGIN, type ChartLegendText } from './layoutTypes.ts';
import { textWidthInPixels } from './text.ts';

const ROW = 15;
const INDENT = 12;
const BETWEEN = 16;

/** Words in rows of a width, from a height on downwards. */
export const placeLegend = (
  anywhere: readonly StatechartTransition[],
  width: number,
  top: number,
): ChartLegendText[] => {
  const words: ChartLegendText[] = [];
  let y = top;
  for (const [target, transitions] of groupBy(anywhere, ({ to }) => to)) {
    y += ROW;
    const heading = legendHeading(englishChartWords, target);
    words.push({
      x: MARGIN,
      y,
      w: textWidthInPixels(heading, CHART_LABEL_FONT_SIZE),
      text: heading,
      transitions: [],
      ...(target !== undefined && { target }),
    });
    y += ROW;
    const byWord = [...groupBy(transitions, wordOf)];
    const places = flow(
      byWord.map(([text]) => text),
      MARGIN + INDENT,
      y,
      width - MARGIN,
    );
    places.forEach((place, index) =>
      words.push({ ...place, transitions: byWord[index]![1].map(({ id }) => id) }),
    );
    y = places.at(-1)!.y;
    y += 4;
  }
  return words;
};

/** Texts one after the other, in rows between a left and a right edge. */
export const flow = (
  texts: readonly string[],
  left: number,
  top: number,
  right: number,
): Omit<ChartLegendText, 'transitions'>[] => {
  let [x, y] = [left, top];
  return texts.map((text) => {
    const w = textWidthInPixels(text, CHART_LABEL_FONT_SIZE);
    if (x > left && x + w > right) [x, y] = [left, y + ROW];
    const place = { x, y, w, text };
    x += w + BETWEEN;
    return place;
  });
};

const wordOf = ({ label, guard }: StatechartTransition): string =>
  guard === '' ? label : `${label}: ${guard}`;
