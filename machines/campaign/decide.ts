/**
 * A campaign's whole decision: what a fact changes, and what follows. Pure, and made anew on every fact, so that
 * no word and no timer is needed twice.
 */
import type { CampaignToCallEvent } from '../contracts/campaign.ts';
import {
  campaignOverEvent,
  isAnyCallAsleepTooLong,
  requestFindLiveCalls,
  tellLiveCalls,
  wakeCallsAsleep,
  withCallAsleep,
} from './tellLiveCalls.ts';
import { startDestinationCallEffect, claimDestinationsInContext } from './claimDestinations.ts';
import {
  windowIfRegionClosed,
  isRegionOpen,
  isCallingWindowPlanDue,
  openRegionsToDial,
} from './regionCallingWindows.ts';
import { collectCallTemplateTexts, hasSpokenText } from './callFromDestination.ts';
import {
  mergeCampaignDialGrantChanges,
  isCampaignOver,
  countLiveCalls,
  type CampaignContext,
  type DialGrant,
  type CallAwaitingDialGrant,
} from './context.ts';
import type { CampaignEffectRequest, CampaignActionArgs } from './events.ts';
import { dialGrantsMarkedAwaited, isGrantAnswerOverdue } from './grants.ts';
import { applyCampaignEvent } from './updateContextFromEvent.ts';
import { dialIntervalMs, nextDialGrantAt, roomForAttempts, roomByTransferAndAnswerLimits } from './pace.ts';
import { decideCampaignPhase } from './phase.ts';

/** The campaign after a step, and what it asks. */
interface Decided {
  context: CampaignContext;
  asked: CampaignEffectRequest[];
}
type Step = (decided: Decided, at: number, event: CampaignActionArgs['event']) => Decided;

/** Calls that wait in the campaign's own memory; the rest are told to ask again. */
const WANTING_KEPT = 1_000;
/** How long a call that is one too many waits before it asks again. */
const DEFERRED_MS = 60_000;
/** Questions about the hours that may wait for their answers: each is owed, and what is owed has a limit. */
const QUESTIONS = 4;
/** Most records read in one go. */
const FETCH = 100;

export const decideCampaignStep = ({ context, event }: CampaignActionArgs): Decided => {
  const at = event.at ?? context.bornAt;
  let decided: Decided = { context: applyCampaignEvent({ context, event }), asked: [] };
  for (const step of STEPS) decided = step(decided, at, event);
  return decided;
};

/** Takes what the dialler found, if it may still be dialled. */
const claim: Step = ({ context, asked }, at, event) => {
  if (event.type !== 'destinationsFound') return { context, asked };
  const { next, born } = claimDestinationsInContext(context, event.found, at);
  return {
    context: next,
    asked: [...asked, ...born.map((found) => startDestinationCallEffect(next, found, at))],
  };
};

/**
 * A grant is never forgotten: its call may still dial on it, however long the carrier is full. Calls that say nothing
 * for long are asked, and answer; those that do not are looked for, and written off when they are no more (`callsLost`).
 * One search at a time: those that are found mute meanwhile are looked for when they have been asked once more.
 */
const awaitGrants: Step = ({ context, asked }, at) => {
  const { granted, revoked, searching = false } = context.flow;
  const silent = [...granted, ...revoked].filter((grant) => isGrantAnswerOverdue(grant, at));
  if (silent.length === 0) return { context, asked };
  const told = silent.map(({ call, ask = 0 }) => tell(call, { type: 'attemptAwaited', ask }));
  const mute = silent.filter((grant) => grant.awaited).map(({ call }) => call);
  const searches = mute.length > 0 && !searching;
  const lookedFor: CampaignEffectRequest[] = searches
    ? [{ type: 'findLostCalls', params: { calls: mute } }]
    : [];
  const flow = {
    granted: dialGrantsMarkedAwaited(granted, at),
    revoked: dialGrantsMarkedAwaited(revoked, at),
    ...(searches && { searching: true }),
  };
  return { context: mergeCampaignDialGrantChanges(context, flow), asked: [...asked, ...told, ...lookedFor] };
};

/** Where does it stand now? */
const judge: Step = ({ context, asked }, at) => {
  const phase = decideCampaignPhase(context, at);
  if (phase === context.phase) return { context, asked };
  const judged = { ...context, phase };
  const next = { ...judged, overAt: isCampaignOver(judged) ? context.overAt || at : 0 };
  return {
    context: next,
    asked: isCampaignOver(context) ? asked : [...asked, ...requestFindLiveCalls(next)],
  };
};

