import type { ChartWords } from './translatableChartWords.ts';
import type { ChartHighlightClasses } from './highlightClasses.ts';

/** What the parts of a drawing need to know. */
export interface Pen {
  lights: ChartHighlightClasses;
  unfolded: ReadonlySet<string>;
  isStatic: boolean;
  words: ChartWords;
  idOf: (id: string) => string;
}
