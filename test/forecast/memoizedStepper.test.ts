import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { CompiledChart } from '../../src/engine/step/compileChart.ts';
import { memoizedStepper } from '../../src/forecast/memoizedStepper.ts';
import { unmemoizedCallStepper } from '../../src/forecast/callStepper.ts';
import type { CallOutcomeRates, ForecastSimulationInput } from '../../src/forecast/scenarioAndResultTypes.ts';
import { runForecastSimulation } from '../../src/forecast/runForecastSimulation.ts';
import { anInput, NOON } from '../machines/campaigns.ts';
import { aScenario } from './scenarios.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const media = (name: string) => ({ media: name, seconds: 4 });
const spoken = (text: string) => ({ text, voice: 'v' });
const queue = { kind: 'queue', queue: 8 } as const;

/** Calls of every kind, by what is their own. */
const kinds: Partial<CallInput>[] = [
  {},
  { prompts: { opening: [spoken('Hello, this is a test of twenty words or so')], slots: {} } },
  { prompts: { opening: [media('tf1')], slots: {}, machine: media('m'), ending: media('e') } },
  { mode: 'question', transfer: queue },
  { mode: 'question', digits: { count: 2, waitSeconds: 5, replay: '9' }, secondAnswer: 3, transfer: queue },
  {
    mode: 'question',
    prompts: {
      opening: [spoken('a question')],
      slots: {},
      noDigit: spoken('no digit'),
      wrong: media('w'),
      beforeTransfer: media('b'),
    },
    transfer: queue,
  },
  { mode: 'play', keys: { 3: { do: 'transfer', to: { kind: 'agent', agent: 1 } }, 5: { do: 'optOut' } } },
  {
    mode: 'confirm',
    digits: { count: 1, waitSeconds: 3, confirm: '4' },
    sendDigits: { digits: '1', afterSeconds: 2 },
    transfer: queue,
  },
  { mode: 'recordAnswer', recording: { from: 'conf', maxSeconds: 20 } },
  { recording: { from: 'ini', maxSeconds: 60 }, sms: { when: 'oknae', text: 'thanks', digit: '' } },
  {
    mode: 'agent',
    transfer: { kind: 'agent', agent: 4 },
    prompts: { opening: [], slots: {} },
    recording: { from: 'pa', maxSeconds: 60 },
  },
];

const validating: Partial<CampaignInput['call']> = {
  mode: 'validate',
  compare: { column: 'extra1', confirm: '5', digits: 4 },
  transfer: queue,
};

const calls = fc.record({
  kind: fc.constantFrom(...kinds, validating),
  tries: fc.integer({ min: 1, max: 4 }),
  intervalMs: fc.constantFrom(MINUTE, 31 * MINUTE, 59 * MINUTE, 61 * MINUTE, 3 * HOUR),
});

const rates: fc.Arbitrary<CallOutcomeRates> = fc
  .record({
    shares: fc
      .tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9))
      .filter((all) => all.some((share) => share > 0)),
    transfer: fc.constantFrom(0, 0.3, 1),
    hangUp: fc.constantFrom(0, 0.4, 1),
    talkSeconds: fc.constantFrom(1, 45, 600),
    ringSeconds: fc.constantFrom(1, 8, 44),
  })
  .map(({ shares, ...rest }) => {
    const all = shares.reduce((sum, share) => sum + share, 0);
    const [answer, busy, noAnswer, failure] = shares.map((share) => share / all) as [
      number,
      number,
      number,
      number,
    ];
    return { answer, busy, noAnswer, failure, ...rest };
  });

const hours = fc.constantFrom(
  { dateStart: '2026-11-18', dateEnd: '2026-11-30', timeStart: '00:00:00', timeEnd: '23:59:59' },
  { dateStart: '2026-11-18', dateEnd: '2026-11-18', timeStart: '08:00:00', timeEnd: '13:59:59' },
  { dateStart: '2026-11-18', dateEnd: '2026-11-20', timeStart: '11:00:00', timeEnd: '12:19:59' },
);

