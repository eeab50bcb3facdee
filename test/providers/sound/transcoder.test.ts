import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TranscodeRequest, noAudioAdjustments } from '../../../src/providers/contracts/sound.ts';
import { findFfmpeg } from '../../../src/providers/sound/findFfmpeg.ts';
import { openTranscoder, type TranscoderOptions } from '../../../src/providers/sound/transcoder.ts';
import { concatenateSamples } from '../../../src/providers/sound/soundStage.ts';
import { writeWav } from '../../../src/providers/sound/wav.ts';
import { silentMp3 } from '../../helpers/silentMp3.ts';
import { aTone, measureWav, someSilence } from '../../helpers/wav.ts';

const samples = join(import.meta.dirname, 'samples');
const ffmpeg = await findFfmpeg(process.env['PATH'] ?? '');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-sound-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const decoders = [
  { name: 'WebAssembly', options: {}, lacks: undefined },
  { name: 'ffmpeg', options: { ffmpeg }, lacks: ffmpeg ? undefined : 'there is no ffmpeg here' },
];

it('finds what the decoders of this machine need', () => {
  if (process.env['CI']) expect(ffmpeg, 'with CI set, nothing may be missing').toBeDefined();
});

describe.each(decoders)('the transcoder with $name', ({ options, lacks }) => {
  const opened = new Set<ReturnType<typeof openTranscoder>>();
  const open = (more: TranscoderOptions = {}) => {
    const transcoder = openTranscoder({ ...options, ...more });
    opened.add(transcoder);
    return transcoder;
  };
  afterAll(async () => {
    for (const transcoder of opened) await transcoder.stop();
  });

  const order = async (
    content: string | Buffer,
    more: Partial<TranscodeRequest> = {},
  ): Promise<TranscodeRequest> => {
    const source = join(folder, 'source');
    if (typeof content === 'string') await copyFile(join(samples, content), source);
    else await writeFile(source, content);
    return { source, folder, treatment: noAudioAdjustments, mp3: true, ...more };
  };

  it.skipIf(lacks).each(['tone.mp3', 'tone.flac', 'tone.opus.ogg', 'tone.vorbis.ogg'])(
    'makes a WAV and an MP3 of %s',
    async (name) => {
      const made = await open().make(await order(name));
      const wav = measureWav(await readFile(made.wav));
      expect(wav.seconds).toBe(made.seconds);
      expect(Math.abs(made.seconds - 4)).toBeLessThan(0.15);
      expect(wav.peak).toBeGreaterThan(6000);
      expect((await readFile(made.mp3!)).readUInt16BE(0) & 0xffe0).toBe(0xffe0);
      expect((await readdir(folder)).toSorted()).toEqual(['sound.mp3', 'sound.wav', 'source']);
    },
  );

  it.skipIf(lacks)('reads what phones record, where it can', async () => {
    const making = open().make(await order('tone.m4a'));
    if ('ffmpeg' in options) expect(Math.abs((await making).seconds - 4)).toBeLessThan(0.15);
    else
      await expect(making).rejects.toMatchObject({
        reason: 'notSound',
        message: /mp4 files cannot be read/,
      });
  });

  it.skipIf(lacks)('trims, paces and leads in, in this order', async () => {
    const treatment = { speed: 2, trim: { start: true, end: true }, leadMs: 500 };
    const { wav, seconds } = await open().make(await order('tone.mp3', { treatment }));
    // Two seconds of tone with a twentieth of silence at either end, twice as fast, after half a second.
    expect(Math.abs(seconds - (0.5 + 2.1 / 2))).toBeLessThan(0.1);
    const file = await readFile(wav);
    expect(measureWav(Buffer.from(writeWav(samplesOf(file, 0, 0.5), 8000))).peak).toBeLessThan(100);
    expect(measureWav(Buffer.from(writeWav(samplesOf(file, 0.6, 1.4), 8000))).peak).toBeGreaterThan(6000);
  });

  it.skipIf(lacks).each([
    ['1', { start: true, end: false }, 3.05],
    ['2', { start: false, end: true }, 3.05],
    ['3', { start: true, end: true }, 2.1],
  ])('cuts the silence of delsilence %s', async (_, trim, seconds) => {
    const made = await open().make(
      await order('tone.flac', { treatment: { ...noAudioAdjustments, trim }, mp3: false }),
    );
    expect(Math.abs(made.seconds - seconds)).toBeLessThan(0.03);
    expect(made.mp3).toBeUndefined();
    expect((await readdir(folder)).toSorted()).toEqual(['sound.wav', 'source']);
  });

  it.skipIf(lacks)('reads its own MP3 again at the same length', async () => {
    const { mp3 } = await open().make(await order(writeWav(aTone(3), 8000)));
    const again = await mkdtemp(join(tmpdir(), 'ramal-sound-'));
    const { seconds } = await open().make({
      source: mp3!,
      folder: again,
      treatment: noAudioAdjustments,
      mp3: false,
    });
    await rm(again, { recursive: true });
    expect(Math.abs(seconds - 3)).toBeLessThan(0.15);
  });

  it.skipIf(lacks).each([
    ['a text', Buffer.from('this is no sound, whatever its name is. '.repeat(20))],
    ['nothing', Buffer.alloc(0)],
    ['a WAV without sound', writeWav(new Int16Array(0), 8000)],
    ['a WAV of text', Buffer.from('RIFF0000WAVEfmt and then nothing that makes sense'.repeat(9))],
    ['an MP3 of noise', Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(5000, 'noise')])],
    ['an Ogg of noise', Buffer.concat([Buffer.from('OggS\0\x02OpusHead'), Buffer.alloc(5000, 'noise')])],
    ['a FLAC of noise', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5000, 'noise')])],
    ['a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')],
  ])('refuses %s', async (_, content) => {
    await expect(open().make(await order(content))).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'notSound',
    });
    expect(await readdir(folder)).toEqual(['source']);
  });

  it.skipIf(lacks)('refuses silence of which nothing is left', async () => {
    const treatment = { ...noAudioAdjustments, trim: { start: true, end: true } };
    const silence = await order(writeWav(someSilence(2), 8000), { treatment });
    await expect(open().make(silence)).rejects.toMatchObject({ reason: 'onlySilence' });
  });

  it.skipIf(lacks)('stops at the limit of hours packed into a small MP3', async () => {
    const bomb = await silentMp3(3 * 3600);
    expect(bomb.length).toBeLessThan(12_000_000);
    await expect(open({ maxSeconds: 60 }).make(await order(bomb))).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'tooLong',
    });
    expect(await readdir(folder)).toEqual(['source']);
  });

  it.skipIf(lacks)('stops when it takes too long, or too much memory', async () => {
    const source = await order(await silentMp3(3600));
    const tooMuch = { name: 'NotRetryable', reason: 'tooMuch' };
    await expect(open({ timeoutMs: 700 }).make(source)).rejects.toMatchObject(tooMuch);
    await expect(open({ maxBytes: 2 ** 20 }).make(source)).rejects.toMatchObject(tooMuch);
    expect(await readdir(folder)).toEqual(['source']);
  });
});

