/**
 * Text as old clients send it (spec 4.2 `encoding`; decisions "encodings").
 *
 * A form is read as byte strings, one character for each byte of the request, and turned into text here.
 */
import iconv from 'iconv-lite';
import { toPlainAscii } from './toPlainAscii.ts';

export const clientTextEncodings = ['UTF-8', '2UTF-8', 'ASCII', 'ISO-8859-1'] as const;
export type ClientTextEncoding = (typeof clientTextEncodings)[number];

/** The encoding that a client's word names, in any case; undefined for a word we do not know. */
export const parseEncodingName = (word: string): ClientTextEncoding | undefined =>
  clientTextEncodings.find((name) => name === word.trim().toUpperCase());

/** The encoding that the charset of a `Content-Type` names; undefined for none, and for one we do not know. */
export const charsetOf = (contentType: string): ClientTextEncoding | undefined => {
  const [, charset = ''] = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i.exec(contentType) ?? [];
  return charsets[charset.toLowerCase()];
};

const charsets: Readonly<Record<string, ClientTextEncoding | undefined>> = {
  'utf-8': 'UTF-8',
  utf8: 'UTF-8',
  'iso-8859-1': 'ISO-8859-1',
  latin1: 'ISO-8859-1',
  'windows-1252': 'ISO-8859-1',
};

/** A byte string as text. ISO-8859-1 is read as Windows-1252, its superset, as clients really send it. */
export const decodeBytes = (bytes: string, encoding: ClientTextEncoding): string => decoders[encoding](bytes);

const decoders: Readonly<Record<ClientTextEncoding, (bytes: string) => string>> = {
  'UTF-8': (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'),
  '2UTF-8': (bytes) => undouble(Buffer.from(bytes, 'latin1').toString('utf8')),
  ASCII: (bytes) => onlyAscii(decodeUtf8OrLatin1(Buffer.from(bytes, 'latin1'))),
  'ISO-8859-1': (bytes) => iconv.decode(Buffer.from(bytes, 'latin1'), 'windows-1252'),
};

/** Bytes whose encoding was not named: UTF-8 when they are valid UTF-8, else ISO-8859-1. */
export const decodeUtf8OrLatin1 = (raw: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return iconv.decode(raw, 'windows-1252');
  }
};

/** Text that came as JSON, which knows its own encoding: only what was spoiled before it became JSON is repaired. */
export const repairTextEncoding = (text: string, encoding: ClientTextEncoding): string => {
  if (encoding === '2UTF-8') return undouble(text);
  return encoding === 'ASCII' ? onlyAscii(text) : text;
};

/** A first byte of UTF-8 and one that continues it, as Windows-1252 or ISO-8859-1 show them. */
const doubled = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Whether a text reads like UTF-8 that was taken for ISO-8859-1 (`OlÃ¡`). */
export const isMisreadUtf8 = (text: string): boolean => doubled.test(text) && undouble(text) !== text;

/** Why a text cannot be kept, or undefined. PostgreSQL and JSON part company over exactly these two. */
export const findUnstorableCharacter = (text: string): 'NUL' | 'lone surrogate' | undefined => {
  if (text.includes('\0')) return 'NUL';
  return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
    ? 'lone surrogate'
    : undefined;
};

/** Undoes one of two UTF-8 encodings; text that was encoded only once stays as it is. */
const undouble = (text: string): string => {
  const bytes = iconv.encode(text, 'windows-1252');
  if (iconv.decode(bytes, 'windows-1252') !== text) return latin1Undouble(text);
  return utf8Or(bytes, text);
};

/** The same for text doubled through strict ISO-8859-1, whose control characters Windows-1252 lacks. */
const latin1Undouble = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- every byte value counts here
  /^[\0-\xff]*$/.test(text) ? utf8Or(Buffer.from(text, 'latin1'), text) : text;

const utf8Or = (bytes: Buffer, otherwise: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return otherwise;
  }
};

/** Letters lose their accents. What has no ASCII letter is left out: a `?` would be spoken. */
const onlyAscii = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII, control characters included
  text.replace(/[^\0-\x7f]+/g, (others) => toPlainAscii(others, ''));
