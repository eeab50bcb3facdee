/** Forecasts as the admin door makes them, from the gathered scenario to the answer, each in a process of its own. */
import { openForecastRunner, type ForecastRunner } from '../../src/forecast/forecastProcesses.ts';
import type { ForecastResult, ForecastSimulationInput } from '../../src/forecast/scenarioAndResultTypes.ts';
import { anInput } from '../machines/campaigns.ts';
import { aScenario } from '../forecast/scenarios.ts';
import { watchChildren } from './memory.ts';
import type { Section } from './section.ts';

const REGIONS = ['SP', 'RJ', 'MG', 'BA', 'PE', 'AM', 'MT', 'AC', 'CE', 'PR'];
const MINUTE = 60_000;

/** Two in five answer; one in ten of those wants to talk to somebody. */
const rates = { answer: 0.4, busy: 0.1, noAnswer: 0.4, failure: 0.1, transfer: 0.1, hangUp: 0.3 };

const campaignOf = (destinations: number, tries: number): ForecastSimulationInput => {
  const { call } = anInput();
  const hours = {
    dateStart: '2026-11-18',
    dateEnd: '2026-12-31',
    timeStart: '09:00:00',
    timeEnd: '20:59:59',
  };
  return aScenario({
    regions: Object.fromEntries(REGIONS.map((region) => [region, destinations / REGIONS.length])),
    campaign: {
      hours,
      pace: { callsPerMinute: 1_200, maxTransfers: null },
      call: {
        ...call,
        mode: 'question',
        transfer: { kind: 'queue', queue: 1 },
        schedule: { tries, intervalMs: 30 * MINUTE },
      },
    },
    rates,
    carrier: { callsPerSecond: 50, legs: 2_000 },
    patienceMs: 600_000,
  });
};

export const forecast: Section = async ({ quick, rounds, note, say }) => {
  const destinations = quick ? 2_000 : 100_000;
  const forecasts = openForecastRunner();
  for (let round = 0; round < rounds; round++)
    for (const tries of [1, 3]) {
      const { told, seconds, megabytes } = await play(forecasts, campaignOf(destinations, tries));
      const name = `${destinations.toLocaleString('en')} destinations, ${tries === 1 ? 'one try' : `${tries} tries`}`;
      say(`${name}: ${told.attempts} dials, ${told.steps} steps in ${seconds.toFixed(1)} s`);
      note(name, { value: seconds, unit: 's', ...(quick ? {} : { goal: { below: 30 } }) });
      note(`${name}: steps`, { value: told.steps / seconds, unit: '1/s' });
      note(`${name}: largest memory of the process`, { value: megabytes, unit: 'MB' });
    }
};

const play = async (
  forecasts: ForecastRunner,
  scenario: ForecastSimulationInput,
): Promise<{ told: ForecastResult; seconds: number; megabytes: number }> => {
  const place = forecasts.take()!;
  const child = watchChildren(process.pid, 'forecastChildMain');
  try {
    const began = performance.now();
    const told = await place.play(scenario, new AbortController().signal);
    const seconds = (performance.now() - began) / 1_000;
    if (told.ends !== 'completed') throw new Error(`the forecast ended ${told.ends}: ${told.reason}`);
    return { told, seconds, megabytes: child.stop() };
  } finally {
    child.stop();
    place.release();
  }
};
