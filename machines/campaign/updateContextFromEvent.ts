/** What a fact changes by itself, before anything is decided. */
import type { CallToCampaignEvent } from '../contracts/campaign.ts';
import {
  updateCampaignCountsInContext,
  mergeCampaignDialGrantChanges,
  isCampaignOver,
  type CampaignContext,
  type DialGrant,
} from './context.ts';
import type { CampaignActionArgs } from './events.ts';
import { markGrantHeld, isDialRequestAlreadyGranted, removeGrantsOfCall } from './grants.ts';
import type { CampaignChanges } from './input.ts';
import { nextDialGrantAfterChange } from './pace.ts';

/** A dialler that could not answer is asked again after this long. */
const DIALLER_RETRY_MS = 5_000;

export const applyCampaignEvent = ({ context, event }: CampaignActionArgs): CampaignContext => {
  switch (event.type) {
    case 'destinationsGenerated':
      return generated(context, event);
    case 'generateDestinationsFailed':
      return { ...context, phase: 'failed', reason: event.message, overAt: event.at };
    case 'windowsPlanned':
      return planned(answered(context), event);
    case 'planWindowsFailed':
      return notPlanned(answered(context), event);
    case 'fetchDestinationsFailed':
      return mergeCampaignDialGrantChanges(context, {
        fetching: 0,
        nextAt: Math.max(context.flow.nextAt, event.at + DIALLER_RETRY_MS),
      });
    case 'callsLost':
      return event.calls.reduce(writtenOff, mergeCampaignDialGrantChanges(context, { searching: false }));
    case 'findLostCallsFailed':
      return mergeCampaignDialGrantChanges(context, { searching: false });
    case 'addressResultsFailed':
      // The profile could not be read for a while: it is asked for again, the engine's own pauses are long enough.
      return { ...context, results: 'none' };
    case 'changed':
      return changed(context, event.changes);
    case 'close':
      return isCampaignOver(context)
        ? context
        : { ...context, plan: { ...context.plan, active: false, closed: true }, reason: 'closed' };
    case 'windowsChanged':
      return planAnew(context);
    case 'reload':
      return context.phase === 'failed' ? { ...context, phase: 'loading', reason: '', overAt: 0 } : context;
    case 'attemptWanted':
    case 'attemptBegun':
    case 'attemptDropped':
    case 'attemptHeld':
    case 'attemptEnded':
    case 'attemptUndone':
    case 'callAnswered':
    case 'callTransferred':
    case 'transferUndone':
    case 'callEnded':
      return reported(context, event);
    default:
      // A timer: only time has passed. What was found is taken in `claimDestinations.ts`, where births are decided.
      return context;
  }
};

const generated = (
  context: CampaignContext,
  event: Extract<CampaignActionArgs['event'], { type: 'destinationsGenerated' }>,
): CampaignContext => {
  const regions = Object.entries(event.regions).map(([name, count]) => [name, { count, cursor: 0 }] as const);
  const skipped = Object.values(event.skipped).reduce((sum, count) => sum + count, 0);
  return {
    ...updateCampaignCountsInContext(context, { destinations: event.destinations, skipped }),
    regions: Object.fromEntries(regions),
    skipped: event.skipped,
    phase: 'paused',
  };
};

const changed = (context: CampaignContext, changes: CampaignChanges): CampaignContext => {
  const { hours, pace, ...rest } = changes;
  const open = rest.active ? opened(context) : context;
  const plan = {
    ...open.plan,
    ...rest,
    hours: { ...open.plan.hours, ...hours },
    pace: { ...open.plan.pace, ...pace },
  };
  const next = { ...open, plan };
  const paced = mergeCampaignDialGrantChanges(next, { nextAt: nextDialGrantAfterChange(context, next) });
  return hours ? planAnew(paced) : paced;
};

/** One that was closed goes on where it was. */
const opened = (context: CampaignContext): CampaignContext => {
  const { closed, ...plan } = context.plan;
  return closed ? { ...context, plan, reason: '' } : context;
};

/** What was planned does not count any more, and neither does an answer that is still to come. */
const planAnew = (context: CampaignContext): CampaignContext => ({
  ...context,
  calendar: { ...context.calendar, at: 0, asked: false, regions: {}, over: 0 },
});

const notPlanned = (
  context: CampaignContext,
  { at, params }: Extract<CampaignActionArgs['event'], { type: 'planWindowsFailed' }>,
): CampaignContext =>
  isAnswer(context, params.question)
    ? { ...context, calendar: { ...context.calendar, asked: false, at } }
    : context;

/** A question about the hours is owed no longer, whichever it was. */
const answered = (context: CampaignContext): CampaignContext => {
  const { calendar } = context;
  return { ...context, calendar: { ...calendar, unanswered: Math.max(0, (calendar.unanswered ?? 0) - 1) } };
};

