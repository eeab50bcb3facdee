/** Layouts of charts, as they were laid out when the console was built; each is a file of its own, and kept once it is here. */
import charts from 'virtual:charts';
import type { StatechartLayout } from '../../statechart/layoutTypes.ts';
import { AdminApiRequestError } from '../api.ts';

const kept = new Map<string, StatechartLayout>();

/** One that was loaded before; undefined: it was not. */
export const keptChartLayout = (kind: string, version: number): StatechartLayout | undefined =>
  kept.get(`${kind}.${version}`);

/** Throws an `AdminApiRequestError`: 404 where these pages were built without it. */
export const loadChartLayout = async (kind: string, version: number): Promise<StatechartLayout> => {
  const name = `${kind}.${version}`;
  const load = Object.hasOwn(charts, name) ? charts[name] : undefined;
  if (!load) throw new AdminApiRequestError(404, '');
  // A file that does not come is the service that does not answer.
  const { default: layout } = await load().catch(() => {
    throw new AdminApiRequestError(0, '');
  });
  kept.set(name, layout);
  return layout;
};

/** The newest version of a kind's chart that these pages were built with; 0: there is none. */
export const newestChartVersion = (kind: string): number =>
  Math.max(
    0,
    ...Object.keys(charts).flatMap((name) =>
      name.startsWith(`${kind}.`) ? [Number(name.slice(kind.length + 1))] : [],
    ),
  );
