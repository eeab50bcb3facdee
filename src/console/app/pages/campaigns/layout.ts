/** Layouts of charts, as they were laid out when the console was built; each is a file of its own. */
import charts from 'virtual:charts';
import type { StatechartLayout } from '../../../statechart/layoutTypes.ts';
import { AdminApiRequestError } from '../../api.ts';

/** Throws an `AdminApiRequestError`: 404 where these pages were built without it. */
export const loadChartLayout = async (kind: string, version: number): Promise<StatechartLayout> => {
  const load = charts[`${kind}.${version}`];
  if (!load) throw new AdminApiRequestError(404, '');
  // A file that does not come is the service that does not answer.
  const { default: layout } = await load().catch(() => {
    throw new AdminApiRequestError(0, '');
  });
  return layout;
};
