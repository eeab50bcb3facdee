import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REGIONS } from '../../../src/rules/voice/areaCodeTimeZones.ts';
import {
  formatPhoneNumber,
  readPhoneNumber,
  regionOfNumber,
} from '../../../src/rules/voice/parsePhoneNumber.ts';

const read = (input: string) => readPhoneNumber(input, { brazil: true });
const asIs = (input: string) => readPhoneNumber(input, { brazil: false });

describe('a Brazilian number', () => {
  it.each([
    ['11987654321', '5511987654321'],
    ['011987654321', '5511987654321'],
    ['01511987654321', '5511987654321'],
    ['0 21 11 98765-4321', '5511987654321'],
    ['1187654321', '5511987654321'],
    ['1177654321', '5511977654321'],
    ['5511987654321', '5511987654321'],
    ['551187654321', '5511987654321'],
    ['+55 (11) 98765-4321', '5511987654321'],
    ['+55 011 98765.4321', '5511987654321'],
    ['0055 11 98765 4321', '5511987654321'],
    ['24999999999', '5524999999999'],
    // Area code 55 (Santa Maria) looks like the country.
    ['55999991234', '5555999991234'],
    ['5599991234', '5555999991234'],
    ['5555999991234', '5555999991234'],
    ['+55 55 99999-1234', '5555999991234'],
    ['01555999991234', '5555999991234'],
  ])('mobile: %s is dialled %s', (input, number) => {
    expect(read(input)).toMatchObject({ kind: 'mobile', number });
  });

  it.each([
    ['1132654321', '551132654321'],
    ['01132654321', '551132654321'],
    ['0411132654321', '551132654321'],
    ['551132654321', '551132654321'],
    ['5532123456', '555532123456'],
    ['553232123456', '553232123456'],
    ['1150501234', '551150501234'],
  ])('fixed: %s is dialled %s', (input, number) => {
    expect(read(input)).toMatchObject({ kind: 'fixed', number });
  });

  it('tells its area, state and zone', () => {
    expect(read('68999112233')).toEqual({
      kind: 'mobile',
      number: '5568999112233',
      ddd: '68',
      state: 'AC',
      zone: 'America/Rio_Branco',
    });
    expect(regionOfNumber('559533221100')).toEqual({ ddd: '95', state: 'RR', zone: 'America/Boa_Vista' });
    expect(regionOfNumber('12125551234')).toBeUndefined();
    expect(regionOfNumber('08001234567')).toBeUndefined();
  });

  it('may be in any of the 67 areas, in every way of writing', () => {
    const ddd = fc.constantFrom(...REGIONS.keys());
    const eight = fc.integer({ min: 10_000_000, max: 19_999_999 }).map((n) => String(n).slice(1));
    const prefix = fc.constantFrom('', '0', '015', '041', '55', '+55', '0055', '055');
    fc.assert(
      fc.property(ddd, eight, prefix, fc.constantFrom('98', '8', '3'), (area, rest, before, first) => {
        // One digit too many behind an area, or a carrier before an old number: see below.
        fc.pre(!(/^0(15|41)$/.test(before) && area.startsWith('9') && first === '8'));
        const local = `${first}${rest}`;
        const full = first === '8' ? `9${local}` : local;
        expect(read(`${before}${area}${local}`)).toMatchObject({ number: `55${area}${full}`, ddd: area });
      }),
    );
    expect(REGIONS.size).toBe(67);
    expect(new Set([...REGIONS.values()].map((region) => region.state)).size).toBe(27);
  });

  it.each([
    '987654321',
    '32654321',
    '1012345678',
    '20987654321',
    '56987654321',
    '1112345678',
    '11087654321',
    '11901234567',
    '119876543210',
    '+55999991234',
    '190',
    '12',
    '',
    '   ',
    '+',
    '----',
    'abcdefghijk',
    '11 9876x4321',
    '11987654321;11987654322',
    '１１９８７６５４３２１',
  ])('is not %j', (input) => {
    const reading = read(input);
    expect(reading.kind).toBe('refused');
  });

  it.each(['0119876543210', '0 11 99876-54321', '0219187654321', '0419976543210', '+55 0 11 98765 43210'])(
    'is not %j, which has a digit too many, and is not taken for a carrier and another area',
    (input) => {
      expect(read(input).kind).toBe('refused');
    },
  );

  it('may have a carrier before it as long as it is not the same as a mobile with a digit too many', () => {
    expect(read('0 15 91 3222 1234')).toMatchObject({ kind: 'fixed', number: '559132221234' });
    expect(read('0 15 98 98765 4321')).toMatchObject({ kind: 'mobile', number: '5598987654321' });
    expect(read('0 15 88 8765 4321')).toMatchObject({ kind: 'mobile', number: '5588987654321' });
    // There is no area 23.
    expect(read('0 23 98 8765 4321')).toMatchObject({ kind: 'mobile', number: '5598987654321' });
  });

  it('says what was wrong', () => {
    expect(read('abc')).toEqual({ kind: 'refused', why: '"abc" is not a telephone number' });
    expect(read('1012345678')).toMatchObject({
      why: expect.stringContaining('neither area code and number'),
    });
  });
});

