/** Settings: every resource of the admin API under its own path, made from the declarations. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
// oxlint-disable-next-line import/no-unassigned-import -- the styles of these pages come with them
import '../../styles/settings.css';
import { Failed, Loading, Nowhere } from '../../ui/state.tsx';
import { useRead } from '../../ui/useRead.ts';
import { CreatePage } from './create.tsx';
import { readResources } from './description.ts';
import { ListPage } from './list.tsx';
import { OnePage } from './one.tsx';
import { PartLinks } from './parts.tsx';
import { placeAt } from './places.ts';
import type { Resource } from './resources.ts';
import { useSettingsWords } from './words.ts';

/** `path`: of the address. */
export const SettingsPage = ({ path }: { path: string }): JSX.Element => {
  const { answer: resources, failure } = useRead('resources', readResources);
  if (failure !== undefined) return <Failed error={failure} onAgain={() => location.reload()} />;
  if (!resources) return <Loading />;
  const below = path.slice('/admin'.length);
  if (below === '/settings') return <Overview resources={resources} />;
  const place = placeAt(resources, below);
  if (!place) return <Nowhere title="notFoundTitle" text="notFoundText" />;
  const shown = { key: path, place, resources };
  if (place.view === 'list') return <ListPage {...shown} />;
  return place.view === 'new' ? <CreatePage {...shown} /> : <OnePage {...shown} />;
};

const Overview = ({ resources }: { resources: ReadonlyMap<string, Resource> }): JSX.Element => {
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
      <PartLinks parts={whole} params={{}} heading="h2" />
    </>
  );
};
