/** A forecast as the admin API writes it: moments in ISO 8601, amounts as the interface writes them. */
import type {
  BalanceForecast,
  ForecastResult,
  ForecastSimulationInput,
  ForecastTrunkTotals,
} from '../../../forecast/scenarioAndResultTypes.ts';
import { formatCommaAmount, formatTenThousandths } from '../../../rules/accounts/pricing.ts';
import type { OutcomeRateSource } from './callOutcomeRates.ts';

export interface Told {
  scenario: ForecastSimulationInput;
  forecast: ForecastResult;
  source: OutcomeRateSource;
  /** Rates that were given, by name. */
  given: readonly string[];
  tookMs: number;
}

const iso = (at: number): string => new Date(at).toISOString();

export const formatForecastApiAnswer = ({ scenario, forecast, source, given, tookMs }: Told) => ({
  source_of_rates: source,
  given_rates: given,
  rates: writeRates(scenario.rates),
  seed: scenario.seed,
  destinations: scenario.list.reduce((sum, { rows }) => sum + rows.length, 0),
  waiting_calls: scenario.waiting.regions.length,
  skipped: scenario.campaign.skipped,
  started_at: iso(scenario.start),
  ends: forecast.ends,
  finishes_at: forecast.ends === 'completed' ? iso(forecast.endsAt) : null,
  stops_at: iso(forecast.endsAt),
  reason: forecast.reason,
  truncated: forecast.ends === 'truncated',
  expires_with_unreached: forecast.ends === 'expired' ? forecast.unreached : 0,
  unreached: forecast.unreached,
  calls: forecast.calls,
  attempts: forecast.attempts,
  answered: forecast.answered,
  transferred: forecast.transferred,
  minutes: minutesOf(forecast),
  cost: formatCommaAmount(forecast.cost),
  earnings: writeEarnings({
    sale: forecast.cost,
    purchase: forecast.trunks.reduce((sum, { purchase }) => sum + purchase, 0n),
    unpriced: forecast.trunks.reduce((sum, { unpriced }) => sum + unpriced, 0),
  }),
  trunks: forecast.trunks.map(writeTrunk),
  left_out: forecast.leftOut.map(writeLeftOut),
  balance: forecast.balance ? writeBalance(forecast.balance) : null,
  calls_per_hour: forecast.perHour.map(({ hour, ...counts }) => ({ hour: iso(hour), ...counts })),
  windows: forecast.windows.map(({ opensAt, ...window }) => ({
    ...window,
    opens_at: opensAt === null ? null : iso(opensAt),
  })),
  peak_concurrent: forecast.peak,
  steps: forecast.steps,
  took_ms: tookMs,
});

/** Minutes of talk, with two decimals. */
const minutesOf = ({ seconds }: Pick<ForecastResult, 'seconds'>): number => Math.round(seconds / 0.6) / 100;

const writeEarnings = ({
  sale,
  purchase,
  unpriced,
}: Pick<ForecastTrunkTotals, 'sale' | 'purchase' | 'unpriced'>) => ({
  sale: formatTenThousandths(sale),
  purchase: formatTenThousandths(purchase),
  margin: formatTenThousandths(sale - purchase),
  unpriced,
});

const writeTrunk = (of: ForecastTrunkTotals) => ({
  ...{ trunk: of.trunk, calls: of.calls, attempts: of.attempts, answered: of.answered },
  minutes: minutesOf(of),
  ...writeEarnings(of),
});

const writeLeftOut = ({ type, reason, trunks, destinations }: ForecastResult['leftOut'][number]) => ({
  ends: type === 'refused' ? ('CANCEL' as const) : ('waits' as const),
  reason,
  trunks: [...trunks],
  destinations,
});

const writeBalance = ({ payers, runsOutAt, attemptsBefore, unfunded, cutOff }: BalanceForecast) => ({
  runs_out_at: runsOutAt === null ? null : iso(runsOutAt),
  attempts_before: attemptsBefore,
  unfunded,
  cut_off: cutOff,
  payers: payers.map(({ account, before, after }) => ({
    ...{ cdcs_id: account, before: formatTenThousandths(before), after: formatTenThousandths(after) },
  })),
});

const writeRates = (rates: ForecastSimulationInput['rates']) => ({
  answer_rate: share(rates.answer),
  busy_rate: share(rates.busy),
  no_answer_rate: share(rates.noAnswer),
  failure_rate: share(rates.failure),
  transfer_rate: share(rates.transfer),
  hang_up_rate: share(rates.hangUp),
  talk_seconds: share(rates.talkSeconds),
  ring_seconds: share(rates.ringSeconds),
});

const share = (value: number): number => Math.round(value * 10_000) / 10_000;
