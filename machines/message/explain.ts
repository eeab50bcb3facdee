/** Why a message has not arrived. */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import type { MessageContext } from './contextAndAssigns.ts';

/**
 * One sentence for one that was refused, failed, or whose outcome is unknown; nothing for one that is under way or
 * arrived.
 */
export const explainFailedMessage = ({ outcome, message, ...moments }: MessageContext): Explanation[] => {
  // A provider may refuse with a code that is ours for one that it took.
  if (moments.failedAt === 0 && ['', '0', '1'].includes(outcome.code)) return [];
  const at = moments.failedAt || moments.submittedAt || moments.bornAt;
  const money = moments.refunded ? '; what it cost was given back' : '';
  const rule = outcome.code === 'unknown' ? 'unknown' : 'refused';
  const detail = `${message.channel} to ${message.destination}: ${outcome.code} ${outcome.text}${money}`;
  return [{ rule, detail, at }];
};
