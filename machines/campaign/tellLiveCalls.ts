/**
 * Words for calls that wait for a retry or a date, and ask for nothing until they are due: the campaign looks for them,
 * page by page. One that is over ends them; one whose hours have changed lets those ask again that wait for the former ones.
 */
import type { CampaignToCallEvent, DiallerEvent } from '../contracts/campaign.ts';
import { isCampaignOver, countLiveCalls, type CallingWindowPlan, type CampaignContext } from './context.ts';
import type { CampaignEffectRequest } from './events.ts';
import { isRegionOpen } from './regionCallingWindows.ts';

/** Calls that are told in one step. */
const PAGE = 100;

/** The word that a campaign which is over has for its calls; undefined: it goes on, or has called all. */
export const campaignOverEvent = (context: CampaignContext): CampaignToCallEvent | undefined => {
  if (!isCampaignOver(context) || context.phase === 'completed') return undefined;
  const reason = context.phase === 'failed' ? 'cancelled' : context.phase;
  return { type: 'campaignOver', reason: reason as 'limitReached' | 'expired' | 'cancelled' };
};

/** Looks for the first of them, when it is over and there may be some. */
export const requestFindLiveCalls = (context: CampaignContext): CampaignEffectRequest[] =>
  campaignOverEvent(context) && countLiveCalls(context) > 0 ? [find(0)] : [];

/** Tells those that were found, and looks for the next. */
export const tellLiveCalls = (
  context: CampaignContext,
  { calls, more }: Extract<DiallerEvent, { type: 'callsLive' }>,
  at: number,
): CampaignEffectRequest[] => {
  const word = campaignOverEvent(context) ?? hoursChanged(at);
  const told = calls.map((call): CampaignEffectRequest => ({
    type: 'tell',
    params: { machine: call, event: { ...word } },
  }));
  return more && calls.length > 0 ? [...told, find(calls.at(-1)!)] : told;
};

/** They ask at once, and hear when they may go by the hours that count now. */
const hoursChanged = (at: number): CampaignToCallEvent => ({
  type: 'attemptDeferred',
  until: at,
  reason: 'window',
  detail: 'the hours have changed',
});

/** The plan, with a call of this region told to wait for its hours. */
export const withCallAsleep = (
  { asleep, ...plan }: CallingWindowPlan,
  region: string,
  until: number,
): CallingWindowPlan => ({
  ...plan,
  asleep: { ...asleep, [region]: Math.max(until, asleep?.[region] ?? 0) },
});

/** By the plan that counts now, calls that wait for the hours of their region may go before they were told. */
export const isAnyCallAsleepTooLong = (context: CampaignContext, at: number): boolean =>
  Object.entries(context.calendar.asleep ?? {}).some(
    ([region, until]) => until > at && opensBefore(context, region, until, at),
  );

const opensBefore = (context: CampaignContext, region: string, until: number, at: number): boolean => {
  const window = context.calendar.regions[region];
  if (!window) return false;
  return isRegionOpen(context, region, at) || (!window.open && window.until > at && window.until < until);
};

/** Looks for all that wait; none of them waits for the former hours after it. */
export const wakeCallsAsleep = (
  context: CampaignContext,
): { context: CampaignContext; asked: CampaignEffectRequest[] } => {
  const { asleep: _asleep, ...calendar } = context.calendar;
  return { context: { ...context, calendar }, asked: [find(0)] };
};

const find = (after: number): CampaignEffectRequest => ({
  type: 'findLiveCalls',
  params: { after, limit: PAGE },
});
