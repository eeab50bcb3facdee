/** From the spool to the files: trimmed, at its pace, with its lead, into each file at once. */
import { createReadStream } from 'node:fs';
import type { AudioSampleProcessor } from './soundStage.ts';
import { audioTimeStretcher } from './timeStretch.ts';
import type { AudioAdjustments } from '../contracts/sound.ts';
import { openMp3FileWriter } from './mp3File.ts';
import type { PcmSpool } from './pcmSpool.ts';
import { openWavFileWriter } from './openWavFileWriter.ts';
import type { SoundFileWriter } from './soundFile.ts';

/** Nothing but silence, and that was to be cut off. */
export class OnlySilenceError extends Error {}

/** Answers the length in seconds, measured from the WAV. Throws `OnlySilenceError`. */
export const encodeAudioFiles = async (
  spooled: PcmSpool,
  treatment: AudioAdjustments,
  { wav, mp3 }: { wav: string; mp3?: string },
  check: () => void,
): Promise<number> => {
  const { sampleRate } = spooled;
  const kept = spooled.loudness.bounds(treatment.trim);
  if (kept.to <= kept.from) throw new OnlySilenceError();
  const telephone = await openWavFileWriter(wav, sampleRate);
  const files: SoundFileWriter[] = [telephone];
  if (mp3 !== undefined) files.push(await openMp3FileWriter(mp3, sampleRate));
  for await (const samples of treated(spooled, kept, treatment)) {
    check();
    for (const file of files) await file.write(samples);
  }
  for (const file of files) await file.close();
  return telephone.seconds();
};

async function* treated(
  { path, sampleRate }: PcmSpool,
  kept: { from: number; to: number },
  { speed, leadMs }: AudioAdjustments,
): AsyncGenerator<Int16Array> {
  yield new Int16Array(Math.round((sampleRate * leadMs) / 1000));
  const stage: AudioSampleProcessor | undefined =
    speed === 1 ? undefined : audioTimeStretcher(sampleRate, speed);
  const bytes = createReadStream(path, { start: kept.from * 2, end: kept.to * 2 - 1 });
  for await (const part of bytes as AsyncIterable<Buffer>) {
    const samples = samplesOf(part);
    yield stage ? stage.push(samples) : samples;
  }
  if (stage) yield stage.end();
}

/** A copy, since a part of a file may begin anywhere in memory. The spool is in this machine's own byte order. */
const samplesOf = (bytes: Buffer): Int16Array => {
  const copy = Uint8Array.from(bytes);
  return new Int16Array(copy.buffer, 0, copy.length >> 1);
};
