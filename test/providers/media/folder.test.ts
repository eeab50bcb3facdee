import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderMedia } from '../../../src/providers/media/folder.ts';
import { readWav, readWavHeader, writeWav } from '../../../src/rules/wav.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-media-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const twoSeconds = writeWav(new Int16Array(16_000).fill(1000), 8000);

describe('media in a folder', () => {
  it('keeps a file under an account and measures its sound', async () => {
    const media = folderMedia(folder);
    expect(await media.put(7, 'rec_1-a', twoSeconds)).toMatchObject({ bytes: 32_044, seconds: 2 });
    expect(await media.stat(7, 'rec_1-a')).toMatchObject({ bytes: 32_044, seconds: 2 });
    expect(await buffer((await media.open(7, 'rec_1-a'))!.stream)).toEqual(twoSeconds);
  });

  it('opens a part of a file', async () => {
    const media = folderMedia(folder);
    await media.put(7, 'a', twoSeconds);
    const part = await media.open(7, 'a', { start: 0, end: 3 });
    expect((await buffer(part!.stream)).toString()).toBe('RIFF');
  });

  it('keeps the accounts apart', async () => {
    const media = folderMedia(folder);
    await media.put(7, 'a', twoSeconds);
    expect(await media.stat(8, 'a')).toBeUndefined();
    expect(await media.open(8, 'a')).toBeUndefined();
  });

  it('forgets a file once', async () => {
    const media = folderMedia(folder);
    await media.put(7, 'a', twoSeconds);
    expect(await media.delete(7, 'a')).toBe(true);
    expect(await media.delete(7, 'a')).toBe(false);
    expect(await media.stat(7, 'a')).toBeUndefined();
  });

  it('takes a stream, and leaves the old file when the stream breaks', async () => {
    const media = folderMedia(folder);
    await media.put(7, 'a', twoSeconds);
    const broken = async function* () {
      yield new Uint8Array([1, 2, 3]);
      throw new Error('the line went dead');
    };
    await expect(media.put(7, 'a', broken())).rejects.toThrow('the line went dead');
    expect(await media.stat(7, 'a')).toMatchObject({ seconds: 2 });
    expect(await readdir(join(folder, '7'))).toEqual(['a.wav']);
  });

  it.each(['../8/a', '..', '', 'a/b', 'A', 'a.wav', 'a\0', 'é', 'x'.repeat(129)])(
    'lets nothing out of its folder: %j',
    async (id) => {
      const media = folderMedia(join(folder, 'media'));
      await writeFile(join(folder, 'a.wav'), twoSeconds);
      await expect(media.put(7, id, twoSeconds)).rejects.toThrow(TypeError);
      expect(await media.stat(7, id)).toBeUndefined();
      expect(await media.open(7, id)).toBeUndefined();
      expect(await media.delete(7, id)).toBe(false);
      expect(await readFile(join(folder, 'a.wav'))).toEqual(twoSeconds);
    },
  );
});

describe('a WAV', () => {
  it('reads back what was written', () => {
    const samples = Int16Array.from([0, 1, -1, 32_767, -32_768]);
    expect(readWav(writeWav(samples, 8000))).toEqual({ samples, sampleRate: 8000 });
  });

  it('is measured by the file when a killed recorder never filled the sizes in', () => {
    const unfinished = Buffer.from(twoSeconds);
    unfinished.writeUInt32LE(0xffffffff, 40);
    expect(readWavHeader(unfinished.subarray(0, 1024), unfinished.length)?.seconds).toBe(2);
  });

  it('is found behind other chunks', () => {
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const file = Buffer.concat([twoSeconds.subarray(0, 36), list, twoSeconds.subarray(36)]);
    expect(readWavHeader(file, file.length)).toMatchObject({ sampleRate: 8000, seconds: 2 });
  });

  it('is nothing else', () => {
    expect(readWavHeader(Buffer.from('ID3 and so on, an MP3 really'), 28)).toBeUndefined();
    expect(readWavHeader(Buffer.alloc(0), 0)).toBeUndefined();
  });
});
