/** Person or machine: the dialplan's AMD listens, and brings the channel back with its verdict. */
import { Retryable } from '../../../engine/contract/performer.ts';
import { sendAriCommand, path } from './ariRestClient.ts';
import type { AriChannel } from './events.ts';
import type { AriContext } from './ariContext.ts';
import type { Leg } from './legTypes.ts';

/** Sends a leg to machine detection; one that is there already stays, and the verdict comes once. */
export const startAnsweringMachineDetection = async ({ ari }: AriContext, leg: Leg): Promise<void> => {
  const query = { context: 'amd', extension: 's', priority: 1 };
  try {
    await sendAriCommand(ari, 'POST', path`/channels/${leg.channel}/continue`, { query });
  } catch (error) {
    if (!(error instanceof Retryable)) throw error;
    const { body } = await sendAriCommand(ari, 'GET', path`/channels/${leg.channel}`);
    const { dialplan } = body as AriChannel;
    if (dialplan.context !== 'amd') throw error;
  }
};
