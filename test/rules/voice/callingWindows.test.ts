import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REGIONS } from '../../../src/rules/voice/areaCodeTimeZones.ts';
import { easterOf, holidayOf } from '../../../src/rules/voice/holidays.ts';
import { fromLocal, toLocal } from '../../../src/lib/localTime.ts';
import {
  DEFAULT_WINDOWS,
  parseCallingWindows,
  callingWindowAt,
} from '../../../src/rules/voice/callingWindows.ts';

const SAO_PAULO = '5511987654321';
const RIO_BRANCO = '5568987654321';
const inSaoPaulo = (date: string, time: string) => fromLocal(date, time, 'America/Sao_Paulo');

describe('the calling window', () => {
  it.each([
    ['2026-11-18', '08:00:00'],
    ['2026-11-18', '20:59:59'],
    ['2026-11-21', '09:00:00'],
    ['2026-11-21', '17:59:59'],
  ])('is open in São Paulo on %s at %s', (date, time) => {
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo(date, time))).toEqual({ open: true });
  });

  it.each([
    // Wednesday morning, Wednesday evening, Saturday morning, Saturday evening, Sunday.
    ['2026-11-18', '07:59:59', 'window', '2026-11-18', '08:00:00'],
    ['2026-11-18', '21:00:00', 'window', '2026-11-19', '08:00:00'],
    ['2026-11-21', '08:59:59', 'window', '2026-11-21', '09:00:00'],
    ['2026-11-21', '18:00:00', 'window', '2026-11-23', '08:00:00'],
    ['2026-11-22', '12:00:00', 'window', '2026-11-23', '08:00:00'],
    // The eve of a holiday, then holidays: 20 November, Good Friday, Carnival, Christmas, 9 July.
    ['2026-11-19', '22:00:00', 'window', '2026-11-21', '09:00:00'],
    ['2026-11-20', '10:00:00', 'holiday', '2026-11-21', '09:00:00'],
    ['2026-04-03', '10:00:00', 'holiday', '2026-04-04', '09:00:00'],
    ['2026-02-16', '10:00:00', 'holiday', '2026-02-18', '08:00:00'],
    ['2026-12-25', '10:00:00', 'holiday', '2026-12-26', '09:00:00'],
    ['2026-07-09', '10:00:00', 'holiday', '2026-07-10', '08:00:00'],
  ])('is closed in São Paulo on %s at %s (%s) until %s %s', (date, time, reason, opensOn, opensAt) => {
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo(date, time))).toMatchObject({
      open: false,
      reason,
      until: inSaoPaulo(opensOn, opensAt),
    });
  });

  it("follows the destination's clock, not the caller's", () => {
    const nineInSaoPaulo = inSaoPaulo('2026-11-18', '09:00:00');
    const answer = callingWindowAt(RIO_BRANCO, nineInSaoPaulo);
    expect(answer).toMatchObject({ open: false, until: inSaoPaulo('2026-11-18', '10:00:00') });
    expect(callingWindowAt(RIO_BRANCO, inSaoPaulo('2026-11-18', '22:59:00'))).toEqual({ open: true });
  });

  it("follows the destination state's holidays", () => {
    const noon = inSaoPaulo('2026-07-09', '12:00:00');
    expect(callingWindowAt('5521987654321', noon)).toEqual({ open: true });
    expect(callingWindowAt('5521987654321', inSaoPaulo('2026-04-23', '12:00:00'))).toMatchObject({
      open: false,
      reason: 'holiday',
    });
  });

  it('says where, why and until when', () => {
    const answer = callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-20', '10:00:00'));
    expect(answer).toMatchObject({
      detail:
        'DDD 11 (SP, 10:00 there) keeps Dia da Consciência Negra; opens 2026-11-21 09:00 America/Sao_Paulo',
    });
  });

  it('does not exist for foreign and special numbers', () => {
    const night = inSaoPaulo('2026-11-22', '03:00:00');
    expect(callingWindowAt('12125551234', night)).toEqual({ open: true });
    expect(callingWindowAt('08001234567', night)).toEqual({ open: true });
  });

  it("may be the account's own", () => {
    const windows = parseCallingWindows({
      weekdays: ['14:00-18:00', '09:00-12:00'],
      holidays: ['10:00-11:00'],
    });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-18', '08:30'), windows)).toMatchObject({
      until: inSaoPaulo('2026-11-18', '09:00'),
    });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-18', '12:00'), windows)).toMatchObject({
      until: inSaoPaulo('2026-11-18', '14:00'),
    });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-20', '10:30'), windows)).toEqual({ open: true });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-21', '17:00'), windows)).toEqual({ open: true });
  });

  it('may last to midnight', () => {
    const windows = parseCallingWindows({ weekdays: ['00:00-24:00'] });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-18', '23:59:59'), windows)).toEqual({ open: true });
    expect(callingWindowAt(SAO_PAULO, inSaoPaulo('2026-11-18', '00:00:00'), windows)).toEqual({ open: true });
  });

  it('is open at the moment it names, and closed the second before', () => {
    const area = fc.constantFrom(...REGIONS.keys());
    const second = fc.integer({ min: Date.UTC(2026, 0) / 1000, max: Date.UTC(2031, 0) / 1000 });
    fc.assert(
      fc.property(area, second, (ddd, at) => {
        const answer = callingWindowAt(`55${ddd}32654321`, at * 1000);
        if (answer.open) return;
        expect(answer.until).toBeGreaterThan(at * 1000);
        expect(callingWindowAt(`55${ddd}32654321`, answer.until)).toEqual({ open: true });
        expect(callingWindowAt(`55${ddd}32654321`, answer.until - 1000).open).toBe(false);
      }),
    );
  });

  it.each([
    [[], 'must be'],
    ['08:00-21:00', 'must be'],
    [{ mondays: [] }, '"mondays"'],
    [{ weekdays: '08:00-21:00' }, 'must be a list'],
    [{ weekdays: ['21:00-08:00'] }, '21:00-08:00'],
    [{ weekdays: ['8-21'] }, '8-21'],
    [{ weekdays: ['08:00-25:00'] }, '08:00-25:00'],
    [{ weekdays: [], saturdays: [], sundays: [] }, 'some day'],
  ])('refuses a table like %j', (table, sentence) => {
    expect(() => parseCallingWindows(table)).toThrow(sentence);
  });

  it('is the default table when the account has none', () => {
    expect(parseCallingWindows(null)).toBe(DEFAULT_WINDOWS);
    expect(parseCallingWindows({})).toEqual(DEFAULT_WINDOWS);
  });
});

