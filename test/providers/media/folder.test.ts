import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import { mediaContract, twoSeconds } from '../media.contract.ts';
import { readWav, readWavHeader, writeWav } from '../../../src/providers/sound/wav.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ramal-media-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

mediaContract('a folder', async () => folderMediaStore(join(folder, 'media')));

it('lets nothing out of its folder', async () => {
  const media = folderMediaStore(join(folder, 'media'));
  await writeFile(join(folder, 'a.wav'), twoSeconds);
  await expect(media.put(7, '../../a', twoSeconds)).rejects.toThrow(TypeError);
  expect(await media.stat(7, '../../a')).toBeUndefined();
  expect(await media.delete(7, '../../a')).toBe(false);
  expect(await readFile(join(folder, 'a.wav'))).toEqual(twoSeconds);
});

it('leaves no half of a file beside the others', async () => {
  const media = folderMediaStore(folder);
  const broken = async function* () {
    yield await Promise.resolve(new Uint8Array([1, 2, 3]));
    throw new Error('the line went dead');
  };
  await expect(media.put(7, 'a', broken())).rejects.toThrow('the line went dead');
  expect(await readdir(join(folder, '7'))).toEqual([]);
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
