import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, endOfDay, fromLocal, isTimeZone, toLocal, weekday } from '../../src/lib/localTime.ts';

describe('local time', () => {
  it('shows a moment on the wall of a zone', () => {
    const noon = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
    expect(toLocal(noon, 'America/Sao_Paulo')).toEqual({ date: '2026-11-20', time: '09:34:56' });
    expect(toLocal(noon, 'America/Rio_Branco')).toEqual({ date: '2026-11-20', time: '07:34:56' });
    expect(toLocal(noon, 'Asia/Kathmandu')).toEqual({ date: '2026-11-20', time: '18:19:56' });
  });

  it('changes the date when the zone does', () => {
    const afterMidnight = Date.UTC(2026, 0, 1, 2, 0, 0);
    expect(toLocal(afterMidnight, 'America/Sao_Paulo')).toEqual({ date: '2025-12-31', time: '23:00:00' });
  });

  it('reads a wall clock back to the moment', () => {
    expect(fromLocal('2026-11-20', '09:34:56', 'America/Sao_Paulo')).toBe(Date.UTC(2026, 10, 20, 12, 34, 56));
    expect(fromLocal('2026-11-20', '09:34', 'America/Sao_Paulo')).toBe(Date.UTC(2026, 10, 20, 12, 34));
  });

  it('moves a time that the spring-forward skips to just after the gap', () => {
    // New York, 8 March 2026: 01:59:59 EST is followed by 03:00:00 EDT.
    const moment = fromLocal('2026-03-08', '02:30:00', 'America/New_York');
    expect(toLocal(moment, 'America/New_York')).toEqual({ date: '2026-03-08', time: '03:30:00' });
  });

  it('takes the first of two when clocks go back', () => {
    // New York, 1 November 2026: 01:30 occurs at 05:30 and 06:30 UTC.
    expect(fromLocal('2026-11-01', '01:30:00', 'America/New_York')).toBe(Date.UTC(2026, 10, 1, 5, 30));
  });

  it("knows São Paulo's own daylight saving of the past, which skipped midnight", () => {
    const moment = fromLocal('2018-11-04', '00:00:00', 'America/Sao_Paulo');
    expect(toLocal(moment, 'America/Sao_Paulo')).toEqual({ date: '2018-11-04', time: '01:00:00' });
  });

  it('comes back to the same second wherever the clocks are not changed', () => {
    const zones = fc.constantFrom('America/Sao_Paulo', 'America/Noronha', 'Asia/Kolkata', 'Pacific/Apia');
    const seconds = fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2040, 0) / 1000 });
    fc.assert(
      fc.property(seconds, zones, (second, zone) => {
        const { date, time } = toLocal(second * 1000, zone);
        const back = fromLocal(date, time, zone);
        expect(toLocal(back, zone)).toEqual({ date, time });
        expect(back).toBeLessThanOrEqual(second * 1000);
      }),
    );
  });

  it('refuses what is not a date or a time', () => {
    expect(() => fromLocal('2026-02-30', '10:00', 'America/Sao_Paulo')).toThrow(RangeError);
    expect(() => fromLocal('2026-02-20', '24:00', 'America/Sao_Paulo')).toThrow(RangeError);
    expect(() => fromLocal('20/02/2026', '10:00', 'America/Sao_Paulo')).toThrow(RangeError);
    expect(() => toLocal(0, 'Mars/Olympus')).toThrow(RangeError);
  });

  it('reads the first and the last date that people write for "for good"', () => {
    const zones = ['America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC'];
    for (const zone of zones) {
      for (const date of ['0001-01-01', '9999-12-31']) {
        expect(toLocal(fromLocal(date, '00:00', zone), zone)).toEqual({ date, time: '00:00:00' });
        expect(toLocal(endOfDay(date, zone) - 1, zone)).toEqual({ date, time: '23:59:59' });
      }
    }
    expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
  });

  it('ends a day where the next begins, also when midnight is skipped', () => {
    expect(endOfDay('2026-11-20', 'America/Sao_Paulo')).toBe(Date.UTC(2026, 10, 21, 3));
    expect(endOfDay('2018-11-03', 'America/Sao_Paulo')).toBe(Date.UTC(2018, 10, 4, 3));
  });

  it('counts days and names weekdays', () => {
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(weekday('2026-11-20')).toBe(5);
    expect(isTimeZone('America/Manaus')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});
