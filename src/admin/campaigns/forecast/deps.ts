import type { AdminDoor } from '../../door.ts';

/** What a forecast asks of the service: machines, rows, trunks, who pays, what was spent, and the forecasts under way. */
export interface ForecastDeps extends Pick<
  AdminDoor,
  'engine' | 'pool' | 'trunkTable' | 'spentToday' | 'forecasts'
> {
  control: Pick<AdminDoor['control'], 'payersOf'>;
}
