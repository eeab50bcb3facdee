/**
 * ffmpeg, found on this machine, as a decoder. It is told what the file is and reads nothing else: no probing of
 * formats, no playlists, no network. It runs with bounds of memory and time, without our environment, as an
 * unprivileged user when we are root, and is killed when its sound is no longer read.
 */
import { spawn } from 'node:child_process';
import { chmod, open } from 'node:fs/promises';
import { type DecodeAudioFile, type DecodedAudioPart, NotAudioError } from './decoded.ts';
import type { AudioFormat } from './detectAudioFormat.ts';

/** ffmpeg's own names of what may be read. */
const demuxers: Readonly<Record<AudioFormat, string>> = {
  wav: 'wav',
  mp3: 'mp3',
  opus: 'ogg',
  vorbis: 'ogg',
  flac: 'flac',
  mp4: 'mov',
  aac: 'aac',
  amr: 'amr',
  aiff: 'aiff',
  au: 'au',
  webm: 'matroska',
};

/** Everything comes out at one rate; telephones use a third of it. */
const SAMPLE_RATE = 24_000;
const MEMORY_KIB = 1024 * 1024;
const CPU_SECONDS = 120;
const UNPRIVILEGED_ID = 65_534;

/** `ffmpeg`: the program's path. */
export const ffmpegDecoderOf =
  (ffmpeg: string, kind: AudioFormat): DecodeAudioFile =>
  (path) =>
    decodeWith(ffmpeg, kind, path);

async function* decodeWith(
  ffmpeg: string,
  kind: AudioFormat,
  path: string,
): AsyncGenerator<DecodedAudioPart> {
  const isRoot = process.getuid?.() === 0;
  // Who opens its standard input anew must be allowed to; the folder around it stays private.
  if (isRoot) await chmod(path, 0o444);
  const source = await open(path, 'r');
  const child = spawn('/bin/sh', shellArguments(ffmpeg, argumentsFor(kind)), {
    stdio: [source.fd, 'pipe', 'pipe'],
    env: {},
    cwd: '/',
    ...(isRoot && { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID }),
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? code}`));
  });
  const complaints = collect(child.stderr!);
  try {
    yield* soundOf(child.stdout as AsyncIterable<Buffer>);
    const failure = await ended;
    if (failure !== '') throw new NotAudioError(firstLine(complaints()) ?? failure);
  } finally {
    child.kill('SIGKILL');
    await source.close();
  }
}

/** POSIX shells bound what they then become. */
const shellArguments = (program: string, programArguments: readonly string[]): string[] => [
  '-c',
  `ulimit -v ${MEMORY_KIB} && ulimit -t ${CPU_SECONDS} && ulimit -c 0 && exec "$0" "$@"`,
  program,
  ...programArguments,
];

const argumentsFor = (kind: AudioFormat): string[] => [
  ...['-nostdin', '-v', 'error', '-threads', '1'],
  ...['-protocol_whitelist', 'file', '-f', demuxers[kind], '-i', '/dev/stdin'],
  ...['-map', '0:a:0', '-ac', '1', '-ar', String(SAMPLE_RATE), '-f', 's16le', 'pipe:1'],
];

/** Samples are two bytes; a part may end between them. */
async function* soundOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<DecodedAudioPart> {
  let odd: Buffer = Buffer.alloc(0);
  for await (const part of bytes) {
    const joined = Buffer.concat([odd, part]);
    const whole = joined.length - (joined.length % 2);
    odd = joined.subarray(whole);
    const samples = new Int16Array(whole / 2);
    for (let index = 0; index < samples.length; index++) samples[index] = joined.readInt16LE(index * 2);
    yield { samples, sampleRate: SAMPLE_RATE };
  }
}

const COMPLAINT_BYTES = 2000;

const collect = (stream: NodeJS.ReadableStream): (() => string) => {
  let text = '';
  stream.on('data', (part: Buffer) => {
    if (text.length < COMPLAINT_BYTES) text += part.toString('latin1');
  });
  return () => text;
};

/** Without the address of ffmpeg's own part that complains. */
const firstLine = (text: string): string | undefined =>
  text
    .split('\n')
    .map((line) => line.replace(/^\[[^\]]*\]\s*/, '').trim())
    .find((line) => line !== '');
