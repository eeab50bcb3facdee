/** The process that plays a forecast: it is given a scenario, answers with what came of it, and ends. */
import type { Forecast, Scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

export type ForecastReply = { forecast: Forecast } | { failure: string };

const answer = (scenario: Scenario): ForecastReply => {
  try {
    return { forecast: simulate(scenario, () => performance.now()) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

process.once('message', (scenario: Scenario) => process.send?.(answer(scenario)));
process.on('disconnect', () => process.exit(0));
