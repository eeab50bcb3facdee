import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readListRecordPhones } from '../../../src/rules/lists/parseRecordPhones.ts';
import { readPhoneNumber, regionOfNumber } from '../../../src/rules/voice/parsePhoneNumber.ts';

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 0, maxLength: 15 });
const likely = fc
  .tuple(fc.constantFrom('', '55', '0', '055', '+55'), fc.integer({ min: 10, max: 99 }), digits)
  .map((parts) => parts.join(''));

test('reads one number just as numbers are read elsewhere', () => {
  fc.assert(
    fc.property(fc.oneof(digits, likely), (text) => {
      const one = readPhoneNumber(text, { brazil: true });
      const region = one.kind === 'refused' ? undefined : regionOfNumber(one.number);
      expect(readListRecordPhones(text)).toEqual(
        one.kind === 'refused'
          ? undefined
          : {
              numbers: one.number,
              region: region?.state ?? '',
              area: Number(region?.ddd ?? 0),
              mobile: one.kind === 'mobile',
            },
      );
    }),
    { numRuns: 20_000 },
  );
});

test('keeps ten numbers of a record at most, each once', () => {
  const many = Array.from({ length: 30 }, (_, n) => `119876500${10 + (n % 15)}`).join(' ');
  expect(readListRecordPhones(many)?.numbers.split(' ')).toHaveLength(10);
});