/** Calls that wait and ask for nothing were found. */
const tellFound: Step = ({ context, asked }, at, event) =>
  event.type === 'callsLive'
    ? { context, asked: [...asked, ...tellLiveCalls(context, event, at)] }
    : { context, asked };

/** The hours have changed: calls that were told to wait for the former ones may go sooner. */
const wake: Step = (decided, at) => {
  const { context, asked } = decided;
  const mayDial = context.phase !== 'paused' && !isCampaignOver(context);
  if (!mayDial || !isAnyCallAsleepTooLong(context, at)) return decided;
  const woken = wakeCallsAsleep(context);
  return { context: woken.context, asked: [...asked, ...woken.asked] };
};

/** No more dials, at all or where it is late: who waits hears it, and who was let go is called back. */
const callBack: Step = (decided, at) => {
  const { context, asked } = decided;
  const { granted, wanting } = context.flow;
  const over = campaignOverEvent(context);
  if (over) {
    const told = [...granted, ...wanting].map(({ call }) => tell(call, over));
    return {
      context: mergeCampaignDialGrantChanges(calledBack(context, granted, at), { wanting: [] }),
      asked: [...asked, ...told],
    };
  }
  const late = context.phase === 'paused' ? granted : granted.filter((one) => isLate(context, one, at));
  if (late.length === 0) return decided;
  const told = late.map(({ call, ask = 0 }) => tell(call, { type: 'attemptRevoked', ask }));
  return { context: calledBack(context, late, at), asked: [...asked, ...told] };
};

/** Its hours were over while it waited for the carrier. */
const isLate = (context: CampaignContext, { region }: DialGrant, at: number): boolean =>
  region !== undefined && windowIfRegionClosed(context, region, at) !== undefined;

/** Until each of them has answered, its grant counts: the word may find it dialling. */
const calledBack = (context: CampaignContext, late: readonly DialGrant[], at: number): CampaignContext => {
  const { granted, revoked } = context.flow;
  return mergeCampaignDialGrantChanges(context, {
    granted: late === granted ? [] : granted.filter((one) => !late.includes(one)),
    revoked: [...revoked, ...late.map(({ call, ask = 0 }) => ({ call, ask, at }))],
  });
};

/** Calls whose region is closed, and those that are too many, are told when to ask again. */
const defer: Step = (decided, at) => {
  const { context, asked } = decided;
  if (isCampaignOver(context)) return decided;
  const kept: CallAwaitingDialGrant[] = [];
  const told: CampaignEffectRequest[] = [];
  let { calendar } = context;
  for (const wish of context.flow.wanting) {
    const word = deferral(context, wish, kept.length, at);
    if (word?.reason === 'window') calendar = withCallAsleep(calendar, wish.region, word.until);
    if (word) told.push(tell(wish.call, word));
    else kept.push(wish);
  }
  if (told.length === 0) return decided;
  const next = mergeCampaignDialGrantChanges({ ...context, calendar }, { wanting: kept });
  return { context: next, asked: [...asked, ...told] };
};

const deferral = (
  context: CampaignContext,
  { region }: CallAwaitingDialGrant,
  kept: number,
  at: number,
): Extract<CampaignToCallEvent, { type: 'attemptDeferred' }> | undefined => {
  const closed = context.phase === 'paused' ? undefined : windowIfRegionClosed(context, region, at);
  if (closed && closed.until > at)
    return { type: 'attemptDeferred', until: closed.until, reason: 'window', detail: closed.detail };
  if (kept < WANTING_KEPT) return undefined;
  const [reason, detail] =
    context.phase === 'paused'
      ? (['paused', 'the campaign is paused'] as const)
      : (['pace', `${WANTING_KEPT} calls of the campaign wait before this one`] as const);
  return { type: 'attemptDeferred', until: at + DEFERRED_MS, reason, detail };
};

