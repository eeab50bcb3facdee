/** Scenarios to be forecast, made of what a test means. */
import { initialCampaignContext, type CampaignContext } from '../../machines/campaign/context.ts';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import type {
  ForecastResult,
  CallOutcomeRates,
  UnclaimedDestinationsOfRegion,
  ForecastSimulationInput,
} from '../../src/forecast/scenarioAndResultTypes.ts';
import { packPhoneNumber } from '../../src/rules/voice/packedNumbers.ts';
import { runForecastSimulation } from '../../src/forecast/runForecastSimulation.ts';
import type { TrunkCapacity } from '../../src/providers/dialClearance/capacityLimiter.ts';
import type { Trunk, TrunkRoutingTable } from '../../src/rules/trunks/trunkTypes.ts';
import { anInput, NOON } from '../machines/campaigns.ts';

/** Everybody answers after some 8 seconds and listens to the end. */
const everybodyAnswers: CallOutcomeRates = {
  answer: 1,
  busy: 0,
  noAnswer: 0,
  failure: 0,
  transfer: 0,
  hangUp: 0,
  talkSeconds: 60,
  ringSeconds: 8,
};

export interface ScenarioWish extends Partial<
  Omit<ForecastSimulationInput, 'rates' | 'account' | 'campaign'>
> {
  rates?: Partial<CallOutcomeRates>;
  account?: Partial<ForecastSimulationInput['account']>;
  /** What the only trunk bears. Default: 20 calls a second, 500 at a time. */
  carrier?: TrunkCapacity;
  /** The number of each record, by its place in the list. Default: mobiles of São Paulo. */
  numberOf?: (nth: number) => string;
  campaign?: Partial<CampaignInput>;
  /** Destinations by region. Default: 100 in SP. */
  regions?: Record<string, number>;
}

/** A campaign that was generated and is paused. */
export const aCampaign = (
  input: Partial<CampaignInput>,
  regions: Record<string, number>,
): CampaignContext => {
  const born = initialCampaignContext({ ...anInput(input), at: NOON, id: 31 });
  const destinations = Object.values(regions).reduce((sum, count) => sum + count, 0);
  return {
    ...born,
    phase: 'paused',
    regions: Object.fromEntries(Object.entries(regions).map(([name, count]) => [name, { count, cursor: 0 }])),
    counts: { ...born.counts, destinations },
  };
};

/** The records of the regions, one after the other. */
const listOf = (
  regions: Record<string, number>,
  numberOf: (nth: number) => string,
): UnclaimedDestinationsOfRegion[] => {
  let row = 0;
  return Object.entries(regions).map(([region, count]) => ({
    region,
    cursor: 0,
    dialled: Float64Array.from({ length: count }, (_, nth) => packPhoneNumber(numberOf(row + nth))),
    rows: Int32Array.from({ length: count }, () => (row += 1)),
    numbers: new Uint8Array(count).fill(1),
  }));
};

/** A trunk of the sandbox that carries everything. */
const aTrunk = (id: number, more: Partial<Trunk> = {}): Trunk => ({
  ...{ id, name: id === 1 ? 'sandbox' : `sandbox-${id}`, server: 1, state: 'on' },
  ...{ callsPerSecond: 20, legs: 500, callerIds: [], failover: [], hours: null, prices: [] },
  ...{ closedPrefixes: { open: [], closed: [] }, simulates: 'first', dialPattern: '', numberFormat: 'e164' },
  ...more,
});

const aTable = (trunks: readonly Trunk[], routes: TrunkRoutingTable['routes'] = []): TrunkRoutingTable => ({
  ...{ trunks, routes, callerIdPools: [] },
  servers: [{ id: 1, name: 'sandbox', kind: 'sandbox', state: 'on' }],
});

const mobileOf = (nth: number): string => String(5_511_987_000_000 + nth);

export const aScenario = (wish: ScenarioWish = {}): ForecastSimulationInput => {
  const {
    regions = { SP: 100 },
    campaign = {},
    rates,
    account,
    carrier,
    numberOf = mobileOf,
    ...more
  } = wish;
  return {
    campaign: aCampaign(campaign, regions),
    changes: {},
    start: NOON,
    seed: 1,
    rates: { ...everybodyAnswers, ...rates },
    list: listOf(regions, numberOf),
    waiting: {
      regions: [],
      rows: new Int32Array(0),
      tried: new Uint8Array(0),
      dueAt: new Float64Array(0),
      dialled: new Float64Array(0),
    },
    account: { id: 3, zone: 'America/Sao_Paulo', concurrentCalls: null, callRate: '0.6000', ...account },
    trunks: aTable([aTrunk(1, carrier)]),
    spent: { at: NOON, trunks: {}, account: 0 },
    mediaSeconds: { tf1: 20 },
    patienceMs: 60_000,
    ...more,
  };
};

/** The forecast of a scenario; real time stands still. */
export const forecast = (wish: ScenarioWish = {}): ForecastResult =>
  runForecastSimulation(aScenario(wish), () => 0);
