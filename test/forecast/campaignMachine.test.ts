import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { CampaignEffectRequest } from '../../machines/campaign/events.ts';
import { campaignMachineKind } from '../../machines/index.ts';
import { compileChart, type ChartToEngineRequest } from '../../src/engine/step/compileChart.ts';
import {
  resetCampaignContextForForecast,
  SimulatedForecastCampaign,
} from '../../src/forecast/campaignMachine.ts';
import { VirtualClock } from '../../src/forecast/clock.ts';
import { NOON } from '../machines/campaigns.ts';
import { aCampaign } from './scenarios.ts';

const chart = compileChart(campaignMachineKind, campaignMachineKind.current);

const window = (open: boolean) => ({ open, until: NOON + 3_600_000, detail: open ? '' : 'closed' });
const record = (seq: number) => ({
  region: 'SP',
  seq,
  row: seq,
  call: 100 + seq,
  numbers: ['5511987650000'],
  placeholders: {},
  texts: [],
});

/** Facts of a campaign's life; out of order as often as not. */
const facts = [
  ...[1, 2].map((question) => ({
    ...{ type: 'windowsPlanned', question },
    ...{ regions: { SP: window(true), AC: window(false) }, over: NOON + 8_000_000 },
  })),
  { type: 'destinationsFound', found: [record(1), record(2), record(3)] },
  { type: 'destinationsFound', found: [record(4)] },
  { type: 'attemptBegun', call: 101, attempt: 1 },
  { type: 'attemptBegun', call: 102, attempt: 1 },
  { type: 'attemptWanted', call: 103, region: 'SP' },
  { type: 'attemptWanted', call: 104, region: 'AC' },
  { type: 'attemptDropped', call: 103 },
  { type: 'callAnswered', call: 101 },
  { type: 'callEnded', call: 101, was: 'up' },
  { type: 'callEnded', call: 102, was: 'dialling' },
  { type: 'changed', changes: { active: false } },
  { type: 'changed', changes: { active: true, pace: { callsPerMinute: 600 } } },
];

/** What the chart asks of the world; milestones are nobody's business here. */
const effectsOf = (requests: readonly ChartToEngineRequest[]): object[] =>
  requests.flatMap((request): object[] => {
    if (request.do === 'effect') return [{ type: request.name, params: request.params }];
    if (request.do !== 'tell' && request.do !== 'startMachine') return [];
    const { do: type, ...params } = request;
    return [{ type, params }];
  });

it('decides, asks and waits as the campaign chart does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(facts.length - 1), fc.nat(5_000)), { maxLength: 40 }), (picks) => {
      const resting = resetCampaignContextForForecast(aCampaign({ maxAnswered: 40 }, { SP: 50, AC: 20 }), 0);
      const clock = new VirtualClock(NOON);
      let asked: CampaignEffectRequest[] = [];
      const ours = new SimulatedForecastCampaign(resting, clock, (one) => asked.push(one));
      let theirs = chart.thaw({ v: 'paused', c: resting });
      let looksAt = Number.POSITIVE_INFINITY;
      const bothHear = (hear: () => void, event: { type: string }): void => {
        asked = [];
        hear();
        const stepped = chart.step(theirs, { ...event, at: clock.now() });
        theirs = stepped.snapshot;
        expect(ours.context).toEqual(theirs.context as CampaignContext);
        expect(asked).toEqual(effectsOf(stepped.requests));
        const armed = stepped.requests.find(
          (request) => request.do === 'arm' && request.timer.includes('look'),
        );
        looksAt = armed?.do === 'arm' ? clock.now() + armed.delayMs : Number.POSITIVE_INFINITY;
        expect(clock.next() ?? Number.POSITIVE_INFINITY).toBe(looksAt);
      };
      bothHear(() => ours.switchOn({}), {
        type: 'changed',
        changes: { active: true, model: false },
      } as never);
      for (const [pick, ms] of picks) {
        const until = clock.now() + ms;
        while ((clock.next() ?? Number.POSITIVE_INFINITY) <= until)
          bothHear(() => clock.step(), { type: `xstate.after.look.campaign.active` });
        const fact = facts[pick]!;
        clock.set(until - clock.now(), () => bothHear(() => ours.hear(fact), fact));
        clock.step();
      }
    }),
    { numRuns: 100 },
  );
});
