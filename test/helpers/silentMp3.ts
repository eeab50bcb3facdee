import { createMp3Encoder } from 'wasm-media-encoders';

/** Silence as small as MP3 can say it, at least so long. One minute is encoded; the others are the same bytes again. */
export const silentMp3 = async (seconds: number): Promise<Buffer> => {
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: 1, sampleRate: 16_000, bitrate: 8 });
  const minute = new Float32Array(16_000 * 60);
  const part = Buffer.from(encoder.encode([minute]));
  const rest = Buffer.from(encoder.encode([minute]));
  return Buffer.concat([part, ...Array.from({ length: Math.ceil(seconds / 60) }, () => rest)]);
};