describe('a special number', () => {
  it.each([
    '08001234567',
    '0800123456',
    '03001234567',
    '09001234567',
    '30031234',
    '40041234',
    '4001234',
    '10315',
    '10310',
  ])('%s is dialled as it stands', (input) => {
    expect(read(input)).toEqual({ kind: 'special', number: input });
    expect(asIs(input)).toEqual({ kind: 'special', number: input });
  });

  it.each(['8001234567', '+55 800 123 4567', '5508001234567', '0800 123 4567'])(
    '%s is the toll-free 0800 123 4567',
    (input) => {
      expect(read(input)).toEqual({ kind: 'special', number: '08001234567' });
    },
  );
});

describe('a foreign number', () => {
  it.each([
    ['+1 212 555 1234', '12125551234'],
    ['0012125551234', '12125551234'],
    ['00 21 1 212 555 1234', '12125551234'],
    ['+351 912 345 678', '351912345678'],
    ['+54 9 11 2345-6789', '5491123456789'],
  ])('%s is dialled %s', (input, number) => {
    expect(read(input)).toEqual({ kind: 'foreign', number });
  });

  it('needs its country code marked while Brazil is assumed', () => {
    expect(read('12125551234').kind).toBe('refused');
    expect(asIs('12125551234')).toEqual({ kind: 'foreign', number: '12125551234' });
  });

  it.each([
    '(00) 98765-0000',
    '( 0 ) 98765-4003',
    '00 98765-4003',
    '00987650000',
    '(00) 3456-7890',
    '(00)44 20 7946 0958',
  ])('%s is none: the area code was not known where it was written', (input) => {
    expect(read(input).kind).toBe('refused');
  });

  it('must be one', () => {
    expect(read('+1 123').kind).toBe('refused');
    expect(asIs('999999999999').kind).toBe('refused');
    expect(asIs('000000000').kind).toBe('refused');
  });
});

describe('setbrasil=0', () => {
  it('keeps a Brazilian number digit by digit', () => {
    expect(asIs('551187654321')).toMatchObject({ kind: 'mobile', number: '551187654321', ddd: '11' });
    expect(asIs('+5511987654321')).toMatchObject({ kind: 'mobile', number: '5511987654321' });
  });

  it('completes nothing', () => {
    expect(asIs('11987654321').kind).toBe('refused');
    expect(asIs('011987654321').kind).toBe('refused');
    expect(asIs('55999991234').kind).toBe('refused');
  });
});

describe('numtype', () => {
  it('shows Brazilian numbers with country, with 0, or with the area only', () => {
    expect(formatPhoneNumber('5511987654321', '')).toBe('5511987654321');
    expect(formatPhoneNumber('5511987654321', '0DDD')).toBe('011987654321');
    expect(formatPhoneNumber('5511987654321', 'DDD')).toBe('11987654321');
    expect(formatPhoneNumber('551132654321', 'DDD')).toBe('1132654321');
    expect(formatPhoneNumber('5511987654321', 'XYZ')).toBe('5511987654321');
  });

  it('leaves others alone', () => {
    expect(formatPhoneNumber('12125551234', '0DDD')).toBe('12125551234');
    expect(formatPhoneNumber('08001234567', 'DDD')).toBe('08001234567');
  });
});
