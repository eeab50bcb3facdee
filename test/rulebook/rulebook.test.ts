import { describe, expect, it } from 'vitest';
import { breachesOf } from './calls.ts';
import { breachesOfCampaign } from './campaigns.ts';
import type { CallStory, CampaignStory, Dial } from './evidence.ts';

const NOON = Date.UTC(2026, 10, 24, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

const dial = (at: number, number = '1', endedAt = at + 20_000): Dial => ({
  ...{ number, at: NOON + at, endedAt: NOON + endedAt, mayBeLateMs: 500 },
});

/** Two tries of two numbers, five minutes apart; the third attempt is answered. */
const aCall = (change: Partial<CallStory> = {}, asked: Partial<CallStory['asked']> = {}): CallStory => ({
  name: 'a call',
  asked: {
    numbers: ['1', '2'],
    tries: 2,
    intervalMs: 5 * MINUTE,
    notBefore: NOON,
    until: NOON + 10 * MINUTE,
    ...asked,
  },
  dials: [dial(0), dial(20_000, '2'), dial(40_000 + 5 * MINUTE, '1')],
  told: [{ status: 'BUSY' }, { status: 'NOANSWER' }, { status: 'OK' }],
  overAt: NOON + 6 * MINUTE,
  clocksMs: 100,
  ...change,
});

const oneNumber = { numbers: ['1'], tries: 3 };
const later = (dials: readonly Dial[], ms: number): Dial[] =>
  dials.map((one) => ({ ...one, at: one.at + ms, endedAt: one.endedAt! + ms }));

describe('a call', () => {
  it.each<[string, CallStory]>([
    ['tries its numbers in order, and all of them again after the pause', aCall()],
    ['may lose an attempt on its way', aCall({ dials: [dial(0), dial(40_000 + 5 * MINUTE, '1')] })],
    [
      'moves on by days when nothing was tried',
      aCall({ dials: later(aCall().dials, DAY), overAt: NOON + DAY + 6 * MINUTE }),
    ],
    [
      'is dialled by a clock that was ahead',
      aCall({ dials: [{ ...dial(0), mayBeEarlyMs: MINUTE }] }, { notBefore: NOON + MINUTE }),
    ],
    ['is dialled at once when an operator says so', aCall({ isHurried: true }, { notBefore: NOON + DAY })],
    [
      'is dialled after its last moment when an operator says so',
      aCall({ isHurried: true }, { until: NOON - MINUTE }),
    ],
    ['may be late by what was done to it', aCall({ cancelledAt: NOON + 5 * MINUTE + 39_900 })],
  ])('%s', (_, story) => expect(breachesOf(story)).toEqual([]));

  const told = aCall().told;
  it.each<[string, CallStory, RegExp]>([
    [
      'is dialled once too often',
      aCall(
        { dials: [dial(0), dial(5 * MINUTE), dial(10 * MINUTE)] },
        { numbers: ['1'], tries: 2, intervalMs: 0 },
      ),
      /3 dials, not 2/,
    ],
    ['tells of an attempt too many', aCall({ told: [...told, ...told] }), /6 attempts are told, not 4/],
    [
      'was dialled when it says that it was not',
      aCall({ told: [{ status: 'OK' }] }),
      /3 dials and 1 attempts/,
    ],
    [
      'tries a number out of turn',
      aCall({ dials: [dial(0, '2'), dial(20_000, '2'), dial(10 * MINUTE, '2')] }),
      /not its turn/,
    ],
    ['goes on after an answer', aCall({ told: [{ status: 'OK' }, ...told] }), /followed one that ended OK/],
    ['goes on after a cancel', aCall({ told: [{ status: 'CANCEL' }, { status: 'OK' }] }), /ended CANCEL/],
    [
      'tries again too soon',
      aCall({ dials: [dial(0), dial(2 * MINUTE)] }, oneNumber),
      /after 100 s, not 300 s/,
    ],
    [
      'tries again while the last attempt lives',
      aCall({ dials: [{ ...dial(0), endedAt: undefined as never }, dial(6 * MINUTE)] }, oneNumber),
      /while the last attempt lives/,
    ],
    ['is dialled before its date', aCall({}, { notBefore: NOON + MINUTE }), /60 s before its date/],
    ['tries after its last moment', aCall({}, { until: NOON + MINUTE }), /280 s after its last moment/],
    ['is dialled though it is over', aCall({ overAt: NOON + MINUTE }), /280 s after it was over/],
    ['is dialled though it was cancelled', aCall({ cancelledAt: NOON + MINUTE }), /after its cancel/],
  ])('%s', (_, story, breach) => expect(breachesOf(story).join('\n')).toMatch(breach));
});

const one = (row: number, at: number, number = `${row}`): CampaignStory['calls'][number] => ({
  ...aCall({ name: `call ${row}`, dials: [dial(at, number)] }),
  ...{ row, isAnswered: true },
});

const aCampaign = (change: Partial<CampaignStory> = {}): CampaignStory => ({
  name: 'a campaign',
  records: new Map([1, 2, 3].map((row) => [row, [`${row}`]])),
  calls: [one(1, 0), one(2, MINUTE), one(3, 2 * MINUTE)],
  maxAnswered: 3,
  paces: [{ from: NOON, callsPerMinute: 1 }],
  isOpen: (_, at) => at < NOON + 3 * MINUTE,
  clocksMs: 100,
  ...change,
});

describe('a campaign', () => {
  it('calls each record once, at its pace, within its hours', () =>
    expect(breachesOfCampaign(aCampaign())).toEqual([]));

  it.each<[string, Partial<CampaignStory>, RegExp]>([
    ['calls a record twice', { calls: [one(1, 0), one(1, MINUTE)] }, /second call/],
    ['calls who was left out', { calls: [one(4, 0)] }, /row 4, which is not to be dialled/],
    ['dials the number of another record', { calls: [one(1, 0, '2')] }, /dialled 2, which is not in row 1/],
    ['goes on when enough have answered', { maxAnswered: 2 }, /3 calls were answered, not 2/],
    [
      'is faster than its pace',
      { calls: [1, 2, 3].map((row) => one(row, row)) },
      /3 dials when the pace allowed 2/,
    ],
    ['dials though it was stopped', { paces: [{ from: NOON, callsPerMinute: 0 }] }, /the pace allowed 0/],
    ['dials outside its hours', { isOpen: (row) => row < 3 }, /call 3 dialled .* outside the hours/],
  ])('%s', (_, change, breach) => expect(breachesOfCampaign(aCampaign(change)).join('\n')).toMatch(breach));
});
