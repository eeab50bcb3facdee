/** All that a forecast is played with, put together: clock, campaign, calls, providers, network and people. */
import { callInput } from '../../machines/campaign/callFromDestination.ts';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { Asked } from '../../machines/campaign/events.ts';
import { callKind } from '../../machines/index.ts';
import type { DiallerEffects } from '../../machines/contracts/campaign.ts';
import { type Chart, compileChart } from '../engine/step/chart.ts';
import { overAt, regionWindow, type WindowRules } from '../rules/campaigns/campaignWindows.ts';
import { toUnits } from '../rules/accounts/pricing.ts';
import { openAdmission } from './admission.ts';
import { calleeLegs } from './calleeLegs.ts';
import { Calls, type LiveCall } from './calls.ts';
import { atRest, CampaignMachine, type CampaignFact } from './campaignMachine.ts';
import { openCarrier } from './carrier.ts';
import { SimulatedCharges } from './charges.ts';
import { VirtualClock } from './clock.ts';
import { openSimulatedProviders } from './simulatedProviders.ts';
import { Destinations, numbersOf } from './destinations.ts';
import { LeftOutTotals } from './leftOut.ts';
import { prngOf } from './prng.ts';
import { People } from './people.ts';
import { memoizedStepper } from './memoizedStepper.ts';
import type { Scenario } from './scenario.ts';
import { openSpending } from './spending.ts';
import { plainStepper, type CallStepper } from './callStepper.ts';
import { Totals } from './totals.ts';

/** The dialler takes so long, milliseconds. */
const DIALLER_MS = 20;

export interface World {
  clock: VirtualClock;
  campaign: CampaignMachine;
  calls: Calls;
  totals: Totals;
  leftOut: LeftOutTotals;
  /** Undefined: calls are not paid out of a balance. */
  charges: SimulatedCharges | undefined;
  /** The campaign is switched on, and calls that wait already go on waiting. */
  begin(): void;
}

/** How calls get on by a chart. */
export type ScriptOf = (chart: Chart) => CallStepper;

/** `scriptOf`: default, remembered moves wherever calls have no dates of their own. */
export const openWorld = (scenario: Scenario, scriptOf: ScriptOf = scriptFor(scenario)): World => {
  const clock = new VirtualClock(scenario.start);
  const totals = new Totals(toUnits(scenario.account.callRate));
  let lastId = 0;
  const mintId = (): number => (lastId += 1);
  const script = scriptOf(compileChart(callKind, callKind.current));
  const tell = (fact: CampaignFact): void => void clock.set(0, () => campaign.hear(fact));
  const leftOut = new LeftOutTotals();
  const charges = chargesOf(scenario, clock, () => calls);
  const calls: Calls = openCalls(scenario, { clock, totals, leftOut, charges, script, tell });
  const destinations = new Destinations(scenario.list, scenario.campaign.definition.call, mintId);
  const ask = (asked: Asked): void => {
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
  const resting = atRest(scenario.campaign, scenario.waiting.regions.length);
  const campaign: CampaignMachine = new CampaignMachine(resting, clock, ask);
  const begin = (): void => {
    campaign.switchOn(scenario.changes);
    resume(scenario, calls, clock, mintId);
  };
  return { clock, campaign, calls, totals, leftOut, charges, begin };
};

const scriptFor = ({ campaign }: Scenario): ScriptOf => {
  const { until, notBefore } = campaign.definition.call.schedule;
  return until || notBefore ? plainStepper : memoizedStepper;
};

/** Undefined where calls are not paid out of a balance, or cost nothing. */
const chargesOf = (
  { charges, account: { callRate } }: Scenario,
  clock: VirtualClock,
  calls: () => Calls,
): SimulatedCharges | undefined => {
  if (!charges || toUnits(callRate) === 0n) return undefined;
  const cancel = (call: LiveCall): void =>
    calls().hear(call, { type: 'cancel', reason: 'insufficientBalance' });
  return new SimulatedCharges({ ...charges, callRate }, clock, cancel);
};

interface CallDeps {
  clock: VirtualClock;
  totals: Totals;
  leftOut: LeftOutTotals;
  charges: SimulatedCharges | undefined;
  script: CallStepper;
  tell(fact: CampaignFact): void;
}

const openCalls = (scenario: Scenario, deps: CallDeps): Calls => {
  const { clock, totals, leftOut, charges, script, tell } = deps;
  const { rates, seed, mediaSeconds } = scenario;
  const people = new People(rates, prngOf(seed));
  const spending = openSpending(scenario, () => clock.now());
  const admission = openAdmission(scenario, { clock, spending, charges, leftOut }, () => calls);
  const callee = calleeLegs({ clock, totals, admission, spending, charges });
  const carrier = openCarrier({ clock, people, mediaSeconds, callee }, () => calls);
  const performers: Record<string, unknown> = {
    ...openSimulatedProviders(admission, clock, () => calls),
    ...carrier.performers,
  };
  const calls: Calls = new Calls({
    clock,
    script,
    // The table has every effect of the chart under its own name: see its types.
    perform: (call, effect, params) =>
      (performers[effect] as (call: LiveCall, params: object) => void)(call, params),
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
  scenario: Scenario,
  { regions, hours, question }: DiallerEffects['planWindows'],
  at: number,
): CampaignFact => {
  const rules = rulesOf(scenario, hours);
  return {
    type: 'windowsPlanned',
    question,
    regions: Object.fromEntries(regions.map((region) => [region, regionWindow(region, at, rules)])),
    over: Math.max(...regions.map((region) => overAt(region, rules))),
  };
};

/** When this account's campaigns may dial. */
export const rulesOf = ({ account }: Scenario, hours: WindowRules['hours']): WindowRules => ({
  hours,
  homeZone: account.zone,
  ...(account.table && { table: account.table }),
});

/** Calls that wait for another attempt begin anew when it is due, with the attempts that are left to them. */
const resume = (
  { waiting, campaign, start }: Scenario,
  calls: Calls,
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
  const found = { ...record, seq: 0, call: 0, numbers: numbersOf(1), placeholders: {}, texts: [] };
  const input = callInput(campaign, found, at);
  return {
    ...input,
    schedule: { ...input.schedule, tries: Math.max(1, input.schedule.tries - tried) },
    campaign: { ...input.campaign!, granted: false },
  };
};
