/** What every media store does. */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { MediaStore } from '../../src/providers/contracts/media.ts';
import { writeWav } from '../../src/providers/sound/wav.ts';

export const twoSeconds = writeWav(new Int16Array(16_000).fill(1000), 8000);

/** `open` gives a store with nothing in it. */
export const mediaContract = (name: string, open: () => Promise<MediaStore>): void => {
  describe(`media in ${name}`, () => {
    it('keeps a file under an account and measures its sound', async () => {
      const media = await open();
      expect(await media.put(7, 'rec_1-a', twoSeconds)).toMatchObject({ bytes: 32_044, seconds: 2 });
      const { modifiedAt } = (await media.stat(7, 'rec_1-a'))!;
      expect(await media.stat(7, 'rec_1-a')).toEqual({ bytes: 32_044, seconds: 2, modifiedAt });
      expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(60_000);
      expect(await buffer((await media.open(7, 'rec_1-a'))!.stream)).toEqual(twoSeconds);
    });

    it('opens a part of a file', async () => {
      const media = await open();
      await media.put(7, 'a', twoSeconds);
      const part = await media.open(7, 'a', { start: 0, end: 3 });
      expect(part).toMatchObject({ bytes: 32_044, seconds: 2 });
      expect((await buffer(part!.stream)).toString()).toBe('RIFF');
      const end = await media.open(7, 'a', { start: 32_040, end: 32_043 });
      expect(await buffer(end!.stream)).toEqual(twoSeconds.subarray(-4));
    });

    it('keeps the accounts apart', async () => {
      const media = await open();
      await media.put(7, 'a', twoSeconds);
      expect(await media.stat(8, 'a')).toBeUndefined();
      expect(await media.stat(77, 'a')).toBeUndefined();
      expect(await media.open(8, 'a')).toBeUndefined();
    });

    it('replaces a file', async () => {
      const media = await open();
      await media.put(7, 'a', twoSeconds);
      expect(await media.put(7, 'a', writeWav(new Int16Array(8000), 8000))).toMatchObject({ seconds: 1 });
      expect(await media.stat(7, 'a')).toMatchObject({ seconds: 1 });
    });

    it('forgets a file once', async () => {
      const media = await open();
      await media.put(7, 'a', twoSeconds);
      expect(await media.delete(7, 'a')).toBe(true);
      expect(await media.delete(7, 'a')).toBe(false);
      expect(await media.stat(7, 'a')).toBeUndefined();
    });

    it('keeps an MP3 beside a WAV, and either may go', async () => {
      const media = await open();
      const mp3 = Buffer.from('ID3 and so on');
      await media.put(7, 'audio-1', twoSeconds);
      expect(await media.put(7, 'audio-1.mp3', mp3)).toMatchObject({ bytes: 13, seconds: 0 });
      expect(await buffer((await media.open(7, 'audio-1.mp3'))!.stream)).toEqual(mp3);
      expect(await media.delete(7, 'audio-1')).toBe(true);
      expect(await media.stat(7, 'audio-1.mp3')).toMatchObject({ bytes: 13 });
    });

    it('takes a stream, and leaves the old file when the stream breaks', async () => {
      const media = await open();
      const parts = async function* () {
        for (let at = 0; at < twoSeconds.length; at += 10_000)
          yield await Promise.resolve(twoSeconds.subarray(at, at + 10_000));
      };
      expect(await media.put(7, 'a', parts())).toMatchObject({ bytes: 32_044, seconds: 2 });
      const broken = async function* () {
        yield await Promise.resolve(new Uint8Array([1, 2, 3]));
        throw new Error('the line went dead');
      };
      await expect(media.put(7, 'a', broken())).rejects.toThrow('the line went dead');
      expect(await buffer((await media.open(7, 'a'))!.stream)).toEqual(twoSeconds);
      expect((await media.list('')).map(({ id }) => id)).toEqual(['a']);
    });

    it('keeps an empty file', async () => {
      const media = await open();
      expect(await media.put(7, 'empty', new Uint8Array(0))).toMatchObject({ bytes: 0, seconds: 0 });
      expect(await media.stat(7, 'empty')).toMatchObject({ bytes: 0 });
    });

    it('lists what begins alike, of all accounts', async () => {
      const media = await open();
      for (const [account, id] of [
        [7, 'tts-a'],
        [8, 'tts-b'],
        [8, 'rec-a'],
        [8, 'tts-b.mp3'],
      ] as const)
        await media.put(account, id, twoSeconds);
      const listed = (await media.list('tts-')).map(({ account, id, bytes }) => `${account} ${id} ${bytes}`);
      expect(listed.toSorted()).toEqual(['7 tts-a 32044', '8 tts-b 32044', '8 tts-b.mp3 32044']);
      expect(await media.list('nothing')).toEqual([]);
    });

    it.each(['../8/a', '..', '', 'a/b', 'A', 'a.wav', 'a\0', 'é', 'x'.repeat(129)])(
      'knows no file of the name %j',
      async (id) => {
        const media = await open();
        await expect(media.put(7, id, twoSeconds)).rejects.toThrow(TypeError);
        expect(await media.stat(7, id)).toBeUndefined();
        expect(await media.open(7, id)).toBeUndefined();
        expect(await media.delete(7, id)).toBe(false);
      },
    );
  });
};
