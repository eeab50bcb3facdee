/** The drawings of all charts: `docs/machines/<kind>.svg`, made from the charts themselves as the console's are. */
import { readStatechart } from '../../../src/console/statechart/statechartData.ts';
import { placeChart } from '../../../src/console/statechart/placeChart.ts';
import { renderChartSvg } from '../../../src/console/statechart/renderChartSvg.ts';
import type { Kind } from '../../../src/engine/contract/kind.ts';

/** File name and content of every kind's drawing. */
export const drawings = (kinds: readonly Kind[]): { file: string; svg: string }[] =>
  kinds.map(({ name, current, versions }) => ({
    file: `${name}.svg`,
    svg: renderChartSvg(placeChart(readStatechart(name, current, versions[current]!))),
  }));
