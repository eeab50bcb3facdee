/** All that a forecast is played with, put together: clock, campaign, calls, providers, network and people. */
import { buildCampaignCallInput } from '../../machines/campaign/callFromDestination.ts';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { CampaignEffectRequest } from '../../machines/campaign/events.ts';
import { callMachineKind } from '../../machines/index.ts';
import type { DiallerEffects } from '../../machines/contracts/campaign.ts';
import { type CompiledChart, compileChart } from '../engine/step/compileChart.ts';
import {
  campaignEndInRegion,
  campaignWindowInRegion,
  type CampaignWindowRules,
} from '../rules/campaigns/campaignWindowByRegion.ts';
import { amountToTenThousandths } from '../rules/accounts/pricing.ts';
import { openSimulatedAdmission } from './simulatedCallAdmission.ts';
import { createForecastLegChargeCounter } from './firstLegAccounting.ts';
import { SimulatedForecastCalls, type OngoingForecastCall } from './simulatedCalls.ts';
import {
  resetCampaignContextForForecast,
  SimulatedForecastCampaign,
  type UntimedCampaignEvent,
} from './campaignMachine.ts';
import { openForecastTelephony } from './simulatedTelephony.ts';
import { SimulatedCharges } from './simulatedPrepaidCharges.ts';
import { VirtualClock } from './clock.ts';
import { openSimulatedCallProviders } from './instantProviders.ts';
import { ForecastDestinationList, forecastPhoneNumberPlaceholders } from './simulatedDestinationList.ts';
import { LeftOutTotals } from './leftOut.ts';
import { seededRandom } from './prng.ts';
import { ForecastCallees } from './simulatedCallees.ts';
import { memoizedStepper } from './memoizedStepper.ts';
import type { ForecastSimulationInput } from './scenarioAndResultTypes.ts';
import { openSimulatedDailySpending } from './simulatedDailySpending.ts';
import { unmemoizedCallStepper, type SimulatedCallStepper } from './callStepper.ts';
import { ForecastTotals } from './totals.ts';

/** The dialler takes so long, milliseconds. */
const DIALLER_MS = 20;

export interface ForecastSimulation {
  clock: VirtualClock;
  campaign: SimulatedForecastCampaign;
  calls: SimulatedForecastCalls;
  totals: ForecastTotals;
  leftOut: LeftOutTotals;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
  /** The campaign is switched on, and calls that wait already go on waiting. */
  begin(): void;
}

/** How calls get on by a chart. */
export type CallStepperFactory = (chart: CompiledChart) => SimulatedCallStepper;

/** `scriptOf`: default, remembered moves wherever calls have no dates of their own. */
export const openForecastSimulation = (
  scenario: ForecastSimulationInput,
  scriptOf: CallStepperFactory = scriptFor(scenario),
): ForecastSimulation => {
  const clock = new VirtualClock(scenario.start);
  const totals = new ForecastTotals(amountToTenThousandths(scenario.account.callRate));
  let lastId = 0;
  const mintId = (): number => (lastId += 1);
  const script = scriptOf(compileChart(callMachineKind, callMachineKind.current));
  const tell = (fact: UntimedCampaignEvent): void => void clock.set(0, () => campaign.hear(fact));
  const leftOut = new LeftOutTotals();
  const charges = chargesOf(scenario, clock, () => calls);
  const calls: SimulatedForecastCalls = openCalls(scenario, {
    clock,
    totals,
    leftOut,
    charges,
    script,
    tell,
  });
  const destinations = new ForecastDestinationList(scenario.list, scenario.campaign.definition.call, mintId);
  const ask = (asked: CampaignEffectRequest): void => {
    switch (asked.type) {
      case 'tell':
        clock.set(0, () => calls.tell(asked.params.machine, asked.params.event));
        return;
      case 'startMachine':
        calls.begin(asked.params.id, asked.params.input as CallInput, {
          numbers: destinations.numbersFor(asked.params.id),
        });
        return;
      case 'fetchDestinations':
        clock.set(DIALLER_MS, () =>
          campaign.hear({ type: 'destinationsFound', found: destinations.find(asked.params) }),
        );
        return;
      case 'planWindows':
        clock.set(DIALLER_MS, () => campaign.hear(planned(scenario, asked.params, clock.now())));
        return;
      default:
      // The list is chosen already, and results go nowhere.
    }
  };
  const resting = resetCampaignContextForForecast(scenario.campaign, scenario.waiting.regions.length);
  const campaign: SimulatedForecastCampaign = new SimulatedForecastCampaign(resting, clock, ask);
  const begin = (): void => {
    campaign.switchOn(scenario.changes);
    resume(scenario, calls, clock, mintId);
  };
  return { clock, campaign, calls, totals, leftOut, charges, begin };
};

