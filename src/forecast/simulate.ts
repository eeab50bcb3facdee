/**
 * A forecast: the campaign's own decisions and the calls' own chart, on a virtual clock, among providers that answer at
 * once and people who answer in given shares. Pure: the same scenario gives the same forecast.
 */
import { type CampaignContext, isOver, liveCalls } from '../../machines/campaign/context.ts';
import { overAt, regionWindow } from '../rules/campaigns/campaignWindows.ts';
import type { Ending, Forecast, Scenario } from './scenario.ts';
import { openWorld, rulesOf, type ScriptOf, type World } from './world.ts';

/** How far ahead a forecast looks. */
const HORIZON_DAYS = 370;
const DAY_MS = 86_400_000;
/** The real clock is looked at once in so many moments. */
const LOOK_EVERY = 1_024;

/** `realNow`: milliseconds of a clock that only goes forward. `scriptOf`: see `openWorld`. */
export const simulate = (scenario: Scenario, realNow: () => number, scriptOf?: ScriptOf): Forecast => {
  const world = openWorld(scenario, scriptOf);
  world.begin();
  return told(scenario, world, play(scenario, world, realNow));
};

/** Plays until the campaign is over; answers why it stopped before, else nothing. */
const play = (scenario: Scenario, { clock, campaign }: World, realNow: () => number): string => {
  const giveUpAt = realNow() + scenario.patienceMs;
  for (let moment = 1; !isFinished(campaign.context); moment++) {
    const next = clock.next();
    if (next === undefined) throw new Error('a campaign that is not over waits for nothing');
    if (next > scenario.start + HORIZON_DAYS * DAY_MS)
      return `a forecast looks ${HORIZON_DAYS} days ahead and no farther`;
    if (moment % LOOK_EVERY === 0 && realNow() > giveUpAt)
      return `${scenario.patienceMs / 1_000} seconds were not enough: this is the beginning of it`;
    clock.step();
  }
  return '';
};

const isFinished = (context: CampaignContext): boolean => isOver(context) && liveCalls(context) === 0;

const told = (scenario: Scenario, world: World, stopped: string): Forecast => {
  const { clock, campaign, calls, totals, leftOut, charges } = world;
  const { context } = campaign;
  const ends = stopped === '' ? (context.phase as Ending) : 'truncated';
  const unreached = context.counts.destinations - context.counts.made;
  return {
    ends,
    endsAt: stopped === '' ? context.overAt : clock.now(),
    reason: stopped || reasonOf(context, unreached),
    unreached,
    ...totals.sums(),
    leftOut: leftOut.sums(),
    ...(charges && { balance: charges.told() }),
    windows: windowsOf(scenario, context),
    steps: calls.steps + campaign.steps,
  };
};

const reasonOf = ({ phase, plan, definition }: CampaignContext, unreached: number): string => {
  if (phase === 'expired')
    return `its last day, ${plan.hours.dateEnd}, is over before ${unreached} destinations were dialled`;
  if (phase === 'limitReached')
    return `${definition.maxAnswered} calls were answered, as many as it is to reach; ${unreached} destinations were not dialled`;
  return '';
};

/** When each region may be rung for the first time. */
const windowsOf = (scenario: Scenario, { regions, plan }: CampaignContext): Forecast['windows'] => {
  const rules = rulesOf(scenario, plan.hours);
  const { start } = scenario;
  return Object.entries(regions).map(([region, { count }]) => {
    const window = regionWindow(region, start, rules);
    const opensAt = window.open ? start : window.until;
    return { region, destinations: count, opensAt: opensAt < overAt(region, rules) ? opensAt : null };
  });
};
