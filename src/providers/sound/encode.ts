/** From the spool to the files: trimmed, at its pace, with its lead, into each file at once. */
import { createReadStream } from 'node:fs';
import type { SoundStage } from './soundStage.ts';
import { stretcher } from './timeStretch.ts';
import type { Treatment } from '../sound.ts';
import { mp3File } from './mp3File.ts';
import type { Spool } from './pcmSpool.ts';
import { wavFile } from './wavFile.ts';
import type { SoundFile } from './soundFile.ts';

/** Nothing but silence, and that was to be cut off. */
export class OnlySilence extends Error {}

/** Answers the length in seconds, measured from the WAV. Throws `OnlySilence`. */
export const encode = async (
  spooled: Spool,
  treatment: Treatment,
  { wav, mp3 }: { wav: string; mp3?: string },
  check: () => void,
): Promise<number> => {
  const { sampleRate } = spooled;
  const kept = spooled.loudness.bounds(treatment.trim);
  if (kept.to <= kept.from) throw new OnlySilence();
  const telephone = await wavFile(wav, sampleRate);
  const files: SoundFile[] = [telephone];
  if (mp3 !== undefined) files.push(await mp3File(mp3, sampleRate));
  for await (const samples of treated(spooled, kept, treatment)) {
    check();
    for (const file of files) await file.write(samples);
  }
  for (const file of files) await file.close();
  return telephone.seconds();
};

async function* treated(
  { path, sampleRate }: Spool,
  kept: { from: number; to: number },
  { speed, leadMs }: Treatment,
): AsyncGenerator<Int16Array> {
  yield new Int16Array(Math.round((sampleRate * leadMs) / 1000));
  const stage: SoundStage | undefined = speed === 1 ? undefined : stretcher(sampleRate, speed);
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
