/**
 * Charts for the pages, made when these are built: the layout of every chart version as a module of its own, which a page
 * loads when it shows a machine of that version (a digest in its name lets browsers keep it for good), and how charts look.
 */
import type { Plugin } from 'vite';
import { machineKinds } from '../../../machines/index.ts';
import { readStatechart } from '../statechart/statechartData.ts';
import type { StatechartLayout } from '../statechart/layoutTypes.ts';
import { placeChart } from '../statechart/placeChart.ts';
import { chartStyle } from '../statechart/style.ts';

const index = 'virtual:charts';
const style = 'virtual:chart.css';

/** A plugin of Vite. */
export const viteStatechartLayoutsPlugin = (): Plugin => {
  const sources = new Map<string, () => string>([
    [style, () => chartStyle],
    [index, loaders],
  ]);
  for (const [name, layout] of layouts()) sources.set(`${index}/${name}`, () => asModule(layout()));
  return {
    name: 'charts',
    resolveId: (id) => (sources.has(id) ? resolved(id) : undefined),
    load: (id) => sources.get(id.slice(1).replace(/^charts\//, ''))?.(),
  };
};

/** A path that no file has; Vite reads by its end that it is a style. */
const resolved = (id: string): string => `\0charts/${id}`;

/** By `call.1`: machines keep the version that they began with, and so does their drawing. */
const layouts = (): [name: string, layout: () => StatechartLayout][] =>
  machineKinds.flatMap(({ name, versions }) =>
    Object.entries(versions).map(([version, machine]): [string, () => StatechartLayout] => [
      `${name}.${version}`,
      () => placeChart(readStatechart(name, Number(version), machine)),
    ]),
  );

const loaders = (): string => {
  const entries = layouts().map(([name]) => {
    const module = JSON.stringify(`${index}/${name}`);
    return `${JSON.stringify(name)}: () => import(${module})`;
  });
  return `export default { ${entries.join(', ')} };`;
};

const asModule = (layout: StatechartLayout): string =>
  `export default JSON.parse(${JSON.stringify(JSON.stringify(layout))});`;
