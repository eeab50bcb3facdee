/** What the page of a machine asks first, asked while its files are brought. */
import { askEarly } from '../../api.ts';
import { fetchMachine, fetchMachineMoment, fetchMachineTimeline } from '../../data.ts';
import { pageAddressStore, type PageAddress } from '../../pageAddressStore.ts';
import { placeOf, revisionIn } from './momentInAddress.ts';
import { blocksOf, rowsInSight, topThatShows, usualHeight } from './rowsInSight.ts';

type PageFiles = Promise<{ preloadChart(kind: string, version: number): void }>;

/** `id`: as it stands in the address. Rejects with what does not come, which the page will say. */
export const preloadMachine = async (
  id: string,
  { path, query, fragment }: PageAddress,
  files: PageFiles,
): Promise<void> => {
  const account = query.get('account');
  const since = performance.now();
  const machine = askEarly(since, () => fetchMachine(id, account));
  const moment = askEarly(since, () => fetchMachineMoment(id, account, placeOf(revisionIn(fragment))));
  const chart = machine.then(async ({ kind, version }) => (await files).preloadChart(kind, version));
  const rows = moment.then(({ count, index }) => {
    if (pageAddressStore.get().path !== path) return;
    for (const from of blocksOf(rowsInSight(topThatShows(index), usualHeight, count)))
      askEarly(since, () => fetchMachineTimeline(id, account, from, undefined)).catch(() => undefined);
  });
  await Promise.all([chart, rows]);
};