const scriptFor = ({ campaign }: ForecastSimulationInput): CallStepperFactory => {
  const { until, notBefore } = campaign.definition.call.schedule;
  return until || notBefore ? unmemoizedCallStepper : memoizedStepper;
};

/** Undefined where calls are not paid out of a balance, or cost nothing. */
const chargesOf = (
  { charges, account: { callRate } }: ForecastSimulationInput,
  clock: VirtualClock,
  calls: () => SimulatedForecastCalls,
): SimulatedCharges | undefined => {
  if (!charges || amountToTenThousandths(callRate) === 0n) return undefined;
  const cancel = (call: OngoingForecastCall): void =>
    calls().hear(call, { type: 'cancel', reason: 'insufficientBalance' });
  return new SimulatedCharges({ ...charges, callRate }, clock, cancel);
};

interface CallDeps {
  clock: VirtualClock;
  totals: ForecastTotals;
  leftOut: LeftOutTotals;
  charges: SimulatedCharges | undefined;
  script: SimulatedCallStepper;
  tell(fact: UntimedCampaignEvent): void;
}

const openCalls = (scenario: ForecastSimulationInput, deps: CallDeps): SimulatedForecastCalls => {
  const { clock, totals, leftOut, charges, script, tell } = deps;
  const { rates, seed, mediaSeconds } = scenario;
  const people = new ForecastCallees(rates, seededRandom(seed));
  const spending = openSimulatedDailySpending(scenario, () => clock.now());
  const admission = openSimulatedAdmission(scenario, { clock, spending, charges, leftOut }, () => calls);
  const callee = createForecastLegChargeCounter({ clock, totals, admission, spending, charges });
  const carrier = openForecastTelephony({ clock, people, mediaSeconds, callee }, () => calls);
  const performers: Record<string, unknown> = {
    ...openSimulatedCallProviders(admission, clock, () => calls),
    ...carrier.performers,
  };
  const calls: SimulatedForecastCalls = new SimulatedForecastCalls({
    clock,
    script,
    // The table has every effect of the chart under its own name: see its types.
    perform: (call, effect, params) =>
      (performers[effect] as (call: OngoingForecastCall, params: object) => void)(call, params),
    tell,
    listens: carrier.listens,
    ended: (call) => {
      admission.release(call);
      charges?.over(call);
      totals.ended(call);
    },
  });
  return calls;
};

/** The windows of all regions, as the dialler plans them. */
const planned = (
  scenario: ForecastSimulationInput,
  { regions, hours, question }: DiallerEffects['planWindows'],
  at: number,
): UntimedCampaignEvent => {
  const rules = forecastCampaignWindowRules(scenario, hours);
  return {
    type: 'windowsPlanned',
    question,
    regions: Object.fromEntries(regions.map((region) => [region, campaignWindowInRegion(region, at, rules)])),
    over: Math.max(...regions.map((region) => campaignEndInRegion(region, rules))),
  };
};

/** When this account's campaigns may dial. */
export const forecastCampaignWindowRules = (
  { account }: ForecastSimulationInput,
  hours: CampaignWindowRules['hours'],
): CampaignWindowRules => ({
  hours,
  homeZone: account.zone,
  ...(account.table && { table: account.table }),
});

/** Calls that wait for another attempt begin anew when it is due, with the attempts that are left to them. */
const resume = (
  { waiting, campaign, start }: ForecastSimulationInput,
  calls: SimulatedForecastCalls,
  clock: VirtualClock,
  mintId: () => number,
): void => {
  for (const [place, region] of waiting.regions.entries())
    clock.set(waiting.dueAt[place]! - start, () => {
      const tried = waiting.tried[place]!;
      const record = { row: waiting.rows[place]!, region };
      const numbers = [waiting.dialled[place]!];
      calls.begin(mintId(), resumedInput(campaign, record, tried, clock.now()), { numbers, tried });
    });
};

const resumedInput = (
  campaign: CampaignContext,
  record: { row: number; region: string },
  tried: number,
  at: number,
): CallInput => {
  const found = {
    ...record,
    seq: 0,
    call: 0,
    numbers: forecastPhoneNumberPlaceholders(1),
    placeholders: {},
    texts: [],
  };
  const input = buildCampaignCallInput(campaign, found, at);
  return {
    ...input,
    schedule: { ...input.schedule, tries: Math.max(1, input.schedule.tries - tried) },
    campaign: { ...input.campaign!, granted: false },
  };
};
