/**
 * A campaign that is over ends its calls that wait for a retry or a date: those ask for nothing until they are due, so it
 * looks for them, page by page.
 */
import type { CampaignToCallEvent, DiallerEvent } from '../contracts/campaign.ts';
import { isCampaignOver, countLiveCalls, type CampaignContext } from './context.ts';
import type { CampaignEffectRequest } from './events.ts';

/** Calls that are told in one step. */
const PAGE = 100;

/** The word that a campaign which is over has for its calls; undefined: it goes on, or has called all. */
export const campaignOverEvent = (context: CampaignContext): CampaignToCallEvent | undefined => {
  if (!isCampaignOver(context) || context.phase === 'completed') return undefined;
  const reason = context.phase === 'failed' ? 'cancelled' : context.phase;
  return { type: 'campaignOver', reason: reason as 'limitReached' | 'expired' | 'cancelled' };
};

/** Looks for the first of them, when there may be some. */
export const requestFindLiveCalls = (context: CampaignContext): CampaignEffectRequest[] =>
  campaignOverEvent(context) && countLiveCalls(context) > 0 ? [find(0)] : [];

/** Tells those that were found, and looks for the next. */
export const callOffLiveCalls = (
  context: CampaignContext,
  { calls, more }: Extract<DiallerEvent, { type: 'callsLive' }>,
): CampaignEffectRequest[] => {
  const word = campaignOverEvent(context);
  if (!word) return [];
  const told = calls.map((call): CampaignEffectRequest => ({
    type: 'tell',
    params: { machine: call, event: { ...word } },
  }));
  return more && calls.length > 0 ? [...told, find(calls.at(-1)!)] : told;
};

const find = (after: number): CampaignEffectRequest => ({
  type: 'findLiveCalls',
  params: { after, limit: PAGE },
});
