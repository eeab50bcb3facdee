/** Which page an address shows. */
import type { JSX } from 'preact';
import { pageAddressStore, type PageAddress } from './pageAddressStore.ts';
import { forgetEarlyAnswers, signedInAdministratorStore } from './api.ts';
import { decodeAddressPart } from './decodeAddressPart.ts';
import { ConsoleFrame, Overlays } from './frame.tsx';
import { FindPage } from './pages/find/page.tsx';
import { preloadMachine } from './pages/machine/preload.ts';
import { ServiceOverviewPage } from './pages/now/page.tsx';
import { SignIn } from './pages/signIn.tsx';
import { useStore } from './store.ts';
import { bringPageOf, lazyPage } from './ui/lazyPage.tsx';
import { NotFoundNotice } from './ui/loadingAndErrorNotices.tsx';

const campaigns = () => import('./pages/campaigns/index.ts');
const machines = () => import('./pages/machine/page.tsx');
const CampaignsPage = lazyPage(async () => (await campaigns()).CampaignsPage);
const NewCampaignPage = lazyPage(async () => (await campaigns()).NewCampaignPage);
const CampaignPage = lazyPage<{ id: string }>(async () => (await campaigns()).CampaignPage);

export const App = (): JSX.Element | null => {
  const who = useStore(signedInAdministratorStore);
  const at = useStore(pageAddressStore);
  if (who === 'unknown') return null;
  if (who === 'none' || who === 'ended') return <SignIn hasEnded={who === 'ended'} />;
  // A screen on the floor has no menus.
  if (at.path === '/admin/wall')
    return (
      <>
        <WallPage />
        <Overlays />
      </>
    );
  return <ConsoleFrame who={who}>{pageAt(at)}</ConsoleFrame>;
};

const MachinePage = lazyPage(async () => (await machines()).MachinePage);
const TryPage = lazyPage(async () => (await import('./pages/sandboxCall/page.tsx')).TryCallPage);
const WallPage = lazyPage(async () => (await import('./pages/wall/page.tsx')).WallboardPage);
const ConversationsPage = lazyPage(
  async () => (await import('./pages/conversations/page.tsx')).ConversationsPage,
);
const DeliveriesPage = lazyPage(async () => (await import('./pages/deliveries/page.tsx')).DeliveriesPage);
const WhyPage = lazyPage(async () => (await import('./pages/why/page.tsx')).NumberHistoryPage);
const SettingsPage = lazyPage(async () => (await import('./pages/settings/page.tsx')).SettingsPage);

/** Brings what a page is drawn with: its files, and of a machine its first answers. Undefined: they are here. */
export const preloadPage = (address: PageAddress): Promise<unknown> | undefined => {
  forgetEarlyAnswers();
  const page = pageAt(address);
  if (page.type !== MachinePage) return bringPageOf(page);
  // The service is asked first: files are kept by the browser. What does not come is asked for again by the page, which says so.
  const answers = preloadMachine((page.props as { id: string }).id, address, machines);
  return Promise.allSettled([answers, bringPageOf(page)]);
};

/** Where resources of the admin API stand under their own paths. */
const ofSettings =
  /^(settings|accounts|operators|sessions|lockouts|audit|voices|nodes|trunks|trunk-servers|trunk-routes)$/;

const pageAt = ({ path, query: of }: PageAddress): JSX.Element => {
  const [, , area = '', name = '', ...rest] = path.split('/');
  if (ofSettings.test(area)) return <SettingsPage path={path.replace(/\/$/, '')} />;
  const query = decodeAddressPart(name);
  const isUnreadable = name !== '' && query === '';
  if (rest.length > 0 || isUnreadable) return <NotFoundNotice title="notFoundTitle" text="notFoundText" />;
  switch (area) {
    case '':
      return <ServiceOverviewPage />;
    case 'find':
      return <FindPage />;
    case 'machines':
      if (name === '') return <FindPage />;
      // Another machine is another page: nothing of the one before it is kept.
      return <MachinePage key={`${path} ${of.get('account') ?? ''}`} id={query} />;
    case 'try':
      return <TryPage />;
    case 'conversations':
      return <ConversationsPage />;
    case 'deliveries':
      return <DeliveriesPage />;
    case 'campaigns':
      if (name === '') return <CampaignsPage />;
      return name === 'new' ? <NewCampaignPage /> : <CampaignPage key={path} id={query} />;
    case 'why':
      return <WhyPage key={path} of={query} />;
    default:
      return <NotFoundNotice title="notFoundTitle" text="notFoundText" query={query} />;
  }
};
