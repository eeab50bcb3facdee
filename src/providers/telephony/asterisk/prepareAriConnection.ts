/** What a connection begins with: the events that we want to hear, and what we missed. */
import { NotRetryable } from '../../../engine/contract/performer.ts';
import { sendAriCommand, path } from './ariRestClient.ts';
import type { AriContext } from './ariContext.ts';
import { ignoredAriEvents } from './events.ts';
import { type DialStrings, asteriskEndpointsToSubscribe } from './originate.ts';
import { reconcileLegs } from './recover.ts';

/** After every connect: what we want to hear, then what we missed. */
export const subscribeAndReconcileOnAriConnect = async (
  context: AriContext,
  dial: DialStrings,
): Promise<void> => {
  const { ari, app, subscribed } = context;
  const endpoints = new Set([...asteriskEndpointsToSubscribe(dial), ...subscribed]);
  subscribed.clear();
  for (const endpoint of endpoints) await subscribeToAriEndpoint(context, endpoint);
  const body = { disallowed: ignoredAriEvents.map((type) => ({ type })) };
  await sendAriCommand(ari, 'PUT', path`/applications/${app}/eventFilter`, { body });
  await reconcileLegs(context, false);
};

/** What a leg says before it is answered comes by the subscription of its endpoint: one each, at its first dial. */
export const subscribeToAriEndpoint = async (
  { ari, app, log, subscribed }: AriContext,
  endpoint: string,
): Promise<void> => {
  if (subscribed.has(endpoint)) return;
  const query = { eventSource: `endpoint:${endpoint}` };
  await sendAriCommand(ari, 'POST', path`/applications/${app}/subscription`, { query }).catch(
    (error: unknown) => {
      // One trunk that Asterisk does not know leaves the others usable; dialling it fails by itself.
      if (!(error instanceof NotRetryable)) throw error;
      log.warn({ endpoint }, 'Asterisk does not know this endpoint');
    },
  );
  subscribed.add(endpoint);
};
