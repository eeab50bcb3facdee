/** Sound that passes through in parts: what a stage is handed, it gives back changed, sooner or later. */
export interface AudioSampleProcessor {
  /** Takes mono samples; answers those that are ready, perhaps none. */
  push(samples: Int16Array): Int16Array;
  /** What was still held back. The stage is not used any more. */
  end(): Int16Array;
}

/** Parts in a row, as one. */
export const concatenateSamples = (parts: readonly Int16Array[]): Int16Array => {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 1) return filled[0]!;
  const whole = new Int16Array(filled.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of filled) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
