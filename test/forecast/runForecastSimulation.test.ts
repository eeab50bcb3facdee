import { describe, expect, it } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { runForecastSimulation } from '../../src/forecast/runForecastSimulation.ts';
import { DEFAULT_WINDOWS } from '../../src/rules/voice/callingWindows.ts';
import { anInput, NOON } from '../machines/campaigns.ts';
import { aScenario, forecast } from './scenarios.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const at = (text: string): number => Date.parse(text);

/** A campaign whose calls have this in common. */
const calling = (changes: Partial<CampaignInput['call']>): Partial<CampaignInput> => ({
  call: { ...anInput().call, ...changes },
});
const retrying = (tries: number): Partial<CampaignInput> =>
  calling({ schedule: { tries, intervalMs: 30 * MINUTE } });
const paced = (callsPerMinute: number): Partial<CampaignInput> => ({
  pace: { callsPerMinute, maxTransfers: null },
});

describe('a forecast', () => {
  it('is the same for the same scenario, and another for another seed', () => {
    const mixed = { rates: { answer: 0.5, noAnswer: 0.5, hangUp: 0.5 }, regions: { SP: 200, AM: 100 } };
    expect(forecast(mixed)).toEqual(forecast(mixed));
    expect(forecast({ ...mixed, seed: 2 }).seconds).not.toBe(forecast(mixed).seconds);
  });

  it('answers in the given shares, exactly', () => {
    const told = forecast({
      regions: { SP: 1_000 },
      rates: { answer: 0.333, busy: 0.1, noAnswer: 0.467, failure: 0.1 },
    });
    expect(told).toMatchObject({
      ends: 'completed',
      calls: 1_000,
      attempts: 1_000,
      answered: 333,
      unreached: 0,
    });
  });

  it('dials again as often as the campaign does', () => {
    const told = forecast({ campaign: retrying(3), rates: { answer: 0, noAnswer: 1 } });
    expect(told).toMatchObject({ calls: 100, attempts: 300, answered: 0, ends: 'completed' });
    // Rings 45 s three times, and waits half an hour twice.
    expect(told.endsAt).toBeGreaterThan(NOON + 3 * 45_000 + HOUR);
    expect(told.endsAt).toBeLessThan(NOON + 3 * 45_000 + HOUR + 5 * MINUTE);
  });

  it('keeps the pace, and a pace that is only asked for', () => {
    const hours = (callsPerMinute: number, asked?: number | null) =>
      forecast({
        regions: { SP: 600 },
        campaign: paced(callsPerMinute),
        ...(asked !== undefined && { changes: { pace: { callsPerMinute: asked } } }),
      });
    const told = hours(10);
    expect(told.endsAt).toBeGreaterThan(NOON + HOUR - MINUTE);
    expect(told.endsAt).toBeLessThan(NOON + HOUR + MINUTE);
    expect(told.perHour[0]).toMatchObject({ hour: NOON, dials: 600 });
    expect(hours(10, 100).endsAt).toBeLessThan(NOON + 8 * MINUTE);
    expect(hours(10, null).endsAt).toBeLessThan(NOON + 2 * MINUTE);
  });

  it.each([7, 11, 13, 45, 61, 90, 99, 1_100])(
    'comes to its end at %i a minute, which is no whole number of milliseconds',
    (pace) => {
      const told = forecast({ regions: { SP: 100 }, campaign: paced(pace) });
      expect(told).toMatchObject({ ends: 'completed', attempts: 100, unreached: 0 });
      const minutes = (told.endsAt - NOON) / MINUTE;
      expect(minutes).toBeGreaterThan(99 / pace);
      expect(minutes).toBeLessThan(99 / pace + 1);
    },
  );

  it('counts the seconds that people listen, what they cost, and who leaves early', () => {
    const whole = forecast();
    // 100 calls of 20 s and the time of hanging up, rounded to seconds: 0.60 a minute is 0.20 each.
    expect(whole).toMatchObject({ seconds: 2_000, cost: 200_000n });
    const early = forecast({ rates: { hangUp: 1 } });
    expect(early.seconds).toBeGreaterThan(500);
    expect(early.seconds).toBeLessThan(1_500);
  });

  it('never has more calls at a time than the carrier bears, nor more a second', () => {
    const told = forecast({ carrier: { callsPerSecond: 5, legs: 30 } });
    expect(told.peak).toBe(30);
    // 28 seconds each, thirty at a time.
    expect(told.endsAt).toBeGreaterThan(NOON + 2 * 28_000);
    const slow = forecast({ carrier: { callsPerSecond: 2, legs: 500 } });
    expect(slow.endsAt).toBeGreaterThan(NOON + 49_000);
    expect(slow.endsAt).toBeLessThan(NOON + 90_000);
  });

  it('counts a talk of many minutes against the carrier to its end', () => {
    const talking = forecast({
      campaign: calling({ mode: 'question', transfer: { kind: 'queue', queue: 8 } }),
      rates: { transfer: 1, talkSeconds: 1_200 },
      carrier: { callsPerSecond: 20, legs: 10 },
    });
    expect(talking).toMatchObject({ transferred: 100, peak: 10, ends: 'completed' });
  });

  it('keeps the share of the account', () => {
    expect(forecast({ account: { concurrentCalls: 7 } }).peak).toBe(7);
  });

  it('stops at so many answers', () => {
    const told = forecast({ campaign: { maxAnswered: 30 }, rates: { answer: 0.5, busy: 0.5 } });
    expect(told).toMatchObject({ ends: 'limitReached', answered: 30 });
    expect(told.attempts).toBeLessThan(100);
    expect(told.unreached).toBe(100 - told.attempts);
    expect(told.reason).toMatch(/30 calls were answered.*destinations were not dialled/);
  });

  it('says how many are left when the last day is over', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '09:00:00',
      timeEnd: '12:59:59',
    };
    const told = forecast({ regions: { SP: 1_000 }, campaign: { ...paced(10), hours } });
    expect(told).toMatchObject({ ends: 'expired', endsAt: at('2026-11-18T16:00:00Z') });
    expect(told.attempts).toBeGreaterThan(590);
    expect(told.attempts).toBeLessThan(605);
    expect(told.unreached).toBe(1_000 - told.attempts);
    expect(told.reason).toContain('2026-11-18');
  });

  it('waits for the hours of each region', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-20',
      timeStart: '13:00:00',
      timeEnd: '18:00:00',
    };
    // Noon in São Paulo is eleven in Manaus and ten in Rio Branco.
    const told = forecast({ regions: { SP: 50, AM: 30, AC: 20 }, campaign: { hours } });
    expect(told.perHour.map(({ hour, dials }) => [hour - NOON, dials])).toEqual([
      [HOUR, 50],
      [2 * HOUR, 30],
      [3 * HOUR, 20],
    ]);
    expect(told.windows.map(({ region, opensAt }) => [region, opensAt! - NOON])).toEqual([
      ['SP', HOUR],
      ['AM', 2 * HOUR],
      ['AC', 3 * HOUR],
    ]);
  });

  it('keeps the holidays of the account’s table', () => {
    // 20 November is a holiday; the 21st and 22nd are a Saturday and a Sunday.
    const hours = {
      dateStart: '2026-11-20',
      dateEnd: '2026-11-30',
      timeStart: '08:00:00',
      timeEnd: '20:00:00',
    };
    const told = forecast({ campaign: { hours }, account: { table: DEFAULT_WINDOWS } });
    expect(told.windows[0]!.opensAt).toBe(at('2026-11-21T09:00:00-03:00'));
    expect(told.perHour[0]!.hour).toBe(at('2026-11-21T09:00:00-03:00'));
  });

  it('says that a region does not open again', () => {
    const hours = {
      dateStart: '2026-11-18',
      dateEnd: '2026-11-18',
      timeStart: '08:00:00',
      timeEnd: '11:30:00',
    };
    // Over in São Paulo, still open in Rio Branco.
    const told = forecast({ regions: { SP: 10, AC: 10 }, campaign: { hours } });
    expect(told.windows.map(({ opensAt }) => opensAt)).toEqual([null, NOON]);
    expect(told).toMatchObject({ ends: 'expired', calls: 10, unreached: 10 });
  });

  it('ends with the last day when it may not dial at all', () => {
    expect(forecast({ campaign: paced(0) })).toMatchObject({ ends: 'expired', attempts: 0, unreached: 100 });
  });

  it('transfers who presses, and has no more calls under way than may be transferred at a time', () => {
    const transferring = {
      ...calling({ transfer: { kind: 'queue', queue: 8 }, mode: 'question' }),
      pace: { callsPerMinute: null, maxTransfers: 4 },
    };
    const told = forecast({ campaign: transferring, rates: { transfer: 0.25 } });
    expect(told).toMatchObject({ answered: 100, transferred: 25, peak: 4 });
    const free = forecast({
      campaign: transferring,
      changes: { pace: { maxTransfers: null } },
      rates: { transfer: 0.25 },
    });
    expect(free.transferred).toBe(25);
    expect(free.endsAt).toBeLessThan(told.endsAt);
  });

  it.each([
    [
      'a question with two answers',
      calling({ mode: 'question', digits: { count: 2, waitSeconds: 5 }, secondAnswer: 3 }),
    ],
    [
      'a confirmation with validation',
      calling({ mode: 'validate', compare: { column: 'extra1', confirm: '5', digits: 4 } }),
    ],
    ['a key', calling({ keys: { 3: { do: 'transfer', to: { kind: 'agent', agent: 1 } } } })],
  ])('knows what to press: %s', (_, campaign) => {
    const transfer = { kind: 'queue', queue: 8 } as const;
    const call = { ...campaign.call!, ...(campaign.call!.mode === 'play' ? {} : { transfer }) };
    expect(forecast({ campaign: { call }, rates: { transfer: 1 } })).toMatchObject({
      transferred: 100,
      ends: 'completed',
    });
  });

  it('plays calls that speak, ask for a recording and send an SMS', () => {
    const call = calling({
      prompts: {
        opening: [{ text: 'Hello <NOME>, this is a test of twenty words or so', voice: 'v' }],
        slots: {},
      },
      recording: { from: 'ini', maxSeconds: 60 },
      sms: { when: 'ok', text: 'thanks', digit: '' },
    });
    expect(forecast({ campaign: call })).toMatchObject({ ends: 'completed', calls: 100, answered: 100 });
  });

  it('gets on when prompts and windows end between two milliseconds', () => {
    const spoken = calling({ prompts: { opening: [{ text: 'a'.repeat(113), voice: 'v' }], slots: {} } });
    const scenario = aScenario({ campaign: { ...spoken, ...paced(1) }, regions: { SP: 120 } });
    // One that looks for ever comes to the end of its patience here.
    let real = 0;
    const told = runForecastSimulation({ ...scenario, start: NOON + 0.4 }, () => (real += 1_000));
    expect(told).toMatchObject({ ends: 'completed', calls: 120 });
  });

  it('dials several numbers of a person until one answers', () => {
    const scenario = aScenario({ rates: { answer: 0, busy: 1 } });
    scenario.list[0]!.numbers.fill(3);
    expect(runForecastSimulation(scenario, () => 0)).toMatchObject({ calls: 100, attempts: 300 });
  });
});

