/** Which machines the address asks for, and how the page says that. */
import type { AdminQuery } from '../../../../admin/client.ts';
import { formatDateTime } from '../../format.ts';
import { kindName } from '../../kindName.ts';
import type { Say, Word } from '../../words/index.ts';

type FilterName = keyof AdminQuery<'GET /machines'>;

const filterNames = [
  ...(['kind', 'state', 'except', 'account', 'campaign', 'attention', 'channel', 'outcome'] as const),
  ...(['happened', 'since', 'until', 'cursor'] as const),
] satisfies readonly FilterName[];

/** The list's part of an address; undefined: it asks for none. */
export const machineFilterOf = (query: URLSearchParams): URLSearchParams | undefined => {
  const asked = filterNames.flatMap((name) => {
    const value = query.getAll(name).filter(Boolean).join(',');
    return value ? [[name, value]] : [];
  });
  return asked.length > 0 ? new URLSearchParams(asked) : undefined;
};

const happenings: Readonly<Record<string, Word>> = {
  attempts: 'attempts',
  answers: 'answers',
  drops: 'drops',
  failed: 'failedAttempts',
};

/** `call, dialing.ringing, without dialing.placing`. */
export const describeMachineFilter = (filter: URLSearchParams, say: Say): string =>
  [...filter].flatMap(([name, value]) => describePart(name, value, say) ?? []).join(', ');

const describePart = (name: string, value: string, say: Say): string | undefined => {
  const written = value.split(',').join(', ');
  switch (name) {
    case 'cursor':
      return undefined;
    case 'kind':
      return kindName(value, say);
    case 'state':
    case 'channel':
    case 'outcome':
      return written;
    case 'except':
      return say('filterWithout', { what: written });
    case 'happened':
      return happenings[value] === undefined ? value : say(happenings[value]);
    case 'since':
      return say('filterSince', { time: momentOf(value) });
    case 'until':
      return say('filterUntil', { time: momentOf(value) });
    case 'attention':
      return say('needsAttention');
    case 'account':
      return `${say('account')} ${value}`;
    default:
      return `${say('campaign')} ${value}`;
  }
};

/** As it was written, where it is no moment. */
const momentOf = (value: string): string => {
  const at = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isNaN(new Date(at).getTime()) ? value : formatDateTime(at);
};
