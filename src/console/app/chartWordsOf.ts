/** What a drawing of a chart says, in the language of the page. */
import type { ChartWords } from '../statechart/translatableChartWords.ts';
import type { Say } from './words/index.ts';

export const chartWordsOf = (say: Say): ChartWords => ({
  heading: (chart, version) => say('chartHeading', { chart, version }),
  inAnyState: say('chartInAnyState'),
  fromAnyStateTo: (state) => say('chartFromAnyState', { state }),
  fromOutside: say('chartFromOutside'),
  after: say('chartAfter'),
  otherwise: say('chartOtherwise'),
});
