/** What a fact changes by itself, before anything is decided. */
import type { CallReport } from '../vocabulary/campaign.ts';
import { inCounts, inFlow, type CampaignContext } from './context.ts';
import type { CampaignScope } from './events.ts';
import type { CampaignChanges } from './input.ts';

/** A desk that could not answer is asked again after this long. */
const DESK_AWAY_MS = 5_000;

export const heard = ({ context, event }: CampaignScope): CampaignContext => {
  switch (event.type) {
    case 'destinationsGenerated':
      return generated(context, event);
    case 'generateDestinationsFailed':
      return { ...context, phase: 'failed', reason: event.message, overAt: event.at };
    case 'windowsPlanned':
      return {
        ...context,
        calendar: { at: event.at, asked: false, regions: event.regions, over: event.over },
      };
    case 'planWindowsFailed':
      return { ...context, calendar: { ...context.calendar, asked: false, at: event.at } };
    case 'fetchDestinationsFailed':
      return inFlow(context, {
        fetching: 0,
        nextAt: Math.max(context.flow.nextAt, event.at + DESK_AWAY_MS),
      });
    case 'addressResultsFailed':
      // The profile could not be read for a while: it is asked for again, the engine's own pauses are long enough.
      return { ...context, results: 'none' };
    case 'changed':
      return changed(context, event.changes);
    case 'windowsChanged':
      return planAnew(context);
    case 'reload':
      return context.phase === 'failed' ? { ...context, phase: 'loading', reason: '', overAt: 0 } : context;
    case 'attemptWanted':
    case 'attemptBegun':
    case 'attemptDropped':
    case 'attemptEnded':
    case 'callAnswered':
    case 'callTransferred':
    case 'transferUndone':
    case 'callEnded':
      return reported(context, event);
    default:
      // A timer: only time has passed. What was found is taken in `claim.ts`, where births are decided.
      return context;
  }
};

const generated = (
  context: CampaignContext,
  event: Extract<CampaignScope['event'], { type: 'destinationsGenerated' }>,
): CampaignContext => {
  if (context.phase !== 'loading') return context;
  const regions = Object.entries(event.regions).map(([name, count]) => [name, { count, cursor: 0 }] as const);
  const skipped = Object.values(event.skipped).reduce((sum, count) => sum + count, 0);
  return {
    ...inCounts(context, { destinations: event.destinations, skipped }),
    regions: Object.fromEntries(regions),
    skipped: event.skipped,
    phase: 'paused',
  };
};

const changed = (context: CampaignContext, changes: CampaignChanges): CampaignContext => {
  const { hours, pace, ...rest } = changes;
  const plan = {
    ...context.plan,
    ...rest,
    hours: { ...context.plan.hours, ...hours },
    pace: { ...context.plan.pace, ...pace },
  };
  const next = { ...context, plan };
  const paced = pace?.callsPerMinute === undefined ? next : inFlow(next, { nextAt: 0 });
  return hours ? planAnew(paced) : paced;
};

/** What was planned does not count any more. */
const planAnew = (context: CampaignContext): CampaignContext => ({
  ...context,
  calendar: { at: 0, asked: false, regions: {}, over: 0 },
});

const without = <Item extends { call: number }>(items: Item[], call: number): Item[] =>
  items.some((item) => item.call === call) ? items.filter((item) => item.call !== call) : items;

/** What a call says of its attempt settles the grant it had, or was asked to give back. */
const SETTLES: readonly CallReport['type'][] = [
  'attemptWanted',
  'attemptBegun',
  'attemptDropped',
  'callEnded',
];

const reported = (given: CampaignContext, event: CallReport): CampaignContext => {
  const { call } = event;
  const context = SETTLES.includes(event.type)
    ? inFlow(given, {
        granted: without(given.flow.granted, call),
        revoked: without(given.flow.revoked, call),
      })
    : given;
  const { flow, counts } = context;
  switch (event.type) {
    case 'attemptWanted': {
      const wanting = flow.wanting.some((wish) => wish.call === call)
        ? flow.wanting
        : [...flow.wanting, { call, region: event.region }];
      return inFlow(context, { wanting, ahead: flow.ahead.filter((other) => other !== call) });
    }
    case 'attemptBegun': {
      // A wish that crossed its own grant is fulfilled.
      const wanting = without(flow.wanting, call);
      const begun = inFlow(context, { wanting, dialling: flow.dialling + 1 });
      return event.attempt === 1 ? inCounts(begun, { made: counts.made + 1 }) : begun;
    }
    case 'attemptDropped':
      return context;
    case 'attemptEnded':
      return inFlow(context, { dialling: flow.dialling - 1 });
    case 'callAnswered':
      return inCounts(inFlow(context, { dialling: flow.dialling - 1, up: flow.up + 1 }), {
        answered: counts.answered + 1,
      });
    case 'callTransferred':
      return inCounts(context, { transferred: counts.transferred + 1 });
    case 'transferUndone':
      return inCounts(context, { transferred: counts.transferred - 1 });
    case 'callEnded':
      return inCounts(
        inFlow(context, {
          wanting: without(flow.wanting, call),
          ahead: flow.ahead.filter((other) => other !== call),
          dialling: flow.dialling - (event.was === 'dialling' ? 1 : 0),
          up: flow.up - (event.was === 'up' ? 1 : 0),
        }),
        { ended: counts.ended + 1 },
      );
  }
};
