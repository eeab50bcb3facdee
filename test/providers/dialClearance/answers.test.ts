/** What every rule answered goes with the admission's answer, in few bytes. */
import { array, assert, asyncProperty, constantFrom, integer, option, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialClearanceEffects, DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import { openCallAdmission } from '../../../src/providers/dialClearance/callAdmission.ts';
import { openTrunkChooser } from '../../../src/providers/dialClearance/trunkChoice.ts';
import type { DialClearanceRepository } from '../../../src/providers/contracts/dialClearance.ts';
import type { Fact } from '../../../src/engine/contract/performer.ts';
import { fromLocal } from '../../../src/lib/localTime.ts';
import { maxDialRuleAnswersBytes } from '../../../src/rules/voice/summarizeDialRuleAnswers.ts';
import { tableOf, trunkOf } from '../../rules/trunks/trunkTable.ts';
import { handClock } from '../../helpers/handClock.ts';

type Question = DialClearanceEffects['requestClearance'];

const WEDNESDAY_NOON = fromLocal('2026-11-18', '12:00', 'America/Sao_Paulo');
const NUMBER = '5511987654321';

const everything: Question = {
  destination: NUMBER,
  attempt: 1,
  priority: 0,
  skipBlocklist: false,
  campaign: 31,
  restScope: 'campaign 31',
  customerCampaign: 'spring',
  numberLimit: 3,
  audioLimit: 2,
  audioKey: 'audio',
  waitForWindow: true,
};

const willing: DialClearanceRepository = {
  account: async () => ({ active: true, callingWindows: null, concurrentCalls: null }),
  campaignPaused: async () => false,
  blocked: async () => undefined,
  callsBefore: async (_, { audioKey }) => (audioKey === undefined ? 2 : 1),
  rested: async () => undefined,
  rest: async () => {},
  block: async () => {},
};

interface Circumstances {
  repository?: Partial<DialClearanceRepository>;
  at?: number;
  legs?: number;
  waiting?: number;
  /** So many trunks with the longest names are drained. */
  drained?: number;
}

const anAdmission = ({
  repository,
  at = WEDNESDAY_NOON,
  legs = 10,
  waiting = 100,
  drained = 0,
}: Circumstances = {}) => {
  const idle = Array.from({ length: drained }, (_, nth) =>
    trunkOf(nth + 2, `${'n'.repeat(39)}${nth}`, { state: 'draining' }),
  );
  const table = tableOf([trunkOf(1, 'test route', { callsPerSecond: 1000, legs }), ...idle]);
  const clock = handClock(at);
  const reported: Fact[] = [];
  const admission = openCallAdmission({
    repository: { ...willing, ...repository },
    trunks: openTrunkChooser({ now: () => table, trunk: () => table.trunks[0] }),
    report: (_, fact) => reported.push(fact),
    clock,
    waiting,
  });
  const ask = async (id: number, question: Question = everything) => {
    const machine = { shard: 'a', account: 7, id, kind: 'call' };
    const call = { id: `a.7.${id}.1.0`, name: 'requestClearance', params: question, machine, attempt: 1 };
    const signal = new AbortController().signal;
    return (await admission.performers.requestClearance({ ...call, seen: {}, signal }))?.events?.[0];
  };
  return { admission, clock, reported, ask };
};

const passed: DialRuleAnswers = {
  ...{ account: 'active', campaign: 'active', list: 'none', rest: 'none', calls: [2, 3], audio: [1, 2] },
  ...{ window: 'SP 08:00-21:00', holiday: 'none' },
};

const answersTo = async (circumstances: Circumstances, question?: Question) =>
  (await anAdmission(circumstances).ask(1, question))?.['answers'];

describe('the answers of the rules', () => {
  it('all stand with the grant', async () => {
    expect(await answersTo({})).toEqual({ ...passed, line: 0 });
  });

  it('say what was not asked by leaving it out', async () => {
    const { campaign: _, restScope: __, ...single } = everything;
    const plain = { ...single, customerCampaign: '', skipBlocklist: true, waitForWindow: false };
    expect(await answersTo({}, plain)).toEqual({ account: 'active', list: 'passed', line: 0 });
  });

  it('name the hours of a call of a campaign, which keeps them itself', async () => {
    const night = { at: fromLocal('2026-11-18', '22:00', 'America/Sao_Paulo') };
    const answers = await answersTo(night, { ...everything, waitForWindow: false });
    expect(answers).toEqual({ ...passed, window: 'SP closed 08:00-21:00', line: 0 });
  });

  it.each<[string, Circumstances, DialRuleAnswers]>([
    [
      'an account that is switched off',
      {
        repository: { account: async () => ({ active: false, callingWindows: null, concurrentCalls: null }) },
      },
      { account: 'off' },
    ],
    [
      'a campaign that is paused',
      { repository: { campaignPaused: async () => true } },
      { account: 'active', campaign: 'paused' },
    ],
    [
      'a block list',
      { repository: { blocked: async () => ({ list: 'global', reason: 'x' }) } },
      { account: 'active', campaign: 'active', list: 'global' },
    ],
    [
      'the wish of the callee',
      { repository: { rested: async () => 'unwanted' } },
      { account: 'active', campaign: 'active', list: 'none', rest: 'unwanted' },
    ],
    [
      'a limit',
      { repository: { callsBefore: async () => 3 } },
      { account: 'active', campaign: 'active', list: 'none', rest: 'none', calls: [3, 3] },
    ],
    [
      'the hour',
      { at: fromLocal('2026-11-18', '22:00', 'America/Sao_Paulo') },
      { ...passed, window: 'SP closed 08:00-21:00' },
    ],
    [
      'a holiday',
      { at: fromLocal('2026-11-20', '12:00', 'America/Sao_Paulo') },
      { ...passed, window: 'SP closed', holiday: 'Dia da Consciência Negra' },
    ],
    ['a full carrier', { legs: 0, waiting: 0 }, { ...passed, line: 'full' }],
  ])('end with the one that said no: %s', async (_, circumstances, answers) => {
    const fact = await anAdmission(circumstances).ask(1);
    expect(fact?.type).not.toBe('cleared');
    expect(fact?.['answers']).toEqual(answers);
  });

  it('are those of the moment at which its turn came, with how long it waited', async () => {
    let blocked = false;
    const repository: Partial<DialClearanceRepository> = {
      blocked: async () => (blocked ? { list: 'account', reason: '' } : undefined),
    };
    const { admission, clock, reported, ask } = anAdmission({ legs: 1, repository });
    await ask(1);
    expect(await ask(2)).toBeUndefined();
    clock.turn(1_500);
    admission.release({ shard: 'a', account: 7, id: 1 });
    await expect
      .poll(() => reported)
      .toMatchObject([{ type: 'cleared', answers: { ...passed, line: 1_500 } }]);
    expect(await ask(3)).toBeUndefined();
    blocked = true;
    admission.release({ shard: 'a', account: 7, id: 2 });
    await expect.poll(() => reported[1]).toMatchObject({ type: 'refused', answers: { list: 'account' } });
  });

  it('are what it would say now, and asking takes no line', async () => {
    const { admission, ask } = anAdmission({ legs: 1 });
    const caller = { shard: 'a', account: 7, id: 0 };
    expect(await admission.wouldClear(caller, everything)).toMatchObject({
      objection: undefined,
      answers: passed,
    });
    expect(admission.load()).toEqual({ waiting: 0, held: 0 });
    expect(await ask(1)).toMatchObject({ type: 'cleared' });
  });

  it(`take ${maxDialRuleAnswersBytes} bytes at most, whatever limits, tables, names and reasons there are`, async () => {
    const hour = integer({ min: 0, max: 22 }).map((from) => {
      const two = (value: number) => String(value).padStart(2, '0');
      return `${two(from)}:00-${two(from + 1)}:30`;
    });
    const hours = array(hour, { minLength: 1, maxLength: 40 });
    const most = constantFrom(1, 9_999, Number.MAX_SAFE_INTEGER);
    const extremes = record({
      at: integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') }),
      ddd: constantFrom(11, 21, 68, 82, 92, 61, 71, 85, 47),
      windows: record({ weekdays: hours, saturdays: hours, sundays: hours, holidays: hours }),
      count: most,
      limit: most,
      rested: option(string({ unit: 'binary', minLength: 1, maxLength: 200 })),
      legs: constantFrom(0, 10),
      drained: constantFrom(0, 1, 8),
    });
    let longest = 0;
    await assert(
      asyncProperty(extremes, async ({ at, ddd, windows, count, limit, rested, legs, drained }) => {
        const account = { active: true, callingWindows: windows, concurrentCalls: null };
        const repository = {
          account: async () => account,
          callsBefore: async () => Math.min(count, limit - 1),
          rested: async () => rested ?? undefined,
        };
        const question = { ...everything, destination: `55${ddd}987654321` };
        const limits = { numberLimit: limit, audioLimit: limit };
        const answers = await answersTo(
          { repository, at, legs, waiting: 0, drained },
          { ...question, ...limits },
        );
        const bytes = Buffer.byteLength(JSON.stringify(answers));
        longest = Math.max(longest, bytes);
        expect(bytes).toBeLessThanOrEqual(maxDialRuleAnswersBytes);
      }),
      { numRuns: 500 },
    );
    expect(longest).toBeGreaterThan(150);
  });
});