/** When may the regions be rung? */
const planWindows: Step = (decided, at) => {
  const { context, asked } = decided;
  const { unanswered = 0 } = context.calendar;
  if (unanswered >= QUESTIONS || !isCallingWindowPlanDue(context, at)) return decided;
  const question = (context.calendar.question ?? 0) + 1;
  const params = { hours: context.plan.hours, regions: Object.keys(context.regions), question };
  return {
    context: {
      ...context,
      calendar: { ...context.calendar, asked: true, question, unanswered: unanswered + 1 },
    },
    asked: [...asked, { type: 'planWindows', params }],
  };
};

/** Who waits longest dials first; then the next of the list. */
const grant: Step = (decided, at) => {
  const { context, asked } = decided;
  if (context.phase !== 'dialing') return decided;
  const released = context.flow.wanting
    .filter(({ region }) => isRegionOpen(context, region, at))
    .slice(0, roomForAttempts(context, at));
  if (released.length === 0) return decided;
  const next = mergeCampaignDialGrantChanges(context, {
    granted: [
      ...context.flow.granted,
      ...released.map(({ call, region, ask = 0 }) => ({ call, ask, region, at })),
    ],
    wanting: context.flow.wanting.filter((wish) => !released.includes(wish)),
    nextAt: nextDialGrantAt(context, at, released.length),
  });
  return {
    context: next,
    asked: [...asked, ...released.map(({ call, ask = 0 }) => tell(call, { type: 'attemptGranted', ask }))],
  };
};

const fetch: Step = (decided, at) => {
  const { context, asked } = decided;
  if (context.phase !== 'dialing' || context.flow.fetching > 0) return decided;
  const spoken = hasSpokenText(context.definition.call);
  const limit = Math.min(FETCH, spoken ? roomAhead(context, at) : roomForNew(context, at));
  const regions = openRegionsToDial(context, at);
  if (limit === 0 || regions.length === 0) return decided;
  const next = mergeCampaignDialGrantChanges(context, {
    fetching: limit,
    ...(spoken ? {} : { nextAt: nextDialGrantAt(context, at, limit) }),
  });
  const cursors = Object.fromEntries(regions.map((region) => [region, context.regions[region]!.cursor]));
  const { list, call } = context.definition;
  return {
    context: next,
    asked: [
      ...asked,
      {
        type: 'fetchDestinations',
        params: {
          ...{ list, cursors, limit, texts: collectCallTemplateTexts(call) },
          ...(call.callback && { callbacks: true as const }),
        },
      },
    ],
  };
};

/** New destinations come after those who wait. */
const roomForNew = (context: CampaignContext, at: number): number =>
  context.flow.wanting.some(({ region }) => isRegionOpen(context, region, at))
    ? 0
    : roomForAttempts(context, at);

/** Seconds' worth of calls whose audio is made before their turn. */
const AHEAD_MS = 10_000;

const roomAhead = (context: CampaignContext, at: number): number => {
  if (at < context.flow.nextAt && dialIntervalMs(context) === 0) return 0;
  const interval = Math.max(AHEAD_MS / FETCH, dialIntervalMs(context));
  const wished = Math.min(
    Math.max(5, Math.ceil(AHEAD_MS / interval)),
    5 + roomByTransferAndAnswerLimits(context),
  );
  return Math.max(0, wished - context.flow.ahead.length - context.flow.wanting.length);
};

/** It is over and its last call has ended: the results go out, when they were asked for. */
const deliver: Step = (decided, _at, event) => {
  const { context, asked } = decided;
  if (event.type === 'resultsAddressed' && context.results === 'asked') {
    const delivery: CampaignEffectRequest[] =
      event.delivery === 0
        ? []
        : [{ type: 'startMachine', params: { kind: 'delivery', id: event.delivery, input: event.input } }];
    return { context: { ...context, results: 'started' }, asked: [...asked, ...delivery] };
  }
  const profile = context.definition.resultsProfile;
  const due = isCampaignOver(context) && context.phase !== 'failed' && countLiveCalls(context) === 0;
  if (profile === null || !due || context.results !== 'none') return decided;
  return {
    context: { ...context, results: 'asked' },
    asked: [...asked, { type: 'addressResults', params: { profile } }],
  };
};

const STEPS: readonly Step[] = [
  claim,
  awaitGrants,
  judge,
  tellFound,
  callBack,
  defer,
  planWindows,
  wake,
  grant,
  fetch,
  deliver,
];

const tell = (call: number, word: CampaignToCallEvent): CampaignEffectRequest => ({
  type: 'tell',
  params: { machine: call, event: { ...word } },
});
