/** Layouts of all chart versions: machines keep the version that they began with, and so does their drawing. */
import type { Kind } from '../engine/contract/kind.ts';
import { readChart } from './chart/chart.ts';
import { placeChart } from './chart/placeChart.ts';
import type { ChartLayout } from './chart/layout.ts';

/** Those of every version of every kind, in the order of the registry. */
export const allLayouts = (kinds: readonly Kind[]): ChartLayout[] =>
  kinds.flatMap(({ name, versions }) =>
    Object.entries(versions).map(([version, machine]) =>
      placeChart(readChart(name, Number(version), machine)),
    ),
  );

/** `call.1.json` */
export const layoutFile = ({ kind, version }: Pick<ChartLayout, 'kind' | 'version'>): string =>
  `${kind}.${version}.json`;
