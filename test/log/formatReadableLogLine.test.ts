import { expect, test } from 'vitest';
import { formatReadableLogLine } from '../../src/log/formatReadableLogLine.ts';

const line = (fields: object): string => `${JSON.stringify(fields)}\n`;
const time = new Date(2026, 10, 20, 17, 2, 38).toISOString();

test('a line of the log is words, with its time on the clock of this machine', () => {
  const told = formatReadableLogLine(line({ level: 'warn', time, route: 7, msg: 'the carrier is away' }));
  expect(told).toBe('17:02:38  warn   the carrier is away  route=7\n');
  const failed = formatReadableLogLine(
    line({ level: 'error', time, err: { message: 'no', stack: 'at …' }, msg: 'lost' }),
  );
  expect(failed).toBe('17:02:38  error  lost  no\n');
});

test('one line stays one line, of a bounded length, and moves no cursor', () => {
  const told = formatReadableLogLine(
    line({ level: 'info', time, name: `a\u001B[2J\nb${'x'.repeat(9_000)}`, msg: 'm' }),
  );
  // oxlint-disable-next-line no-control-regex -- that there is none is what is tested
  expect(told.trimEnd()).not.toMatch(/[\u0000-\u001F]/);
  expect(told.length).toBeLessThan(500);
});

test('what is no JSON stays as it is', () => {
  expect(formatReadableLogLine('plain\n')).toBe('plain\n');
});
