/** Where resources stand: which one an address names, and which address a record has. Pure. */
import type { AdminApiResource } from './resourcesFromOpenApi.ts';

/** Where an address leads: the list, one record of it, or the form of a new one. */
export interface SettingsPageLocation {
  resource: AdminApiResource;
  view: 'list' | 'one' | 'new';
  /** What stands in its path, by name. */
  params: Readonly<Record<string, string>>;
}

/** What names no record. */
const newWord = 'new';

/** `path`: below `/admin`, as the address has it. Undefined: there is no such resource. */
export const matchSettingsPageLocation = (
  resources: ReadonlyMap<string, AdminApiResource>,
  path: string,
): SettingsPageLocation | undefined => {
  for (const resource of resources.values()) {
    const params = matched(resource.at, path);
    if (params) return { resource, view: 'list', params };
  }
  for (const resource of resources.values()) {
    const fresh = resource.create && matched(`${resource.at}/${newWord}`, path);
    if (fresh) return { resource, view: 'new', params: fresh };
    const one = resource.one && matched(resource.one, path);
    if (one) return { resource, view: 'one', params: one };
  }
  return undefined;
};

const matched = (template: string, path: string): Record<string, string> | undefined => {
  const parts = template.split('/');
  const given = path.split('/');
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [nth, part] of parts.entries()) {
    const written = given[nth]!;
    if (!part.startsWith('{')) {
      if (part !== written) return undefined;
    } else if (written === '') return undefined;
    else params[part.slice(1, -1)] = decoded(written);
  }
  return params;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** A path with what stands in it. Paths of one place may name it differently: `{id}`, `{line}`. */
export const fill = (template: string, params: Readonly<Record<string, string>>): string => {
  const values = Object.values(params);
  let nth = 0;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? values[nth] ?? '';
    nth += 1;
    return encodeURIComponent(value);
  });
};

/** What a resource is called in the dictionaries: `accounts.tokens`. */
export const resourceNameFromPath = (at: string): string =>
  at
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .join('.');
