import { expect, it } from 'vitest';
import { sinceBoot } from '../../src/lib/sinceBoot.ts';

it('goes on, in milliseconds', () => {
  const clock = sinceBoot();
  const before = clock();
  if (before === undefined) return;
  expect(clock()!).toBeGreaterThanOrEqual(before);
  // Machines that are suspended count more than the process's clock does, never less.
  expect(before).toBeGreaterThan(performance.now());
});

it('tells nothing where there is no such file, or nothing in it', () => {
  expect(sinceBoot('/nowhere/uptime')()).toBeUndefined();
  expect(sinceBoot(import.meta.filename)()).toBeUndefined();
});
