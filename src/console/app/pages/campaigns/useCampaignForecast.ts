/** The forecast of a campaign at a pace that is tried: estimated at once while the slider moves, exact when it comes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type CampaignForecastAnswer, forecastCampaignAtPace } from './data.ts';

/** A pace: calls a minute; null: as fast as the carrier bears. */
export type Pace = number | null;

export interface ShownForecast {
  forecast: CampaignForecastAnswer;
  pace: Pace;
  /** Not played yet at this pace, but reckoned from one that was. */
  isEstimate: boolean;
}

/** A slider that moves asks for nothing; it is asked when it stands still for so long, milliseconds. */
const stillMs = 300;

export interface ForecastRequestState {
  shown: ShownForecast | undefined;
  failure: unknown;
}

/** Whether a forecast was asked for and has not come yet. */
export interface PendingForecast {
  current: boolean;
}

/** `version`: what was asked for is dropped, and asked for anew, when this is another. Undefined: there is none to be asked for. */
export const useCampaignForecast = (
  id: number,
  pace: Pace,
  version: string | undefined,
  pending: PendingForecast,
): ForecastRequestState => {
  const [exact, setExact] = useState<{ forecast: CampaignForecastAnswer; pace: Pace }>();
  const [failure, setFailure] = useState<unknown>();
  const first = useRef(true);
  useEffect(() => {
    if (version === undefined) return undefined;
    const leaving = new AbortController();
    const ask = (): void => {
      pending.current = true;
      forecastCampaignAtPace(id, pace, leaving.signal).then(
        (forecast) => {
          pending.current = false;
          setExact({ forecast, pace });
          setFailure(undefined);
        },
        (error: unknown) => {
          if (leaving.signal.aborted) return;
          pending.current = false;
          setFailure(error);
        },
      );
    };
    const timer = setTimeout(ask, first.current ? 0 : stillMs);
    first.current = false;
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [id, pace, version]);
  if (!exact || version === undefined) return { shown: undefined, failure };
  const isEstimate = exact.pace !== pace;
  const forecast = isEstimate ? estimated(exact.forecast, exact.pace, pace) : exact.forecast;
  return { shown: { forecast, pace, isEstimate }, failure };
};

const minuteMs = 60_000;

/** As long as its attempts take at the other pace, if that is what bounds it. It knows nothing of nights and retries. */
const estimated = (known: CampaignForecastAnswer, was: Pace, is: Pace): CampaignForecastAnswer => {
  const started = Date.parse(known.started_at);
  const took = Math.max(minuteMs, Date.parse(known.stops_at) - started);
  const most = known.destinations || 1;
  const perMinute = was ?? known.attempts / (took / minuteMs);
  const factor = is === null ? 1 : is === 0 ? 0 : is / Math.max(1, perMinute);
  const faster = factor === 0 ? Infinity : 1 / factor;
  if (known.ends === 'expired') {
    const called = Math.min(most, Math.round((most - known.unreached) * (factor || 0)));
    return scaled(known, called, most, known.stops_at);
  }
  const stops = Number.isFinite(faster) ? new Date(started + took * faster).toISOString() : known.stops_at;
  return scaled(known, factor === 0 ? 0 : most, most, stops);
};

const scaled = (
  known: CampaignForecastAnswer,
  called: number,
  most: number,
  stops: string,
): CampaignForecastAnswer => {
  const before = Math.max(1, most - known.unreached);
  const part = called / before;
  return {
    ...known,
    unreached: most - called,
    ends: called >= most ? 'completed' : 'expired',
    finishes_at: called >= most ? stops : null,
    stops_at: stops,
    calls: called,
    attempts: Math.round(known.attempts * part),
    answered: Math.round(known.answered * part),
  };
};

/** At about which pace all would be reached. */
export const callPaceNeeded = ({ forecast, pace }: ShownForecast): number =>
  pace === null || pace === 0
    ? 0
    : Math.ceil((pace * forecast.destinations) / Math.max(1, forecast.destinations - forecast.unreached));
