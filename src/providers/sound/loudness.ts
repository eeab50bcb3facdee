/** Where sound begins and ends between silences. */

/** Quieter than this counts as silence: 45 dB under the loudest a sample can be. */
const LOUD = Math.round(32_768 * 10 ** (-45 / 20));
/** So much of the silence stays, so that nothing is cut off sharply, seconds. */
const MARGIN_SECONDS = 0.05;

export interface AudibleRange {
  /** First sample to keep. */
  from: number;
  /** After the last one. */
  to: number;
}

/** Listens to mono sound that comes in parts, and says where it is loud. `sampleRate` in Hz. */
export const createAudibleRangeFinder = (sampleRate: number) => {
  const margin = Math.round(sampleRate * MARGIN_SECONDS);
  let heard = 0;
  let firstLoud = -1;
  let lastLoud = -1;
  return {
    hear(samples: Int16Array): void {
      for (let index = 0; index < samples.length; index++) {
        if (Math.abs(samples[index]!) < LOUD) continue;
        if (firstLoud < 0) firstLoud = heard + index;
        lastLoud = heard + index;
      }
      heard += samples.length;
    },

    /** What is left without the silence at its ends; nothing where all is silent. */
    bounds(trim: { start: boolean; end: boolean }): AudibleRange {
      if (firstLoud < 0) return { from: 0, to: trim.start || trim.end ? 0 : heard };
      return {
        from: trim.start ? Math.max(0, firstLoud - margin) : 0,
        to: trim.end ? Math.min(heard, lastLoud + 1 + margin) : heard,
      };
    },
  };
};
