import { expect, test } from 'vitest';
import { splitText } from '../../../src/providers/speech/splitText.ts';

test('a text that fits is one piece', () => {
  expect(splitText('Bom dia. Tudo bem?', 100)).toEqual(['Bom dia. Tudo bem?']);
  expect(splitText('', 100)).toEqual(['']);
});

test('a longer one is cut after a sentence, else after a comma, else between words, else anywhere', () => {
  expect(splitText('Bom dia, Ana. Tudo bem?', 20)).toEqual(['Bom dia, Ana. ', 'Tudo bem?']);
  expect(splitText('um dois tres, quatro cinco seis', 20)).toEqual(['um dois tres, ', 'quatro cinco seis']);
  expect(splitText('um dois tres quatro cinco seis', 20)).toEqual(['um dois tres quatro ', 'cinco seis']);
  expect(splitText('a'.repeat(25), 20)).toEqual(['a'.repeat(20), 'a'.repeat(5)]);
});

test('no piece has more bytes than allowed, no character is halved and nothing is lost', () => {
  const text = 'Ação é coração 😀 não. '.repeat(50).trim();
  const pieces = splitText(text, 30);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(30);
  expect(pieces.join('')).toBe(text);
  expect(splitText('😀😀', 4)).toEqual(['😀', '😀']);
});

test('blanks alone make no piece', () => {
  expect(splitText(`um${' '.repeat(50)}`, 20)).toEqual([`um${' '.repeat(18)}`]);
});
