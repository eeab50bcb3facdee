/**
 * A forecast: the campaign's own decisions and the calls' own chart, on a virtual clock, among providers that answer at
 * once and people who answer in given shares. Pure: the same scenario gives the same forecast.
 */
import { type CampaignContext, isCampaignOver, countLiveCalls } from '../../machines/campaign/context.ts';
import { campaignEndInRegion, campaignWindowInRegion } from '../rules/campaigns/campaignWindowByRegion.ts';
import type { ForecastEndReason, ForecastResult, ForecastSimulationInput } from './scenarioAndResultTypes.ts';
import {
  openForecastSimulation,
  forecastCampaignWindowRules,
  type CallStepperFactory,
  type ForecastSimulation,
} from './setUpForecastSimulation.ts';

/** How far ahead a forecast looks. */
const HORIZON_DAYS = 370;
const DAY_MS = 86_400_000;
/** The real clock is looked at once in so many moments. */
const LOOK_EVERY = 1_024;

/** `realNow`: milliseconds of a clock that only goes forward. `scriptOf`: see `openForecastSimulation`. */
export const runForecastSimulation = (
  scenario: ForecastSimulationInput,
  realNow: () => number,
  scriptOf?: CallStepperFactory,
): ForecastResult => {
  const world = openForecastSimulation(scenario, scriptOf);
  world.begin();
  return told(scenario, world, play(scenario, world, realNow));
};

/** Plays until the campaign is over; answers why it stopped before, else nothing. */
const play = (
  scenario: ForecastSimulationInput,
  { clock, campaign }: ForecastSimulation,
  realNow: () => number,
): string => {
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

const isFinished = (context: CampaignContext): boolean =>
  isCampaignOver(context) && countLiveCalls(context) === 0;

const told = (
  scenario: ForecastSimulationInput,
  world: ForecastSimulation,
  stopped: string,
): ForecastResult => {
  const { clock, campaign, calls, totals, leftOut, charges } = world;
  const { context } = campaign;
  const ends = stopped === '' ? (context.phase as ForecastEndReason) : 'truncated';
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
const windowsOf = (
  scenario: ForecastSimulationInput,
  { regions, plan }: CampaignContext,
): ForecastResult['windows'] => {
  const rules = forecastCampaignWindowRules(scenario, plan.hours);
  const { start } = scenario;
  return Object.entries(regions).map(([region, { count }]) => {
    const window = campaignWindowInRegion(region, start, rules);
    const opensAt = window.open ? start : window.until;
    return {
      region,
      destinations: count,
      opensAt: opensAt < campaignEndInRegion(region, rules) ? opensAt : null,
    };
  });
};
