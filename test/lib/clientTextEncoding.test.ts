import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findUnstorableCharacter,
  charsetOf,
  decodeBytes,
  parseEncodingName,
  isMisreadUtf8,
  repairTextEncoding,
} from '../../src/lib/clientTextEncoding.ts';

/** As bytes of a request look before anybody has said what they are. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('text of old clients', () => {
  it('is read by the encoding that is named, in any case', () => {
    expect(parseEncodingName(' 2utf-8 ')).toBe('2UTF-8');
    expect(parseEncodingName('UTF-16')).toBeUndefined();
    expect(decodeBytes(bytesOf('Olá, João'), 'UTF-8')).toBe('Olá, João');
    expect(decodeBytes('Ol\xe1, \x80 5', 'ISO-8859-1')).toBe('Olá, € 5');
  });

  it('as ASCII loses accents and what has no ASCII letter; no "?" is spoken for them', () => {
    expect(decodeBytes('Ol\xe1, quer?', 'ASCII')).toBe('Ola, quer?');
    expect(decodeBytes(bytesOf('ação “já” 日'), 'ASCII')).toBe('acao "ja" ');
    expect(repairTextEncoding('João\t1º 😀', 'ASCII')).toBe('Joao\t1o ');
  });

  it('is what the charset of a form says', () => {
    const form = 'application/x-www-form-urlencoded';
    expect(charsetOf(`${form}; charset=UTF-8`)).toBe('UTF-8');
    expect(charsetOf(`${form};charset="utf8"`)).toBe('UTF-8');
    expect(charsetOf(`${form}; charset=iso-8859-1`)).toBe('ISO-8859-1');
    expect([charsetOf(form), charsetOf(`${form}; charset=ebcdic`)]).toEqual([undefined, undefined]);
  });

  it('loses one of two encodings, through Windows-1252 or strict ISO-8859-1, and no more', () => {
    expect(decodeBytes(bytesOf(bytesOf('ação')), '2UTF-8')).toBe('ação');
    expect(repairTextEncoding('aÃ§Ã£o Ã\u00a0 â‚¬', '2UTF-8')).toBe('ação à €');
    expect(repairTextEncoding('ação', '2UTF-8')).toBe('ação');
  });

  it('cannot be kept with NUL or half a character', () => {
    expect(findUnstorableCharacter('a\0b')).toBe('NUL');
    expect(findUnstorableCharacter('a\ud83d')).toBe('lone surrogate');
    expect(findUnstorableCharacter('a\udc00')).toBe('lone surrogate');
    expect(findUnstorableCharacter('olá 😀')).toBeUndefined();
  });
});

describe('a text that was misread', () => {
  it.each(['OlÃ¡', 'aÃ§Ã£o', 'â‚¬ 5', 'SÃ£o Paulo', bytesOf('João')])('%s', (text) => {
    expect(isMisreadUtf8(text)).toBe(true);
  });

  it.each(['Olá', 'ação', 'São Paulo', 'à € 5', 'Ã', 'plain', 'ÃO', 'Informações à você', '日本'])(
    'is not %s',
    (text) => {
      expect(isMisreadUtf8(text)).toBe(false);
    },
  );

  it('is any that 2UTF-8 would repair', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      'Ã',
      '£',
      'á',
      'ç',
      'â',
      '‚',
      '¬',
      '€',
      'ð',
      'Ÿ',
      '˜',
      '\u0080',
      'é',
      '日',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 5 }), (text) => {
        expect(isMisreadUtf8(text)).toBe(repairTextEncoding(text, '2UTF-8') !== text);
      }),
      { numRuns: 5_000 },
    );
  });
});
