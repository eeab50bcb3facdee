/** What the page of a machine asks first, asked while its files are brought. */
import { askEarly } from '../../api.ts';
import { language } from '../../browserPreferences.ts';
import { fetchMachine, fetchMachineExplanation, fetchMachineMoment } from '../../data.ts';
import type { PageAddress } from '../../pageAddressStore.ts';
import { placeOf, revisionIn } from './momentInAddress.ts';
import { rowsAtOnce } from './rowsInSight.ts';

type PageFiles = () => Promise<{
  preloadChart(kind: string, version: number): Promise<void>;
  preloadUsualChart(): Promise<void>;
}>;

/** `id`: as it stands in the address. Rejects with what does not come, which the page will say. */
export const preloadMachine = async (
  id: string,
  { query, fragment }: PageAddress,
  files: PageFiles,
): Promise<void> => {
  const account = query.get('account');
  const since = performance.now();
  // What takes longest is asked for first.
  const moment = askEarly(since, () =>
    fetchMachineMoment(id, account, placeOf(revisionIn(fragment)), { rows: rowsAtOnce }),
  );
  const machine = askEarly(since, () => fetchMachine(id, account));
  const explanation = askEarly(since, () => fetchMachineExplanation(id, account, language.get()));
  const page = files();
  const chart = machine.then(async ({ kind, version }) => (await page).preloadChart(kind, version));
  page.then(({ preloadUsualChart }) => preloadUsualChart()).catch(() => undefined);
  // A font that comes later has the page laid out once more.
  void document.fonts.load("1em 'Plex Mono'").catch(() => undefined);
  await Promise.all([chart, moment, explanation]);
};
