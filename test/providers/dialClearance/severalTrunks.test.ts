/** Capacity over several trunks: each bears its own, and a full one holds up no call that may go by another. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CapacityLimiter, type TrunkCapacity } from '../../../src/providers/dialClearance/capacityLimiter.ts';
import { handClock } from '../../helpers/handClock.ts';

const aLimiter = (capacity: Record<string, TrunkCapacity>) => {
  const clock = handClock(1_000_000);
  const limiter = new CapacityLimiter({ capacityOf: (trunk) => capacity[trunk]!, clock });
  const granted: { key: string; trunk: string; at: number }[] = [];
  const note = (key: string, trunk: string): void => void granted.push({ key, trunk, at: clock.now() });
  const ask = (key: string, ...trunks: string[]): void => {
    const heard = { granted: ({ trunk }: { trunk: string }) => note(key, trunk), turnedAway: () => {} };
    const answer = limiter.ask(key, { lane: trunks.join('|'), trunks }, heard);
    if (typeof answer === 'object' && 'granted' in answer) note(key, answer.granted.trunk);
  };
  const trunks = () => granted.map(({ key, trunk }) => `${key}:${trunk}`);
  return { clock, limiter, granted, ask, trunks };
};

const wide = { callsPerSecond: 1_000, legs: 1_000 };

describe('capacity over trunks', () => {
  it('takes the first that has room, and the next while it has none', () => {
    const { ask, limiter, trunks } = aLimiter({ a: { ...wide, legs: 1 }, b: wide });
    ask('1', 'a', 'b');
    ask('2', 'a', 'b');
    expect(trunks()).toEqual(['1:a', '2:b']);
    limiter.release('1');
    ask('3', 'a', 'b');
    expect([trunks().at(-1), limiter.heldOn('a'), limiter.heldOn('b')]).toEqual(['3:a', 1, 1]);
  });

  it('lets calls pass that wait for a full trunk', () => {
    const { ask, limiter, trunks } = aLimiter({ a: { ...wide, legs: 1 }, b: wide });
    ask('1', 'a');
    ask('2', 'a');
    ask('3', 'b');
    expect(trunks()).toEqual(['1:a', '3:b']);
    limiter.release('1');
    expect(trunks()).toEqual(['1:a', '3:b', '2:a']);
  });

  it('hears of more capacity while calls wait', () => {
    const capacity = { a: { ...wide, legs: 1 } };
    const { ask, clock, trunks } = aLimiter(capacity);
    ask('1', 'a');
    ask('2', 'a');
    capacity.a = { ...wide, legs: 2 };
    clock.turn(2_000);
    expect(trunks()).toEqual(['1:a', '2:a']);
  });

  it('stands still at a rate of zero, and goes on at the next one', () => {
    const capacity = { a: { ...wide, callsPerSecond: 0 } };
    const { ask, clock, granted } = aLimiter(capacity);
    for (let call = 0; call < 5; call++) ask(String(call), 'a');
    clock.turn(60_000);
    expect(granted).toHaveLength(0);
    capacity.a = { ...wide, callsPerSecond: 2 };
    clock.turn(4_000);
    expect(granted.length).toBeGreaterThanOrEqual(4);
  });

  it('exceeds neither the rate nor the legs of any trunk, whatever is asked and ended', () => {
    const limits = { a: { callsPerSecond: 10, legs: 5 }, b: { callsPerSecond: 3, legs: 40 } };
    const step = fc.record({
      trunks: fc.constantFrom(['a'], ['b'], ['a', 'b'], ['b', 'a']),
      ends: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 200 }), (steps) => {
        const { ask, clock, limiter, granted } = aLimiter(limits);
        for (const [nth, { trunks, ends }] of steps.entries()) {
          ask(String(nth), ...trunks);
          if (ends && granted.length > 0) limiter.release(granted[nth % granted.length]!.key);
          clock.turn(37);
          for (const trunk of ['a', 'b'] as const)
            expect(limiter.heldOn(trunk)).toBeLessThanOrEqual(limits[trunk].legs);
        }
        for (const trunk of ['a', 'b'] as const) {
          const times = granted.filter((one) => one.trunk === trunk).map(({ at }) => at);
          // Over any second: the rate, and what the bucket holds.
          for (const from of times)
            expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(
              limits[trunk].callsPerSecond + 1,
            );
        }
      }),
    );
  });
});