describe('holidays', () => {
  it.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
    [2000, '2000-04-23'],
  ])('Easter of %i is %s', (year, date) => {
    expect(easterOf(year)).toBe(date);
  });

  it('are the national list in every state', () => {
    const days = [
      '01-01',
      '02-16',
      '02-17',
      '04-03',
      '04-21',
      '05-01',
      '06-04',
      '09-07',
      '10-12',
      '11-02',
      '11-15',
    ];
    const states = new Set([...REGIONS.values()].map((region) => region.state));
    for (const state of states) {
      for (const day of [...days, '11-20', '12-25']) expect(holidayOf(`2026-${day}`, state)).toBeTruthy();
    }
  });

  it("are a state's own besides", () => {
    expect(holidayOf('2026-07-09', 'SP')).toBe('Revolução Constitucionalista');
    expect(holidayOf('2026-07-09', 'MG')).toBeUndefined();
    expect(holidayOf('2026-07-02', 'BA')).toBe('Independência da Bahia');
    expect(holidayOf('2026-04-13', 'ES')).toBe('Nossa Senhora da Penha');
    expect(holidayOf('2026-04-13', 'SP')).toBeUndefined();
    expect(holidayOf('2026-09-20', 'RS')).toBe('Revolução Farroupilha');
  });

  it('are few: an ordinary year has no more than twenty in any state', () => {
    for (const { state } of REGIONS.values()) {
      const count = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1 + day))
        .map((ms) => holidayOf(toLocal(ms, 'UTC').date, state))
        .filter((name) => name !== undefined).length;
      expect(count).toBeGreaterThanOrEqual(13);
      expect(count).toBeLessThanOrEqual(20);
    }
  });
});