describe('a campaign that runs already', () => {
  it('goes on from its cursors, with the calls that wait and the attempts they have left', () => {
    const scenario = aScenario({ campaign: retrying(3), rates: { answer: 0, busy: 1 } });
    const { campaign, list } = scenario;
    campaign.regions = { SP: { count: 100, cursor: 90 } };
    campaign.counts = { ...campaign.counts, started: 90, made: 90, ended: 60, answered: 60 };
    list[0] = { ...list[0]!, cursor: 90, rows: list[0]!.rows.slice(90), numbers: list[0]!.numbers.slice(90) };
    scenario.waiting = {
      regions: Array<string>(30).fill('SP'),
      rows: Int32Array.from({ length: 30 }, (_, index) => index),
      tried: new Uint8Array(30).fill(2),
      dueAt: new Float64Array(30).fill(NOON + HOUR),
      dialled: new Float64Array(30),
    };
    const told = runForecastSimulation(scenario, () => 0);
    // Ten destinations three times, thirty calls once more; and nobody is counted as dialled twice.
    expect(told).toMatchObject({ ends: 'completed', calls: 40, attempts: 60, unreached: 0 });
    expect(told.perHour.map(({ hour }) => hour)).toContain(NOON + HOUR);
  });

  it('asks for fewer answers by those it has', () => {
    const scenario = aScenario({ campaign: { maxAnswered: 30 } });
    scenario.campaign.counts.answered = 25;
    expect(runForecastSimulation(scenario, () => 0)).toMatchObject({ ends: 'limitReached', answered: 5 });
  });
});

describe('a forecast that takes too long', () => {
  it('says what it has when the real time is over', () => {
    let real = 0;
    const told = runForecastSimulation(aScenario({ regions: { SP: 10_000 } }), () => (real += 10_000));
    expect(told).toMatchObject({
      ends: 'truncated',
      reason: expect.stringContaining('60 seconds') as string,
    });
    expect(told.calls).toBeLessThan(10_000);
  });

  it('looks no farther than a year', () => {
    const hours = {
      dateStart: '2028-01-01',
      dateEnd: '2029-01-01',
      timeStart: '08:00:00',
      timeEnd: '20:00:00',
    };
    expect(forecast({ campaign: { hours } })).toMatchObject({
      ends: 'truncated',
      attempts: 0,
      reason: expect.stringContaining('370 days') as string,
    });
  });
});
