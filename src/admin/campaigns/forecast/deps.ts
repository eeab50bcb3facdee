import type { AdminDeps } from '../../deps.ts';

/** What a forecast asks of the service: machines, rows, trunks, who pays, what was spent, and the forecasts under way. */
export interface ForecastDeps extends Pick<
  AdminDeps,
  'engine' | 'pool' | 'trunkTable' | 'spentToday' | 'forecasts'
> {
  control: Pick<AdminDeps['control'], 'payersOf'>;
}
