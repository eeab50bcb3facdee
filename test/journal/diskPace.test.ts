/** Small writes are made while the process waits, as long as the disk takes them at once. */
import { expect, test } from 'vitest';
import { DiskLatencyMonitor } from '../../src/journal/diskPace.ts';

test('a small write is made at once, a large one is left to a thread', () => {
  const pace = new DiskLatencyMonitor(() => 0);
  expect(pace.takesAtOnce(64 * 1024)).toBe(true);
  expect(pace.takesAtOnce(64 * 1024 + 1)).toBe(false);
});

test('after a write that took long, threads write for ten seconds', () => {
  let now = 0;
  const pace = new DiskLatencyMonitor(() => now);
  expect(pace.timed(() => ((now += 5), 'written'))).toBe('written');
  expect(pace.takesAtOnce(1)).toBe(true);
  pace.timed(() => (now += 6));
  expect(pace.takesAtOnce(1)).toBe(false);
  now += 9_999;
  expect(pace.takesAtOnce(1)).toBe(false);
  now += 1;
  expect(pace.takesAtOnce(1)).toBe(true);
});

test('a write that fails late counts as one that took long, and its error is told', () => {
  let now = 0;
  const pace = new DiskLatencyMonitor(() => now);
  const refused = (): never => {
    now += 200;
    throw new Error('ENOSPC');
  };
  expect(() => pace.timed(refused)).toThrow('ENOSPC');
  expect(pace.takesAtOnce(1)).toBe(false);
});
