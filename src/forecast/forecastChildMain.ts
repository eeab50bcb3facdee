/** The process that plays a forecast: it is given a scenario, answers with what came of it, and ends. */
import type { ForecastResult, ForecastSimulationInput } from './scenarioAndResultTypes.ts';
import { runForecastSimulation } from './runForecastSimulation.ts';

export type ForecastChildReply = { forecast: ForecastResult } | { failure: string };

const answer = (scenario: ForecastSimulationInput): ForecastChildReply => {
  try {
    return { forecast: runForecastSimulation(scenario, () => performance.now()) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

process.once('message', (scenario: ForecastSimulationInput) => process.send?.(answer(scenario)));
process.on('disconnect', () => process.exit(0));
