import { expect, test } from 'vitest';
import { parseS3Listing } from '../../src/providers/media/s3Listing.ts';
import { legDestinationNumber } from '../../src/providers/telephony/sandbox/numberBehaviour.ts';
import { decodeBase64Stream } from '../../src/lib/decodeClientBase64.ts';
import { looksLikeABank } from '../../src/rules/sms/bankImpersonationFilter.ts';
import { parseJsonKeepingLargeIds } from '../../src/lib/jsonIds.ts';
import { parseLegTarget } from '../../src/rules/voice/legTarget.ts';
import { trimTrailingCharacter } from '../../src/lib/trimEnd.ts';

/** An expression that tries again needs hours for these, not milliseconds: the test would not end. */
const million = (piece: string): string => piece.repeat(1_000_000 / piece.length);

test('a bucket that lists a million characters of half entries is read', () => {
  expect(parseS3Listing(million('/Contents><Contents>')).files).toEqual([]);
});

test('a SIP URI of signs is read', () => {
  expect(legDestinationNumber({ kind: 'sip', uri: `sip:5511@${million(';')}\n;` })).toBe('5511');
});

test('base64 of plus signs that ends in something else is refused', async () => {
  const read = async () => {
    for await (const _ of decodeBase64Stream(pieces(`${million('+')}\0`)));
  };
  await expect(read()).rejects.toThrow('is not base64');
});

test('an SMS of the letter O is judged', () => {
  expect(looksLikeABank(`Banco Itau ${million('O')}`)).toBe(false);
});

test.each([
  ['digits that are no id', `[1${million('0')}.5]`],
  ['a number with an exponent', `[1${million('0')}e-999]`],
])('JSON with %s is read', (_, text) => {
  expect(parseJsonKeepingLargeIds(text)).toEqual(JSON.parse(text));
});

test('JSON that never ends its string is refused', () => {
  expect(() => parseJsonKeepingLargeIds(`[${million('"\\')}`)).toThrow(SyntaxError);
});

test('an agent of blanks is none', () => {
  expect(parseLegTarget(`RT${million(' ')}\nx`, () => undefined)).toBeUndefined();
});

test('what stands at the end goes, what stands in the middle stays', () => {
  expect(trimTrailingCharacter(`${million('.')}x${million('.')}`, '.')).toBe(`${million('.')}x`);
  expect(trimTrailingCharacter('...', '.')).toBe('');
});

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
