/**
 * What a sandbox recording holds: a voice-like hum where there was speech, and silence elsewhere, as an 8 kHz 16-bit
 * mono WAV of the length the carrier's own clock gives it.
 */
import { wavHeader } from '../../sound/wav.ts';
import { parseLegId } from '../../contracts/telephony.ts';
import type {
  Span,
  OngoingSimulatedRecording,
  SimulatedRecordingTimeline,
  SimulatedChannel,
} from './channelStateTypes.ts';

const rate = 8_000;

/** What a recording that ends now has caught, and the media id it goes under. */
export const simulateRecordedSound = (
  channel: SimulatedChannel,
  { recording, scope, from }: OngoingSimulatedRecording,
): { media: string; sound: SimulatedRecordingTimeline } => {
  const to = Math.max(from, channel.time);
  const farEnd: Span[] = channel.behaviour.speaks ? [{ from: channel.answeredAt }] : [];
  const heard =
    scope === 'leg' ? farEnd : [...farEnd, ...channel.prompts, ...playing(channel), ...channel.peers];
  const samples = Math.round(((to - from) / 1000) * rate);
  const voices = heard
    .map((span) => ({ from: Math.max(span.from, from) - from, to: Math.min(span.to ?? to, to) - from }))
    .filter((span) => span.to > span.from);
  return { media: mediaIdOf(channel.id, recording), sound: { seconds: samples / rate, voices } };
};

const playing = ({ plays }: SimulatedChannel): Span[] =>
  plays.slice(0, 1).flatMap(({ says, from }) => (says ? [{ from }] : []));

/** The same id for the same recording, however often its file is made. */
const mediaIdOf = (channel: string, recording: string): string => {
  const { shard, account, id, leg } = parseLegId(channel) ?? { shard: 'x', account: 0, id: 0, leg: 0 };
  const name = recording
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48);
  return `rec-${shard}-${account}-${id}-${leg}-${name}`;
};

/** A second of hum: a fundamental with overtones, in four syllables. */
const hum = Int16Array.from({ length: rate }, (_, n) => {
  const tone = [1, 2, 3, 5].reduce((sum, k) => sum + Math.sin((2 * Math.PI * 140 * k * n) / rate) / k, 0);
  return Math.round(5_000 * tone * Math.sin((Math.PI * 4 * n) / rate) ** 2);
});

/** The file, a second at a time, so that an hour of it needs no more memory than a minute. */
export async function* simulatedRecordedSoundWav({
  seconds,
  voices,
}: SimulatedRecordingTimeline): AsyncGenerator<Uint8Array> {
  const samples = Math.round(seconds * rate);
  yield wavHeader(samples * 2, rate);
  for (let start = 0; start < samples; start += rate) {
    const chunk = new Int16Array(Math.min(rate, samples - start));
    for (const { from, to } of voices) {
      const first = Math.max(0, Math.round((from / 1000) * rate) - start);
      const last = Math.min(chunk.length, Math.round((to / 1000) * rate) - start);
      if (last > first) chunk.set(hum.subarray(first, last), first);
    }
    yield new Uint8Array(chunk.buffer);
  }
}