describe('WAV files of other kinds', () => {
  const transcoder = openTranscoder();
  afterAll(() => transcoder.stop());
  const tone = aTone(1, { level: 12_000 });

  it.each([
    ['8 bits', 1, 8, (n: number, out: Buffer, at: number) => out.writeUInt8((n >> 8) + 128, at)],
    ['24 bits', 1, 24, (n: number, out: Buffer, at: number) => out.writeIntLE(n * 256, at, 3)],
    ['32 bits', 1, 32, (n: number, out: Buffer, at: number) => out.writeInt32LE(n * 65_536, at)],
    ['floating point', 3, 32, (n: number, out: Buffer, at: number) => out.writeFloatLE(n / 32_768, at)],
    ['double precision', 3, 64, (n: number, out: Buffer, at: number) => out.writeDoubleLE(n / 32_768, at)],
  ] as const)('of %s, in stereo, are read', async (_, tag, bits, write) => {
    const source = join(folder, 'source');
    await writeFile(source, stereoWav(tone, tag, bits, write));
    const made = await transcoder.make({ source, folder, treatment: noAudioAdjustments, mp3: false });
    const { seconds, peak } = measureWav(await readFile(made.wav));
    expect(seconds).toBe(1);
    expect(Math.abs(peak - 12_000)).toBeLessThan(600);
  });

  it('that were written as a stream, and do not say how long they are, are read to their end', async () => {
    const file = writeWav(tone, 8000);
    file.writeUInt32LE(0, file.indexOf('data') + 4);
    const source = join(folder, 'source');
    await writeFile(source, file);
    expect(
      await transcoder.make({ source, folder, treatment: noAudioAdjustments, mp3: false }),
    ).toMatchObject({
      seconds: 1,
    });
  });

  it.each([
    // The loudest value of each law, and what G.711 says it stands for.
    ['µ-law', 7, 0x80, 32_124],
    ['A-law', 6, 0xaa, 32_256],
  ])('of %s are read', async (_, tag, byte, level) => {
    const file = Buffer.concat([headOf(tag, 8, 1, 8000), Buffer.alloc(8000, byte)]);
    const source = join(folder, 'source');
    await writeFile(source, file);
    const { wav } = await transcoder.make({ source, folder, treatment: noAudioAdjustments, mp3: false });
    const middle = samplesOf(await readFile(wav), 0.4, 0.5);
    expect(Math.abs(middle[0]! - level)).toBeLessThan(20);
  });
});

describe('a busy transcoder', () => {
  it('makes what waits, refuses what is too much, and lets nobody wait when it stops', async () => {
    const transcoder = openTranscoder({ processes: 1, waiting: 1 });
    const make = async () => {
      const own = await mkdtemp(join(folder, 'order-'));
      const source = join(own, 'source');
      await writeFile(source, writeWav(concatenateSamples([aTone(1)]), 8000));
      return transcoder.make({ source, folder: own, treatment: noAudioAdjustments, mp3: false });
    };
    const outcomes = await Promise.allSettled([make(), make(), make()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const late = Promise.allSettled([make(), make()]);
    await transcoder.stop();
    for (const outcome of await late) expect(outcome).toMatchObject({ reason: { name: 'Retryable' } });
    await expect(make()).rejects.toMatchObject({ name: 'Retryable' });
  });
});

const samplesOf = (wav: Buffer, from: number, to: number): Int16Array =>
  Int16Array.from({ length: Math.round((to - from) * 8000) }, (_, n) =>
    wav.readInt16LE(44 + (Math.round(from * 8000) + n) * 2),
  );

const headOf = (tag: number, bits: number, channels: number, dataBytes: number): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + dataBytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE((8000 * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(dataBytes, 40);
  return head;
};

/** The same sound in both ears. */
const stereoWav = (
  sound: Int16Array,
  tag: number,
  bits: number,
  write: (sample: number, out: Buffer, at: number) => void,
): Buffer => {
  const bytes = bits / 8;
  const data = Buffer.alloc(sound.length * 2 * bytes);
  sound.forEach((sample, index) => {
    write(sample, data, index * 2 * bytes);
    write(sample, data, (index * 2 + 1) * bytes);
  });
  return Buffer.concat([headOf(tag, bits, 2, data.length), data]);
};
