/**
 * Faster or slower at the same pitch (WSOLA): short frames are laid over one another closer or wider than they were
 * cut out, each taken from where it continues the one before best, so that the waves meet.
 */
import { concatenateSamples, type AudioSampleProcessor } from './soundStage.ts';

/** Seconds of a frame: two or three periods of a low voice. */
const FRAME_SECONDS = 0.03;
/** How far a frame may be moved to meet the one before, seconds to either side. */
const SEARCH_SECONDS = 0.008;
/** Places are looked at, and samples compared, this far apart; then the places around the best one. */
const COARSE = 4;

/** Changes the pace of sound: `speed` 2 takes half the time. `sampleRate` in Hz. */
export const audioTimeStretcher = (sampleRate: number, speed: number): AudioSampleProcessor => {
  const hop = Math.round((sampleRate * FRAME_SECONDS) / 2);
  const reach = Math.round(sampleRate * SEARCH_SECONDS);
  const rise = Float64Array.from({ length: hop }, (_, n) => 0.5 - 0.5 * Math.cos((Math.PI * n) / hop));
  /** Samples that are still needed; the first of them is number `first` of all. */
  let kept: Int16Array = new Int16Array(0);
  let first = 0;
  let given = 0;
  let frames = 0;
  let made = 0;
  /** Where what naturally follows the last frame begins. */
  let follows = 0;

  const at = (position: number): number => kept[position - first] ?? 0;

  /** How well the sound at a place resembles what would follow by itself. */
  const likeness = (place: number): number => {
    let product = 0;
    let energy = 1;
    for (let n = 0; n < hop; n += COARSE) {
      const sample = at(place + n);
      product += sample * at(follows + n);
      energy += sample * sample;
    }
    return product / Math.sqrt(energy);
  };

  const bestOf = (from: number, to: number, apart: number): number => {
    let best = from;
    let most = -Infinity;
    for (let place = Math.max(0, from); place <= to; place += apart) {
      const like = likeness(place);
      if (like > most) [most, best] = [like, place];
    }
    return best;
  };

  const bestNear = (wish: number): number => {
    const roughly = bestOf(wish - reach, wish + reach, COARSE);
    return bestOf(roughly - COARSE + 1, roughly + COARSE - 1, 1);
  };

  /** One hop of sound: what followed fades out while the next frame fades in. */
  const nextHop = (): Int16Array => {
    const wish = Math.round(frames * hop * speed);
    const place = frames === 0 ? 0 : bestNear(wish);
    const result = Int16Array.from(rise, (weight, n) =>
      Math.round(frames === 0 ? at(n) : at(follows + n) * (1 - weight) + at(place + n) * weight),
    );
    follows = place + hop;
    frames += 1;
    return result;
  };

  const needed = (): number => Math.max(Math.round(frames * hop * speed) + reach, follows) + hop;

  const forget = (): void => {
    const least = Math.min(follows, Math.round(frames * hop * speed) - reach);
    const gone = Math.min(kept.length, Math.max(0, least - first));
    kept = kept.slice(gone);
    first += gone;
  };

  const make = (isEnough: () => boolean): Int16Array => {
    const parts: Int16Array[] = [];
    while (!isEnough()) {
      const part = nextHop();
      parts.push(part);
      made += part.length;
    }
    forget();
    return concatenateSamples(parts);
  };

  return {
    push(samples) {
      kept = concatenateSamples([kept, samples]);
      given += samples.length;
      return make(() => needed() > given);
    },
    end() {
      const total = Math.round(given / speed);
      const before = made;
      return make(() => made >= total).subarray(0, Math.max(0, total - before));
    },
  };
};
