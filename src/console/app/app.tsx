/** Which page an address shows. */
import type { JSX } from 'preact';
import { address, type Address } from './address.ts';
import { session } from './api.ts';
import { Frame } from './frame.tsx';
import { FindPage } from './pages/find.tsx';
import { NowPage } from './pages/now/page.tsx';
import { SignIn } from './pages/signIn.tsx';
import { useStore } from './store.ts';
import { later } from './ui/later.tsx';
import { Nowhere } from './ui/state.tsx';

const campaigns = () => import('./pages/campaigns/index.ts');
const machines = () => import('./pages/machine/page.tsx');
const CampaignsPage = later(async () => (await campaigns()).CampaignsPage);
const NewCampaignPage = later(async () => (await campaigns()).NewCampaignPage);
const CampaignPage = later<{ id: string }>(async () => (await campaigns()).CampaignPage);

export const App = (): JSX.Element | null => {
  const who = useStore(session);
  const at = useStore(address);
  if (who === 'unknown') return null;
  if (who === 'none' || who === 'ended') return <SignIn hasEnded={who === 'ended'} />;
  // A screen on the floor has no menus.
  if (at.path === '/admin/wall') return <WallPage />;
  return <Frame who={who}>{pageAt(at)}</Frame>;
};

const MachinePage = later(async () => (await machines()).MachinePage);
const TryPage = later(async () => (await import('./pages/tryIt/page.tsx')).TryPage);
const WallPage = later(async () => (await import('./pages/wall/page.tsx')).WallPage);
const ConversationsPage = later(
  async () => (await import('./pages/conversations/page.tsx')).ConversationsPage,
);
const DeliveriesPage = later(async () => (await import('./pages/deliveries/page.tsx')).DeliveriesPage);
const WhyPage = later(async () => (await import('./pages/why/page.tsx')).WhyPage);
const SettingsPage = later(async () => (await import('./pages/settings/page.tsx')).SettingsPage);

/** Files of a page that is opened by its address are brought while it is asked who reads it. */
export const bringPage = ({ path }: Address): void => {
  const bring = new Map<string, () => Promise<unknown>>([
    ['machines', machines],
    ['campaigns', campaigns],
  ]).get(path.split('/')[2] ?? '');
  // What does not come is asked for again by the page, which says so.
  bring?.().catch(() => undefined);
};

/** Where resources of the admin API stand under their own paths. */
const ofSettings =
  /^(settings|accounts|operators|sessions|lockouts|audit|voices|nodes|trunks|trunk-servers|trunk-routes)$/;

const pageAt = ({ path }: Address): JSX.Element => {
  const [, , area = '', name = '', ...rest] = path.split('/');
  if (ofSettings.test(area)) return <SettingsPage path={path.replace(/\/$/, '')} />;
  const query = decode(name);
  if (rest.length > 0) return <Nowhere title="notFoundTitle" text="notFoundText" />;
  switch (area) {
    case '':
      return <NowPage />;
    case 'find':
      return <FindPage />;
    case 'machines':
      // Another machine is another page: nothing of the one before it is kept.
      return <MachinePage key={path} id={query} />;
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
      return <Nowhere title="notFoundTitle" text="notFoundText" query={query} />;
  }
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};
