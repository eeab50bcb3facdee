/** What the page of a machine asks first, asked while its files are brought. */
import { askEarly } from '../../api.ts';
import { fetchMachine, fetchMachineMoment, fetchMachineTimeline } from '../../data.ts';
import type { PageAddress } from '../../pageAddressStore.ts';
import { placeOf, revisionIn } from './momentInAddress.ts';
import { blocksOf, rowsInSight, topThatShows, usualHeight } from './rowsInSight.ts';

type PageFiles = Promise<{ preloadChart(kind: string, version: number): void }>;

/** `id`: as it stands in the address. Rejects with what does not come, which the page will say. */
export const preloadMachine = async (
  id: string,
  { query, fragment }: PageAddress,
  files: PageFiles,
): Promise<void> => {
  const account = query.get('account');
  const machine = askEarly(() => fetchMachine(id, account));
  const moment = askEarly(() => fetchMachineMoment(id, account, placeOf(revisionIn(fragment))));
  const chart = machine.then(async ({ kind, version }) => (await files).preloadChart(kind, version));
  const rows = moment.then(({ count, index }) => {
    for (const from of blocksOf(rowsInSight(topThatShows(index), usualHeight, count)))
      void askEarly(() => fetchMachineTimeline(id, account, from, undefined));
  });
  await Promise.all([chart, rows]);
};
