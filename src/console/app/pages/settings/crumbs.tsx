/** Where a page of settings stands: the way to it, and its account. */
import type { ComponentChildren, JSX } from 'preact';
import { type Account, fetchAccount } from '../../data.ts';
import { useFetch } from '../../ui/useRead.ts';
import { fill, type SettingsPageLocation } from './settingsPageAddresses.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import { useResourceNames, useSettingsWords } from './useSettingsWords.ts';

/** The account of a page, once it is known; undefined: it has none, or not yet. */
export const useAccount = (id: string | undefined): Account | undefined =>
  useFetch(id === undefined ? undefined : `account ${id}`, (signal) => fetchAccount(id!, signal)).answer;

/** Whether a page knows its account, where it has one: what is typed is read on its clock. */
export const isPageAccountLoaded = (
  params: Readonly<Record<string, string>>,
  account: Account | undefined,
): boolean => params['account'] === undefined || account !== undefined;

interface Crumb {
  text: string;
  href: string;
}

/** The way to a place: each list and record that its path goes through. */
const crumbsOf = (
  { resource, params, view }: SettingsPageLocation,
  resources: ReadonlyMap<string, AdminApiResource>,
  names: (at: string) => { many: string },
  account: Account | undefined,
): Crumb[] => {
  const parts = (view === 'list' ? resource.at : `${resource.at}/-`).split('/');
  const crumbs: Crumb[] = [];
  for (let most = 2; most < parts.length; most += 1) {
    const template = parts.slice(0, most).join('/');
    const href = `/admin${fill(template, params)}`;
    const last = parts[most - 1]!;
    if (!last.startsWith('{')) {
      if (resources.has(template)) crumbs.push({ text: names(template).many, href });
    } else {
      const value = params[last.slice(1, -1)] ?? '';
      crumbs.push({ text: template === '/accounts/{account}' && account ? account.name : value, href });
    }
  }
  return crumbs;
};

interface HeadProps {
  place: SettingsPageLocation;
  resources: ReadonlyMap<string, AdminApiResource>;
  account: Account | undefined;
  title: string;
  lead?: string;
  children?: ComponentChildren;
}

/** The way to the page, its title, and what can be done at once. */
export const Head = ({ place, resources, account, title, lead, children }: HeadProps): JSX.Element => {
  const say = useSettingsWords();
  const names = useResourceNames();
  const crumbs = crumbsOf(place, resources, names, account);
  return (
    <>
      <nav class="crumbs" aria-label={say('where')}>
        <ol>
          <li>
            <a href="/admin/settings">{say('settings')}</a>
          </li>
          {crumbs.map(({ text, href }) => (
            <li key={href}>
              <a href={href} class="foreign">
                {text}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div class="head">
        <h1 class="foreign">{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children && <div class="acts right">{children}</div>}
      </div>
    </>
  );
};
