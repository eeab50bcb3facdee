/** The process that plays a forecast: it is given a scenario, answers with what came of it, and ends. */
import { setPriority } from 'node:os';
import type { Forecast, Scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

export type ForecastReply = { forecast: Forecast } | { failure: string };

/** Calls that are real go first: this process gets the time that is left. */
const NICE = 10;

const answer = (scenario: Scenario): ForecastReply => {
  try {
    return { forecast: simulate(scenario, () => performance.now()) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

setPriority(NICE);
process.once('message', (scenario: Scenario) => process.send?.(answer(scenario)));
process.on('disconnect', () => process.exit(0));
