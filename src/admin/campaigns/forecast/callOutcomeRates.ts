/** What a forecast expects of people: as given, else as it was of late, else a guess. */
import type { CallOutcomeRates } from '../../../forecast/scenarioAndResultTypes.ts';
import type { CallHistoryFigures } from '../../../store/reads/campaigns/forecastInputs.ts';

/** Which calls of the last 30 days the rates were taken from; `default`: there were too few. */
export type OutcomeRateSource = 'campaign' | 'campaigns' | 'calls' | 'default';

/** What may be given instead, by the names of the admin API. */
export interface ForecastOutcomeRateOverrides {
  answer_rate?: number | undefined;
  busy_rate?: number | undefined;
  no_answer_rate?: number | undefined;
  failure_rate?: number | undefined;
  transfer_rate?: number | undefined;
  hang_up_rate?: number | undefined;
  talk_seconds?: number | undefined;
}

/** Fewer dials than this say nothing. */
export const ENOUGH_DIALS = 50;

/** When nothing is known: one in three answers, most others do not. */
export const DEFAULT_CALL_OUTCOME_RATES: CallOutcomeRates = {
  answer: 0.35,
  busy: 0.08,
  noAnswer: 0.45,
  failure: 0.12,
  transfer: 0.1,
  hangUp: 0.3,
  talkSeconds: 120,
  ringSeconds: 9,
};

export const sumDialOutcomes = ({ answered, busy, noAnswer, failed }: CallHistoryFigures): number =>
  answered + busy + noAnswer + failed;

/** Rates as they were. `transfers`: the campaign transfers a callee who presses a key. */
export const outcomeRatesFromHistory = (
  history: CallHistoryFigures,
  transfers: boolean,
): CallOutcomeRates => {
  const dials = sumDialOutcomes(history);
  const ofAnswered = (count: number, otherwise: number): number =>
    history.answeredCalls === 0 ? otherwise : Math.min(1, count / history.answeredCalls);
  return {
    answer: history.answered / dials,
    busy: history.busy / dials,
    noAnswer: history.noAnswer / dials,
    failure: history.failed / dials,
    transfer: ofAnswered(
      transfers ? history.transferred : history.pressed,
      DEFAULT_CALL_OUTCOME_RATES.transfer,
    ),
    hangUp: ofAnswered(history.leftEarly, DEFAULT_CALL_OUTCOME_RATES.hangUp),
    talkSeconds: history.talkSeconds ?? DEFAULT_CALL_OUTCOME_RATES.talkSeconds,
    ringSeconds: history.ringSeconds ?? DEFAULT_CALL_OUTCOME_RATES.ringSeconds,
  };
};

const outcomes = {
  answer: 'answer_rate',
  busy: 'busy_rate',
  noAnswer: 'no_answer_rate',
  failure: 'failure_rate',
} as const satisfies Partial<Record<keyof CallOutcomeRates, keyof ForecastOutcomeRateOverrides>>;

type Outcome = keyof typeof outcomes;

/** Shares are compared with this slack. */
const SLACK = 1e-6;

/** What is wrong with the given shares: a field and a sentence; undefined: nothing. */
export const outcomeRateOverridesError = (
  given: ForecastOutcomeRateOverrides,
): { field: keyof ForecastOutcomeRateOverrides; text: string } | undefined => {
  const named = Object.values(outcomes).filter((field) => given[field] !== undefined);
  const total = named.reduce((sum, field) => sum + given[field]!, 0);
  const field = named.at(-1);
  if (field === undefined) return undefined;
  const sum = `the given shares of ${named.join(', ')} come to ${Number(total.toFixed(6))}`;
  if (total > 1 + SLACK) return { field, text: `${sum}, which is more than 1` };
  if (named.length === 4 && total < 1 - SLACK) return { field, text: `${sum}, which is less than 1` };
  return undefined;
};

/** The given ones, and the others in the proportion they have, so that all outcomes come to 1. */
export const applyOutcomeRateOverrides = (
  base: CallOutcomeRates,
  given: ForecastOutcomeRateOverrides,
): CallOutcomeRates => ({
  ...base,
  ...outcomesWith(base, given),
  transfer: given.transfer_rate ?? base.transfer,
  hangUp: given.hang_up_rate ?? base.hangUp,
  talkSeconds: given.talk_seconds ?? base.talkSeconds,
});

const outcomesWith = (
  base: CallOutcomeRates,
  given: ForecastOutcomeRateOverrides,
): Pick<CallOutcomeRates, Outcome> => {
  const names = Object.keys(outcomes) as Outcome[];
  const open = names.filter((name) => given[outcomes[name]] === undefined);
  const left = Math.max(0, 1 - names.reduce((sum, name) => sum + (given[outcomes[name]] ?? 0), 0));
  const weight = open.reduce((sum, name) => sum + base[name], 0);
  const shareOf = (name: Outcome): number =>
    given[outcomes[name]] ?? left * (weight === 0 ? 1 / open.length : base[name] / weight);
  return {
    answer: shareOf('answer'),
    busy: shareOf('busy'),
    noAnswer: shareOf('noAnswer'),
    failure: shareOf('failure'),
  };
};
