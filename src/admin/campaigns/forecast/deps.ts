import type { AdminDoor } from '../../door.ts';

/** What a forecast asks of the service: machines, rows, what the carrier bears, and the forecasts under way. */
export type ForecastDeps = Pick<AdminDoor, 'engine' | 'pool' | 'carrier' | 'callerIdPools' | 'forecasts'>;
