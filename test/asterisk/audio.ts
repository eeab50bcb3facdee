/** What the carrier says, made from nothing: packet captures for sipp, and a WAV for music on hold. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWav } from '../../src/providers/sound/wav.ts';

const RATE = 8000;
const FRAME = 160;

const tone = (seconds: number, hertz: number, level = 8000): number[] =>
  Array.from({ length: seconds * RATE }, (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / RATE));

const silence = (seconds: number): number[] => Array.from({ length: Math.round(seconds * RATE) }, () => 0);

/** Harmonics of a voice with syllables that never fall under the silence threshold of machine detection. */
const talk = (seconds: number): number[] =>
  Array.from({ length: Math.round(seconds * RATE) }, (_, i) => {
    const syllable = 0.65 + 0.35 * Math.sin((2 * Math.PI * 4 * i) / RATE);
    let voice = 0;
    for (let k = 1; k < 12; k++) voice += Math.sin((2 * Math.PI * 140 * k * i) / RATE) / k;
    return syllable * 4500 * voice;
  });

const clip = (sample: number): number => Math.max(-32635, Math.min(32635, Math.round(sample)));

/** G.711 µ-law. */
const ulaw = (value: number): number => {
  const sample = clip(value);
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.abs(sample) + 132;
  let exponent = 7;
  for (let bit = 0x4000; (magnitude & bit) === 0 && exponent > 0; bit >>= 1) exponent--;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
};

interface Packet {
  atMs: number;
  rtp: Buffer;
}

const rtp = (type: number, sequence: number, time: number, payload: Buffer, marker: boolean): Buffer => {
  const head = Buffer.alloc(12);
  head[0] = 0x80;
  head[1] = (marker ? 0x80 : 0) | type;
  head.writeUInt16BE(sequence & 0xffff, 2);
  head.writeUInt32BE(time >>> 0, 4);
  head.writeUInt32BE(0x1234, 8);
  return Buffer.concat([head, payload]);
};

const speech = (samples: number[]): Packet[] =>
  Array.from({ length: Math.floor(samples.length / FRAME) }, (_, i) => {
    const frame = Buffer.from(samples.slice(i * FRAME, (i + 1) * FRAME).map(ulaw));
    return { atMs: i * 20, rtp: rtp(0, i + 1, i * FRAME, frame, i === 0) };
  });

/**
 * One key, 160 ms, as RFC 4733 events: eight packets and three that say it is over. `startMs`: when it is pressed;
 * Asterisk takes an event with the time of an earlier one for a repetition.
 */
const key = (digit: number, startMs = 0): Packet[] =>
  Array.from({ length: 11 }, (_, i) => {
    const over = i >= 8;
    const duration = Math.min(i + 1, 8) * FRAME;
    const payload = Buffer.from([digit, (over ? 0x80 : 0) | 10, duration >> 8, duration & 255]);
    const time = FRAME + startMs * (RATE / 1000);
    const sequence = 100 + startMs / 20 + i;
    return { atMs: startMs + Math.min(i, 8) * 20, rtp: rtp(101, sequence, time, payload, i === 0) };
  });

/** Keys one after the other, each at its millisecond. */
const keys = (presses: [digit: number, startMs: number][]): Packet[] =>
  presses.flatMap(([digit, startMs]) => key(digit, startMs));

/** A capture file as sipp reads it: Ethernet, IPv4, UDP. */
const capture = (packets: Packet[]): Buffer => {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65535, 16);
  head.writeUInt32LE(1, 20);
  return Buffer.concat([head, ...packets.map(captured)]);
};

const captured = ({ atMs, rtp: payload }: Packet): Buffer => {
  const frame = Buffer.alloc(42);
  frame.writeUInt16BE(0x0800, 12);
  frame[14] = 0x45;
  frame.writeUInt16BE(28 + payload.length, 16);
  frame[22] = 64;
  frame[23] = 17;
  frame.set([127, 0, 0, 1, 127, 0, 0, 1], 26);
  frame.writeUInt16BE(6000, 34);
  frame.writeUInt16BE(7000, 36);
  frame.writeUInt16BE(8 + payload.length, 38);
  const stamp = Buffer.alloc(16);
  stamp.writeUInt32LE(Math.floor(atMs / 1000), 0);
  stamp.writeUInt32LE((atMs % 1000) * 1000, 4);
  stamp.writeUInt32LE(frame.length + payload.length, 8);
  stamp.writeUInt32LE(frame.length + payload.length, 12);
  return Buffer.concat([stamp, frame, payload]);
};

/** Writes `hello`, `machine`, `talk`, `key<0-9>`, `code`, `fives` (`.pcap`) and `music/hold.wav` into a folder. */
export const writeAudio = (folder: string): void => {
  mkdirSync(join(folder, 'music'), { recursive: true });
  const put = (name: string, packets: Packet[]): void =>
    writeFileSync(join(folder, `${name}.pcap`), capture(packets));
  put('hello', speech([...silence(0.4), ...talk(0.55), ...silence(20)]));
  put('machine', speech([...silence(0.4), ...talk(7), ...silence(0.3), ...tone(0.5, 1000), ...silence(20)]));
  put('talk', speech([...silence(0.2), ...talk(30)]));
  for (let digit = 0; digit <= 9; digit++) put(`key${digit}`, key(digit));
  put('code', keys([[1, 0], [4, 4000], [5, 5000], [6, 6000]])); // prettier-ignore
  put('fives', keys([0, 3000, 6000, 9000, 12_000].map((startMs) => [5, startMs])));
  const music = Int16Array.from([...tone(4, 330, 3000), ...tone(4, 392, 3000)], clip);
  writeFileSync(join(folder, 'music', 'hold.wav'), writeWav(music, RATE));
};
