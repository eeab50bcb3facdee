/** Scenarios to be forecast, made of what a test means. */
import { newCampaign, type CampaignContext } from '../../machines/campaign/context.ts';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import type { Forecast, Rates, RegionRows, Scenario } from '../../src/forecast/scenario.ts';
import { simulate } from '../../src/forecast/simulate.ts';
import { anInput, NOON } from '../machines/campaigns.ts';

/** Everybody answers after some 8 seconds and listens to the end. */
const everybodyAnswers: Rates = {
  answer: 1,
  busy: 0,
  noAnswer: 0,
  failure: 0,
  transfer: 0,
  hangUp: 0,
  talkSeconds: 60,
  ringSeconds: 8,
};

export interface ScenarioWish extends Partial<Omit<Scenario, 'rates' | 'account' | 'campaign'>> {
  rates?: Partial<Rates>;
  account?: Partial<Scenario['account']>;
  campaign?: Partial<CampaignInput>;
  /** Destinations by region. Default: 100 in SP. */
  regions?: Record<string, number>;
}

/** A campaign that was generated and is paused. */
export const aCampaign = (
  input: Partial<CampaignInput>,
  regions: Record<string, number>,
): CampaignContext => {
  const born = newCampaign({ ...anInput(input), at: NOON, id: 31 });
  const destinations = Object.values(regions).reduce((sum, count) => sum + count, 0);
  return {
    ...born,
    phase: 'paused',
    regions: Object.fromEntries(Object.entries(regions).map(([name, count]) => [name, { count, cursor: 0 }])),
    counts: { ...born.counts, destinations },
  };
};

/** The records of the regions, one after the other. */
const listOf = (regions: Record<string, number>): RegionRows[] => {
  let row = 0;
  return Object.entries(regions).map(([region, count]) => ({
    region,
    cursor: 0,
    rows: Int32Array.from({ length: count }, () => (row += 1)),
    numbers: new Uint8Array(count).fill(1),
  }));
};

export const aScenario = (wish: ScenarioWish = {}): Scenario => {
  const { regions = { SP: 100 }, campaign = {}, rates, account, ...more } = wish;
  return {
    campaign: aCampaign(campaign, regions),
    changes: {},
    start: NOON,
    seed: 1,
    rates: { ...everybodyAnswers, ...rates },
    list: listOf(regions),
    waiting: {
      regions: [],
      rows: new Int32Array(0),
      tried: new Uint8Array(0),
      dueAt: new Float64Array(0),
    },
    account: { zone: 'America/Sao_Paulo', concurrentCalls: null, callRate: '0.6000', ...account },
    carrier: { callsPerSecond: 20, legs: 500 },
    mediaSeconds: { tf1: 20 },
    patienceMs: 60_000,
    ...more,
  };
};

/** The forecast of a scenario; real time stands still. */
export const forecast = (wish: ScenarioWish = {}): Forecast => simulate(aScenario(wish), () => 0);
