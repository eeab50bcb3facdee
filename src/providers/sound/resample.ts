/**
 * From one sample rate to another, through a windowed-sinc low-pass in polyphase form: what the lower rate cannot
 * carry is taken out first, so nothing folds back as noise.
 */
import { concatenateSamples, type AudioSampleProcessor } from './soundStage.ts';

/** Stop-band attenuation of some 80 dB. */
const KAISER_BETA = 8;
/** Zero crossings of the sinc on each side; more make the filter's edge steeper. */
const CROSSINGS = 24;
/** Where the filter's edge lies, as a part of the highest frequency the lower rate carries. */
const EDGE = 0.92;

/** The same sound at another rate (both in Hz, whole numbers above 0). */
export const resample = (samples: Int16Array, from: number, to: number): Int16Array => {
  const stage = resampler(from, to);
  return concatenateSamples([stage.push(samples), stage.end()]);
};

/** The same, for sound that comes in parts. */
export const resampler = (from: number, to: number): AudioSampleProcessor => {
  if (from === to) return { push: (samples) => samples, end: () => new Int16Array(0) };
  const divisor = greatestCommonDivisor(from, to);
  const phases = to / divisor;
  const step = from / divisor;
  const filter = filterFor(phases, Math.min(1, to / from) * EDGE);
  /** Samples that are still needed; the first of them is number `first` of all. */
  let kept: Int16Array = new Int16Array(0);
  let first = 0;
  let made = 0;

  /** Makes all but what lies within `margin` samples of the end of what is there. */
  const make = (margin: number): Int16Array => {
    const known = first + kept.length - margin;
    const until = Math.max(made, Math.floor((known * phases) / step));
    const result = new Int16Array(until - made);
    for (let index = 0; index < result.length; index++) {
      const position = (made + index) * step;
      const taps = filter.phases[position % phases]!;
      result[index] = apply(taps, kept, Math.floor(position / phases) - filter.reach - first);
    }
    made = until;
    return result;
  };

  const forget = (): void => {
    const needed = Math.floor((made * step) / phases) - filter.reach;
    const gone = Math.min(kept.length, Math.max(0, needed - first));
    kept = kept.slice(gone);
    first += gone;
  };

  return {
    push(samples) {
      kept = concatenateSamples([kept, samples]);
      const result = make(filter.reach + 1);
      forget();
      return result;
    },
    end: () => make(0),
  };
};

const apply = (taps: Float64Array, samples: Int16Array, start: number): number => {
  const first = Math.max(0, -start);
  const last = Math.min(taps.length, samples.length - start);
  let sum = 0;
  for (let tap = first; tap < last; tap++) sum += taps[tap]! * samples[start + tap]!;
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
};

interface Filter {
  /** Taps before the middle one. */
  reach: number;
  /** For each fraction of a sample that an output may fall on, the taps around it; each set adds up to 1. */
  phases: Float64Array[];
}

/** Filters by what they were made for: a house has two or three rates. */
const filters = new Map<string, Filter>();

const filterFor = (phases: number, edge: number): Filter => {
  const key = `${phases} ${edge}`;
  const filter = filters.get(key) ?? makeFilter(phases, edge);
  filters.set(key, filter);
  return filter;
};

const makeFilter = (phases: number, edge: number): Filter => {
  const reach = Math.ceil(CROSSINGS / edge);
  const tapsAt = (fraction: number) => {
    const taps = new Float64Array(2 * reach + 1);
    for (let tap = 0; tap < taps.length; tap++) taps[tap] = kernel(tap - reach - fraction, edge, reach + 1);
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  };
  return { reach, phases: Array.from({ length: phases }, (_, phase) => tapsAt(phase / phases)) };
};

const kernel = (distance: number, edge: number, halfWidth: number): number =>
  sinc(distance * edge) * kaiser(distance / halfWidth);

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kaiser = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);

/** The modified Bessel function of the first kind, order 0, by its series. */
const bessel = (x: number): number => {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
};

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);
