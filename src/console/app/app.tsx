/** Which page an address shows. */
import type { JSX } from 'preact';
import { address, type Address } from './address.ts';
import { session } from './api.ts';
import { Frame } from './frame.tsx';
import { FindPage } from './pages/find.tsx';
import { MachinePage } from './pages/machine/page.tsx';
import { NowPage } from './pages/now/page.tsx';
import { SignIn } from './pages/signIn.tsx';
import { useStore } from './store.ts';
import { lazy } from './ui/lazy.tsx';
import { Nowhere } from './ui/state.tsx';

const campaigns = () => import('./pages/campaigns/index.ts');
const CampaignsPage = lazy(async () => (await campaigns()).CampaignsPage);
const NewCampaignPage = lazy(async () => (await campaigns()).NewCampaignPage);
const CampaignPage = lazy<{ id: string }>(async () => (await campaigns()).CampaignPage);

export const App = (): JSX.Element | null => {
  const who = useStore(session);
  const at = useStore(address);
  if (who === 'unknown') return null;
  if (who === 'none' || who === 'ended') return <SignIn hasEnded={who === 'ended'} />;
  return <Frame who={who}>{pageAt(at)}</Frame>;
};

const pageAt = ({ path }: Address): JSX.Element => {
  const [, , area = '', name = '', ...rest] = path.split('/');
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
    case 'campaigns':
      if (name === '') return <CampaignsPage />;
      return name === 'new' ? <NewCampaignPage /> : <CampaignPage key={path} id={query} />;
    case 'why':
    case 'wall':
      return <Nowhere title="notBuiltTitle" text="notBuiltText" query={query} />;
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
