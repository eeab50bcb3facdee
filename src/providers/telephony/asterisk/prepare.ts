/** What a connection begins with: the events that we want to hear, and what we missed. */
import { Terminal } from '../../../engine/contract/performer.ts';
import { command, path } from './ari.ts';
import type { AriContext } from './ariContext.ts';
import { unread } from './events.ts';
import { type DialStrings, endpointsOf } from './originate.ts';
import { reconcile } from './recover.ts';

/** After every connect: what we want to hear, then what we missed. */
export const prepare = async (context: AriContext, dial: DialStrings): Promise<void> => {
  const { ari, app, subscribed } = context;
  const endpoints = new Set([...endpointsOf(dial), ...subscribed]);
  subscribed.clear();
  for (const endpoint of endpoints) await subscribe(context, endpoint);
  const body = { disallowed: unread.map((type) => ({ type })) };
  await command(ari, 'PUT', path`/applications/${app}/eventFilter`, { body });
  await reconcile(context, false);
};

/** What a leg says before it is answered comes by the subscription of its endpoint: one each, at its first dial. */
export const subscribe = async (
  { ari, app, log, subscribed }: AriContext,
  endpoint: string,
): Promise<void> => {
  if (subscribed.has(endpoint)) return;
  const query = { eventSource: `endpoint:${endpoint}` };
  await command(ari, 'POST', path`/applications/${app}/subscription`, { query }).catch((error: unknown) => {
    // One trunk that Asterisk does not know leaves the others usable; dialling it fails by itself.
    if (!(error instanceof Terminal)) throw error;
    log.warn({ endpoint }, 'Asterisk does not know this endpoint');
  });
  subscribed.add(endpoint);
};
