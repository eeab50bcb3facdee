import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CALL_OUTCOME_RATES,
  sumDialOutcomes,
  outcomeRateOverridesError,
  outcomeRatesFromHistory,
  applyOutcomeRateOverrides,
} from '../../../src/admin/campaigns/forecast/callOutcomeRates.ts';

const history = {
  answered: 40,
  busy: 10,
  noAnswer: 45,
  failed: 5,
  ringSeconds: 6.5,
  answeredCalls: 40,
  transferred: 4,
  pressed: 12,
  leftEarly: 10,
  talkSeconds: 95,
};

describe('rates of late', () => {
  it('are shares of the dials, and of those who answered', () => {
    expect(sumDialOutcomes(history)).toBe(100);
    expect(outcomeRatesFromHistory(history, true)).toEqual({
      answer: 0.4,
      busy: 0.1,
      noAnswer: 0.45,
      failure: 0.05,
      transfer: 0.1,
      hangUp: 0.25,
      talkSeconds: 95,
      ringSeconds: 6.5,
    });
  });

  it('count who pressed something when nobody is transferred', () => {
    expect(outcomeRatesFromHistory(history, false).transfer).toBe(0.3);
  });

  it('guess what nobody could measure', () => {
    const silent = { ...history, answered: 0, answeredCalls: 0, talkSeconds: null, ringSeconds: null };
    const { transfer, hangUp, talkSeconds, ringSeconds } = DEFAULT_CALL_OUTCOME_RATES;
    expect(outcomeRatesFromHistory(silent, true)).toMatchObject({
      answer: 0,
      transfer,
      hangUp,
      talkSeconds,
      ringSeconds,
    });
  });
});

describe('given rates', () => {
  it('take their part, and the others share the rest as they did', () => {
    const rates = applyOutcomeRateOverrides(outcomeRatesFromHistory(history, true), {
      answer_rate: 0.7,
      talk_seconds: 30,
      hang_up_rate: 0,
    });
    expect(rates).toMatchObject({ answer: 0.7, talkSeconds: 30, hangUp: 0, transfer: 0.1, ringSeconds: 6.5 });
    expect(rates.busy).toBeCloseTo(0.05, 10);
    expect(rates.noAnswer).toBeCloseTo(0.225, 10);
    expect(rates.failure).toBeCloseTo(0.025, 10);
  });

  it('leave the rest in equal parts to what never happened', () => {
    const always = { ...DEFAULT_CALL_OUTCOME_RATES, answer: 1, busy: 0, noAnswer: 0, failure: 0 };
    const { answer, ...rest } = applyOutcomeRateOverrides(always, { answer_rate: 0.4 });
    expect(answer).toBe(0.4);
    for (const share of [rest.busy, rest.noAnswer, rest.failure]) expect(share).toBeCloseTo(0.2, 10);
  });

  it('may come to exactly 1, whatever the decimals do', () => {
    expect(
      outcomeRateOverridesError({ answer_rate: 0.1, busy_rate: 0.2, no_answer_rate: 0.3, failure_rate: 0.4 }),
    ).toBeUndefined();
    expect(outcomeRateOverridesError({ answer_rate: 0.7, busy_rate: 0.3 })).toBeUndefined();
    expect(outcomeRateOverridesError({ transfer_rate: 1, hang_up_rate: 1 })).toBeUndefined();
    expect(outcomeRateOverridesError({})).toBeUndefined();
  });

  it('are refused when they come to more, or all four to less', () => {
    expect(outcomeRateOverridesError({ answer_rate: 0.8, failure_rate: 0.3 })).toEqual({
      field: 'failure_rate',
      text: 'the given shares of answer_rate, failure_rate come to 1.1, which is more than 1',
    });
    const little = { answer_rate: 0.1, busy_rate: 0.1, no_answer_rate: 0.1, failure_rate: 0.1 };
    expect(outcomeRateOverridesError(little)?.text).toContain('come to 0.4, which is less than 1');
  });
});
