/** What every decoder gives: mono sound in parts, at its own rate. */

export interface DecodedAudioPart {
  samples: Int16Array;
  /** Hz. A sound of several rates, as some streams are, says so part by part. */
  sampleRate: number;
}

/** Reads a file as sound. Throws `NotSound` when it is none, or breaks off before there was any. */
export type DecodeAudioFile = (path: string) => AsyncIterable<DecodedAudioPart>;

/** The file cannot be read as sound; the message says why, for its sender. */
export class NotAudioError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'NotAudioError';
  }
}

/** Channels between -1 and 1 as one of 16 bits. */
export const mixDownToMono = (channels: readonly Float32Array[]): Int16Array => {
  const [first = new Float32Array(0)] = channels;
  const mixed = new Int16Array(first.length);
  for (let index = 0; index < mixed.length; index++) {
    let sum = 0;
    for (const channel of channels) sum += channel[index]!;
    mixed[index] = Math.max(-32_768, Math.min(32_767, Math.round((sum / channels.length) * 32_767)));
  }
  return mixed;
};
