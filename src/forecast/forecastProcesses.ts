/** Forecasts beside the service: each in a process of its own, a few at a time, given up when the caller has left. */
import type { ChildProcess } from 'node:child_process';
import { forkSiblingModule } from '../forkSiblingModule.ts';
import type { ForecastChildReply } from './forecastChildMain.ts';
import type { ForecastResult, ForecastSimulationInput } from './scenarioAndResultTypes.ts';

export interface ForecastRunner {
  /** Takes a place for one forecast; undefined: all are taken. The caller gives it back. */
  take(): ReservedForecastProcess | undefined;
  /** Ends those that go on: `play` rejects with the reason. */
  stop(reason: Error): void;
}

export interface ReservedForecastProcess {
  /** Plays it. Rejects with the signal's reason when that is aborted, and when the process breaks. */
  play(scenario: ForecastSimulationInput, signal: AbortSignal): Promise<ForecastResult>;
  release(): void;
}

export interface ForecastRunnerOptions {
  /** Forecasts at a time. Default 2. */
  atOnce?: number;
}

/** A million destinations take some 200 MB, and half a kilobyte more for each call that waits at the same time. */
const MEMORY_MB = 1_024;
/** Steps leave much behind that is dead at once: a wide nursery is swept seldom. */
const NURSERY_MB = 32;

export const openForecastRunner = ({ atOnce = 2 }: ForecastRunnerOptions = {}): ForecastRunner => {
  const places = new Set<ReservedForecastProcess>();
  const stopping = new AbortController();
  return {
    take() {
      if (places.size >= atOnce) return undefined;
      const place: ReservedForecastProcess = {
        play: (scenario, signal) => play(scenario, AbortSignal.any([signal, stopping.signal])),
        release: () => void places.delete(place),
      };
      places.add(place);
      return place;
    },
    stop: (reason) => stopping.abort(reason),
  };
};

const play = async (scenario: ForecastSimulationInput, signal: AbortSignal): Promise<ForecastResult> => {
  signal.throwIfAborted();
  const child = forkChild();
  try {
    const reply = await ask(child, scenario, signal);
    if ('failure' in reply) throw new Error(`the forecast failed: ${reply.failure}`);
    return reply.forecast;
  } finally {
    child.kill('SIGKILL');
  }
};

const ask = (
  child: ChildProcess,
  scenario: ForecastSimulationInput,
  signal: AbortSignal,
): Promise<ForecastChildReply> =>
  new Promise((resolve, reject) => {
    const lost = (): void => reject(new Error('the process of the forecast was lost'));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    child.once('message', (reply: ForecastChildReply) => resolve(reply));
    child.once('exit', lost).once('error', lost);
    child.send(scenario, (error) => error && lost());
  });

const forkChild = (): ChildProcess =>
  forkSiblingModule(import.meta.url, 'forecastChildMain', {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`, `--max-semi-space-size=${NURSERY_MB}`],
    serialization: 'advanced',
    // Calls that are real go first.
    lowPriority: true,
  });
