/** Settings: every resource of the admin API under its own path, made from the declarations. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
// oxlint-disable-next-line import/no-unassigned-import -- the styles of these pages come with them
import '../../styles/settings.css';
import { signedInAdministratorStore } from '../../api.ts';
import { leaveSession } from '../../commands.ts';
import { useStore } from '../../store.ts';
import { Icon } from '../../ui/icons.tsx';
import { useTranslation } from '../../words/index.ts';
import { readDeclaredWords } from '../../ui/translatedApiDescriptions.tsx';
import { ErrorNotice, LoadingNotice, NotFoundNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { NewRecordPage } from './newRecordPage.tsx';
import { readAdminResources } from './description.ts';
import { RecordListPage } from './recordListPage.tsx';
import { RecordPage } from './recordPage.tsx';
import { ChildResourceLinks } from './childResources.tsx';
import { matchSettingsPageLocation } from './settingsPageAddresses.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import { useSettingsWords } from './useSettingsWords.ts';

/** In Portuguese nothing is drawn in English first. */
const readResourcesAndWords = async (): Promise<ReadonlyMap<string, AdminApiResource>> => {
  const [resources] = await Promise.all([readAdminResources(), readDeclaredWords()]);
  return resources;
};

/** `path`: of the address. */
export const SettingsPage = ({ path }: { path: string }): JSX.Element => {
  const { answer: resources, failure } = useFetch('resources', readResourcesAndWords);
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => location.reload()} />;
  if (!resources) return <LoadingNotice />;
  const below = path.slice('/admin'.length);
  if (below === '/settings') return <Overview resources={resources} />;
  const place = matchSettingsPageLocation(resources, below);
  if (!place) return <NotFoundNotice title="notFoundTitle" text="notFoundText" />;
  const shown = { key: path, place, resources };
  if (place.view === 'list') return <RecordListPage {...shown} />;
  return place.view === 'new' ? <NewRecordPage {...shown} /> : <RecordPage {...shown} />;
};

const Overview = ({ resources }: { resources: ReadonlyMap<string, AdminApiResource> }): JSX.Element => {
  const say = useSettingsWords();
  const whole = [...resources.values()].filter(({ at }) => !at.includes('{'));
  useEffect(() => {
    document.title = `${say('settings')} · Ramal`;
  }, [say]);
  return (
    <>
      <div class="head">
        <h1>{say('settings')}</h1>
        <p class="lead">{say('settingsLead')}</p>
      </div>
      <PagesWithoutTab />
      <ChildResourceLinks parts={whole} params={{}} heading="h2" />
      <SignedInHere />
    </>
  );
};

/** Where there is no rail: the pages for which the tabs have no room. */
const PagesWithoutTab = (): JSX.Element => {
  const say = useTranslation();
  return (
    <nav class="narrow-only" aria-label={say('pages')}>
      <a class="btn" href="/admin/conversations">
        <Icon name="talk" />
        {say('conversations')}
      </a>
      <a class="btn" href="/admin/deliveries">
        <Icon name="send" />
        {say('deliveries')}
      </a>
    </nav>
  );
};

/** Where there is no rail with it: who is signed in, and the way out. */
const SignedInHere = (): JSX.Element | null => {
  const say = useTranslation();
  const who = useStore(signedInAdministratorStore);
  if (typeof who !== 'object') return null;
  return (
    <p class="narrow-only gap-above">
      <span class="dim">
        <bdi>{who.name}</bdi>, {say(who.role === 'admin' ? 'administrator' : 'operator')}
      </span>
      <button type="button" class="btn" onClick={leaveSession}>
        <Icon name="out" />
        {say('signOut')}
      </button>
    </p>
  );
};
