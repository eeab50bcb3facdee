/** What the page of a machine says that an entry asked for. */
import { expect, test } from 'vitest';
import { parseRequestedEffects } from '../../src/console/app/pages/machine/history.ts';

test('tells effects and timers apart', () => {
  expect(parseRequestedEffects({ asked: ['originate', 'ringGuard+30000'] })).toEqual({
    effects: ['originate'],
    timers: [{ name: 'ringGuard', ms: 30_000 }],
    error: undefined,
  });
});

test('shows the error of an event that failed, and no effect of that name', () => {
  const error = 'failed: 0.5 cannot be booked';
  expect(parseRequestedEffects({ asked: [error] })).toEqual({ effects: [], timers: [], error });
});
