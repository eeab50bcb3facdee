import { expect, it } from 'vitest';
import { decodeBase64Stream, NotBase64 } from '../../src/lib/decodeClientBase64.ts';

/** Decodes a text that comes in parts of this many characters. */
const decoded = async (text: string, part = text.length || 1): Promise<Buffer> => {
  const parts = (async function* () {
    for (let at = 0; at < text.length; at += part)
      yield await Promise.resolve(Buffer.from(text.slice(at, at + part)));
  })();
  const whole: Buffer[] = [];
  for await (const bytes of decodeBase64Stream(parts)) whole.push(bytes);
  return Buffer.concat(whole);
};

const sound = Buffer.from(Array.from({ length: 1000 }, (_, n) => (n * 7 + (n >> 3)) % 256));
const plain = sound.toString('base64');

it.each([
  ['plain', plain],
  ['without padding', plain.replace(/=+$/, '')],
  ['in the URL-safe alphabet', sound.toString('base64url')],
  ['behind a data URL', `data:audio/mpeg;base64,${plain}`],
  ['behind a data URL with a codec', `  data:audio/ogg;codecs=opus;base64,${plain}`],
  ['in lines', plain.replace(/.{76}/g, '$&\r\n')],
  ['as a form that forgot to escape + leaves it', plain.replaceAll('+', ' ')],
  ['with something blank at the end', `${plain}\n `],
])('decodes base64 %s, in parts of any size', async (_, text) => {
  for (const part of [text.length, 333, 7, 1]) expect(await decoded(text, part)).toEqual(sound);
});

it('decodes nothing to nothing', async () => {
  expect(await decoded('')).toHaveLength(0);
  expect(await decoded('data:audio/mpeg;base64,')).toHaveLength(0);
});

it.each([
  ['a character of no alphabet', 'AAAA%AAA'],
  ['something after the padding', 'QQ==QQ=='],
  ['something after the padding, later', `${'A'.repeat(1022)}==AAAA`],
  ['half a byte', 'AAAAA'],
  ['a data URL of something else', 'data:audio/mpeg,hello'],
])('refuses %s', async (_, text) => {
  await expect(decoded(text)).rejects.toThrow(NotBase64);
  await expect(decoded(text, 1)).rejects.toThrow(NotBase64);
});