const planned = (
  context: CampaignContext,
  { at, question, regions, over }: Extract<CampaignActionArgs['event'], { type: 'windowsPlanned' }>,
): CampaignContext =>
  isAnswer(context, question)
    ? { ...context, calendar: { ...context.calendar, at, asked: false, regions, over } }
    : context;

/**
 * Whether this is the answer that is waited for: hours may have changed since an earlier question was asked. One that
 * names no question comes from a dialler that does not number them yet.
 */
const isAnswer = ({ calendar }: CampaignContext, question = calendar.question): boolean =>
  calendar.asked && question === calendar.question;

const without = <Item extends { call: number }>(items: Item[], call: number): Item[] =>
  items.some((item) => item.call === call) ? items.filter((item) => item.call !== call) : items;

/** A call that waits keeps its place, however often it asks. One that repeats what is granted hears the grant yet. */
const wanted = (
  context: CampaignContext,
  { call, region, ask }: Extract<CallToCampaignEvent, { type: 'attemptWanted' }>,
): CampaignContext => {
  const { granted, revoked, wanting, ahead } = context.flow;
  if (isDialRequestAlreadyGranted([...granted, ...revoked], call, ask)) return context;
  const wish = { call, region, ask: ask ?? 0 };
  const waits = wanting.some((other) => other.call === call);
  return mergeCampaignDialGrantChanges(context, {
    wanting: waits ? wanting.map((other) => (other.call === call ? wish : other)) : [...wanting, wish],
    ahead: ahead.filter((other) => other !== call),
  });
};

/** A call that has a grant has not told its end. It never will: that counts as its last word. */
const writtenOff = (context: CampaignContext, call: number): CampaignContext => {
  const { flow, counts } = context;
  if (!isDialRequestAlreadyGranted([...flow.granted, ...flow.revoked], call, 0)) return context;
  const settledFlow = onGrants(context, (grants) => removeGrantsOfCall(grants, call));
  return updateCampaignCountsInContext(
    mergeCampaignDialGrantChanges(settledFlow, { wanting: without(flow.wanting, call) }),
    {
      ended: counts.ended + 1,
    },
  );
};

const onGrants = (context: CampaignContext, change: (grants: DialGrant[]) => DialGrant[]): CampaignContext =>
  mergeCampaignDialGrantChanges(context, {
    granted: change(context.flow.granted),
    revoked: change(context.flow.revoked),
  });

/** The last question whose grant this word settles: it was used, or will not be. */
const settledBy = (event: CallToCampaignEvent): number | undefined => {
  switch (event.type) {
    case 'attemptWanted':
      // It asks anew: it has none for an earlier question.
      return (event.ask ?? Infinity) - 1;
    case 'attemptBegun':
    case 'attemptDropped':
      return event.ask ?? Infinity;
    case 'callEnded':
      return Infinity;
    default:
      return undefined;
  }
};

const reported = (given: CampaignContext, event: CallToCampaignEvent & { at: number }): CampaignContext => {
  const { call } = event;
  const upTo = settledBy(event);
  const context =
    upTo === undefined ? given : onGrants(given, (grants) => removeGrantsOfCall(grants, call, upTo));
  const { flow, counts } = context;
  switch (event.type) {
    case 'attemptWanted':
      return wanted(context, event);
    case 'attemptBegun': {
      // A wish that crossed its own grant is fulfilled.
      const wanting = without(flow.wanting, call);
      const begun = mergeCampaignDialGrantChanges(context, { wanting, dialling: flow.dialling + 1 });
      return event.attempt === 1 ? updateCampaignCountsInContext(begun, { made: counts.made + 1 }) : begun;
    }
    case 'attemptDropped':
      return context;
    case 'attemptHeld':
      return onGrants(context, (grants) => markGrantHeld(grants, call, event.ask ?? 0, event.at));
    case 'attemptEnded':
      return mergeCampaignDialGrantChanges(context, { dialling: flow.dialling - 1 });
    case 'attemptUndone': {
      const undone = mergeCampaignDialGrantChanges(context, { dialling: flow.dialling - 1 });
      return event.attempt === 1 ? updateCampaignCountsInContext(undone, { made: counts.made - 1 }) : undone;
    }
    case 'callAnswered':
      return updateCampaignCountsInContext(
        mergeCampaignDialGrantChanges(context, { dialling: flow.dialling - 1, up: flow.up + 1 }),
        {
          answered: counts.answered + 1,
        },
      );
    case 'callTransferred':
      return updateCampaignCountsInContext(context, { transferred: counts.transferred + 1 });
    case 'transferUndone':
      return updateCampaignCountsInContext(context, { transferred: counts.transferred - 1 });
    case 'callEnded':
      return updateCampaignCountsInContext(
        mergeCampaignDialGrantChanges(context, {
          wanting: without(flow.wanting, call),
          ahead: flow.ahead.filter((other) => other !== call),
          dialling: flow.dialling - (event.was === 'dialling' ? 1 : 0),
          up: flow.up - (event.was === 'up' ? 1 : 0),
        }),
        { ended: counts.ended + 1 },
      );
  }
};
