/** What the page of a machine asks first, asked while its files are brought. */
import { askEarly } from '../../api.ts';
import { fetchMachine, fetchMachineMoment } from '../../data.ts';
import type { PageAddress } from '../../pageAddressStore.ts';
import { placeOf, revisionIn } from './momentInAddress.ts';
import { rowsAtOnce } from './rowsInSight.ts';

type PageFiles = Promise<{ preloadChart(kind: string, version: number): void }>;

/** `id`: as it stands in the address. Rejects with what does not come, which the page will say. */
export const preloadMachine = async (
  id: string,
  { query, fragment }: PageAddress,
  files: PageFiles,
): Promise<void> => {
  const account = query.get('account');
  const since = performance.now();
  // A font that comes later has the page laid out once more.
  void document.fonts.load("1em 'Plex Mono'").catch(() => undefined);
  const machine = askEarly(since, () => fetchMachine(id, account));
  const moment = askEarly(since, () =>
    fetchMachineMoment(id, account, placeOf(revisionIn(fragment)), { rows: rowsAtOnce }),
  );
  const chart = machine.then(async ({ kind, version }) => (await files).preloadChart(kind, version));
  await Promise.all([chart, moment]);
};
