/** Objects of Asterisk's SIP stack, written by ARI: they live in its memory beside those of its files. */
import type { Ari, AriResponse } from '../ariRestClient.ts';
import { sendAriCommand, ignoreIfGone, path } from '../ariRestClient.ts';
import { NotRetryable } from '../../../../engine/contract/performer.ts';
import type { PjsipFields } from './trunkToPjsipObjects.ts';

export type Sort = 'auth' | 'aor' | 'endpoint' | 'registration';

const where = (sort: Sort, id: string): string => path`/asterisk/config/dynamic/res_pjsip/${sort}/${id}`;

/** Whether it is there with these very values. */
export const isAs = async (ari: Ari, sort: Sort, id: string, fields: PjsipFields): Promise<boolean> => {
  const found = await sendAriCommand(ari, 'GET', where(sort, id)).catch(ignoreIfGone);
  if (!found) return false;
  const shown = new Map(tuplesOf(found).map(({ attribute, value }) => [attribute, value]));
  return Object.entries(fields).every(([name, value]) => shown.get(name) === value);
};

/** Makes it, or writes these fields anew. Throws `NotRetryable('refused')` with Asterisk's sentence, which names no value. */
export const put = async (ari: Ari, sort: Sort, id: string, fields: PjsipFields): Promise<void> => {
  const tuples = Object.entries(fields).map(([attribute, value]) => ({ attribute, value }));
  await sendAriCommand(ari, 'PUT', where(sort, id), { body: { fields: tuples } }).catch((error: unknown) => {
    // 404 says that no wizard keeps such objects: `sorcery.conf` names none.
    if (error instanceof NotRetryable && error.reason === 'gone')
      throw new NotRetryable('refused', `${error.message}: sorcery.conf must keep ${sort} in memory`);
    throw error;
  });
};

/** Whether there was one; one of Asterisk's own files stays. */
export const removePjsipObject = async (ari: Ari, sort: Sort, id: string): Promise<boolean> =>
  sendAriCommand(ari, 'DELETE', where(sort, id)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotRetryable) return false;
      throw error;
    },
  );

/** Names of all endpoints of SIP, also of some that are gone. */
export const listSipEndpointNames = async (ari: Ari): Promise<string[]> => {
  const found = await sendAriCommand(ari, 'GET', path`/endpoints/${'PJSIP'}`).catch(ignoreIfGone);
  return ((found?.body ?? []) as { resource: string }[]).map(({ resource }) => resource);
};

const tuplesOf = ({ body }: AriResponse): { attribute: string; value: string }[] =>
  Array.isArray(body) ? (body as { attribute: string; value: string }[]) : [];
