/** A forecast as the admin API writes it: moments in ISO 8601, amounts as the interface writes them. */
import type { Forecast, Scenario } from '../../../forecast/scenario.ts';
import { writeAmount } from '../../../rules/accounts/pricing.ts';
import type { RateSource } from './rates.ts';

export interface Told {
  scenario: Scenario;
  forecast: Forecast;
  source: RateSource;
  /** Rates that were given, by name. */
  given: readonly string[];
  tookMs: number;
}

const iso = (at: number): string => new Date(at).toISOString();

export const writeForecast = ({ scenario, forecast, source, given, tookMs }: Told) => ({
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
  minutes: Math.round(forecast.seconds / 0.6) / 100,
  cost: writeAmount(forecast.cost),
  calls_per_hour: forecast.perHour.map(({ hour, ...counts }) => ({ hour: iso(hour), ...counts })),
  windows: forecast.windows.map(({ opensAt, ...window }) => ({
    ...window,
    opens_at: opensAt === null ? null : iso(opensAt),
  })),
  peak_concurrent: forecast.peak,
  steps: forecast.steps,
  took_ms: tookMs,
});

const writeRates = (rates: Scenario['rates']) => ({
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
