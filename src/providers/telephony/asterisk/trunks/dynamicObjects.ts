/** Objects of Asterisk's SIP stack, written by ARI: they live in its memory beside those of its files. */
import type { Ari, Answer } from '../ari.ts';
import { command, ifGone, path } from '../ari.ts';
import { Terminal } from '../../../../engine/contract/performer.ts';
import type { Fields } from './sipObjects.ts';

export type Sort = 'auth' | 'aor' | 'endpoint' | 'registration';

const where = (sort: Sort, id: string): string => path`/asterisk/config/dynamic/res_pjsip/${sort}/${id}`;

/** Whether it is there with these very values. */
export const isAs = async (ari: Ari, sort: Sort, id: string, fields: Fields): Promise<boolean> => {
  const found = await command(ari, 'GET', where(sort, id)).catch(ifGone);
  if (!found) return false;
  const shown = new Map(tuplesOf(found).map(({ attribute, value }) => [attribute, value]));
  return Object.entries(fields).every(([name, value]) => shown.get(name) === value);
};

/** Makes it, or writes these fields anew. Throws `Terminal('refused')` with Asterisk's sentence, which names no value. */
export const put = async (ari: Ari, sort: Sort, id: string, fields: Fields): Promise<void> => {
  const tuples = Object.entries(fields).map(([attribute, value]) => ({ attribute, value }));
  await command(ari, 'PUT', where(sort, id), { body: { fields: tuples } }).catch((error: unknown) => {
    // 404 says that no wizard keeps such objects: `sorcery.conf` names none.
    if (error instanceof Terminal && error.reason === 'gone')
      throw new Terminal('refused', `${error.message}: sorcery.conf must keep ${sort} in memory`);
    throw error;
  });
};

/** Whether there was one; one of Asterisk's own files stays. */
export const remove = async (ari: Ari, sort: Sort, id: string): Promise<boolean> =>
  command(ari, 'DELETE', where(sort, id)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Terminal) return false;
      throw error;
    },
  );

/** Names of all endpoints of SIP, also of some that are gone. */
export const endpointNames = async (ari: Ari): Promise<string[]> => {
  const found = await command(ari, 'GET', path`/endpoints/${'PJSIP'}`).catch(ifGone);
  return ((found?.body ?? []) as { resource: string }[]).map(({ resource }) => resource);
};

const tuplesOf = ({ body }: Answer): { attribute: string; value: string }[] =>
  Array.isArray(body) ? (body as { attribute: string; value: string }[]) : [];