const scenarios: fc.Arbitrary<ForecastSimulationInput> = fc
  .record({
    calls,
    rates,
    hours,
    regions: fc.record({ SP: fc.integer({ min: 1, max: 60 }), AC: fc.nat(40), AM: fc.nat(20) }),
    numbers: fc.integer({ min: 1, max: 3 }),
    pace: fc.record({
      callsPerMinute: fc.constantFrom(null, 3, 40, 1_200),
      maxTransfers: fc.constantFrom(null, null, 2),
    }),
    maxAnswered: fc.constantFrom(null, null, 10),
    carrier: fc.constantFrom({ callsPerSecond: 20, legs: 500 }, { callsPerSecond: 1, legs: 3 }),
    concurrentCalls: fc.constantFrom(null, null, 2),
    waiting: fc.array(fc.tuple(fc.constantFrom('SP', 'AC'), fc.nat(3), fc.nat(4 * HOUR)), { maxLength: 12 }),
    seed: fc.nat(1_000),
  })
  .map(
    ({
      calls: { kind, tries, intervalMs },
      waiting,
      numbers,
      maxAnswered,
      pace,
      concurrentCalls,
      ...wish
    }) => {
      const call = { ...anInput().call, ...kind, schedule: { tries, intervalMs } };
      const scenario = aScenario({
        ...wish,
        campaign: { call, pace, maxAnswered, hours: wish.hours },
        account: { concurrentCalls },
        waiting: {
          regions: waiting.map(([region]) => region),
          rows: Int32Array.from(waiting.keys()),
          tried: Uint8Array.from(waiting, ([, tried]) => tried),
          dueAt: Float64Array.from(waiting, ([, , ms]) => NOON + ms),
          dialled: new Float64Array(waiting.length),
        },
      });
      for (const rows of scenario.list) rows.numbers.fill(numbers);
      const { counts } = scenario.campaign;
      scenario.campaign.counts = { ...counts, started: waiting.length, made: waiting.length };
      return scenario;
    },
  );

const played = (scenario: ForecastSimulationInput, scriptOf = memoizedStepper) =>
  runForecastSimulation(scenario, () => 0, scriptOf);

describe('calls that do what others did before', () => {
  it('come to the same as calls that each ask the chart', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        expect(played(scenario)).toEqual(played(scenario, unmemoizedCallStepper));
      }),
      { numRuns: 60 },
    );
  });

  it('come to the same when little can be remembered', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const forgotten = played(scenario, (chart) => memoizedStepper(chart, 4));
        expect(forgotten).toEqual(played(scenario));
      }),
      { numRuns: 20 },
    );
  });

  it('make audio anew that has grown old while they waited, as often as calls by themselves', () => {
    const call = { ...anInput().call, ...kinds[1], schedule: { tries: 4, intervalMs: 61 * MINUTE } };
    const scenario = aScenario({ campaign: { call }, rates: { answer: 0, noAnswer: 1 } });
    const told = played(scenario);
    expect(told.attempts).toBe(400);
    expect(told).toEqual(played(scenario, unmemoizedCallStepper));
  });

  it('do not ask the chart for every one of them', () => {
    let asked = 0;
    const counting = (chart: CompiledChart) =>
      memoizedStepper({ ...chart, step: (snapshot, event) => ((asked += 1), chart.step(snapshot, event)) });
    const rate = { answer: 0.5, busy: 0.5, hangUp: 0.5 };
    const few = played(aScenario({ regions: { SP: 200 }, rates: rate }), counting);
    const askedByFew = asked;
    asked = 0;
    const many = played(aScenario({ regions: { SP: 1_000, AM: 1_000 }, rates: rate }), counting);
    expect(many.steps).toBeGreaterThan(few.steps * 8);
    expect(asked).toBe(askedByFew);
    expect(asked).toBeLessThan(60);
  });
});
