/** Layouts of charts, as they were laid out when the console was built; each is fetched once. */
import type { ChartLayout } from '../../../chart/layout.ts';
import { ApiError } from '../../api.ts';

const known = new Map<string, Promise<ChartLayout>>();

/** Throws an `ApiError`. */
export const readLayout = (kind: string, version: number): Promise<ChartLayout> => {
  const name = `${kind}.${version}`;
  const before = known.get(name);
  if (before) return before;
  const reading = fetchLayout(name);
  known.set(name, reading);
  reading.catch(() => known.delete(name));
  return reading;
};

const fetchLayout = async (name: string): Promise<ChartLayout> => {
  const answer = await fetch(`/admin/charts/${name}.json`).catch(() => undefined);
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, '');
  return (await answer.json()) as ChartLayout;
};
