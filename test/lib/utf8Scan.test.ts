import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Utf8Scan } from '../../src/lib/utf8Scan.ts';

/** Byte by byte, the plain way. */
const firstWrong = (bytes: Buffer): number | undefined => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((count) => {
      try {
        decoder.decode(bytes.subarray(at, at + count));
        return at + count <= bytes.length;
      } catch {
        return false;
      }
    });
    if (length === undefined) return at;
    at += length;
  }
  return undefined;
};

test('finds where bytes stop being UTF-8, however they are cut', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'é', '€', '😀').map((sign) => Buffer.from(sign)),
    fc.uint8Array({ minLength: 1, maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(40), { maxLength: 4 }),
      (pieces, places) => {
        const bytes = Buffer.concat(pieces);
        const ends = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
        const scan = new Utf8Scan();
        for (const [index, end] of [...ends, bytes.length].entries())
          scan.push(bytes.subarray(ends[index - 1] ?? 0, end));
        scan.end();
        expect(scan.wrongAt).toBe(firstWrong(bytes));
      },
    ),
    { numRuns: 5000 },
  );
});
