import { describe, expect, it } from 'vitest';
import { openTrunkDialPacer } from '../../../src/providers/dialClearance/trunkDialPacer.ts';
import { handClock } from '../../helpers/handClock.ts';

const aPace = (callsPerSecond: number) => {
  const clock = handClock(1_000);
  const capacity = { callsPerSecond, legs: 100 };
  const pace = openTrunkDialPacer(() => capacity, clock);
  const left: number[] = [];
  const dial = async (signal = new AbortController().signal): Promise<void> => {
    await pace.turn('trunk', signal);
    left.push(clock.now());
  };
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 10) {
      clock.turn(10);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }
  };
  return { capacity, dial, left, pass };
};

describe('dials that were granted in time and come together', () => {
  it('leave at once while the last second has room', async () => {
    const { dial, left } = aPace(3);
    await Promise.all([dial(), dial(), dial()]);
    expect(left).toEqual([1_000, 1_000, 1_000]);
  });

  it('leave no faster than the trunk bears in any second, in their order', async () => {
    const { dial, left, pass } = aPace(3);
    for (let nth = 0; nth < 9; nth++) void dial();
    await pass(3_000);
    expect(left).toHaveLength(9);
    for (const from of left)
      expect(left.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(3);
  });

  it('wait while this process has no share, and go when it has', async () => {
    const { capacity, dial, left, pass } = aPace(0);
    void dial();
    await pass(1_000);
    expect(left).toEqual([]);
    capacity.callsPerSecond = 1;
    await pass(300);
    expect(left).toHaveLength(1);
  });

  it('are let go when their time is over, and take no part of the second', async () => {
    const { dial, left, pass } = aPace(1);
    const over = new AbortController();
    void dial();
    void dial(over.signal);
    void dial();
    over.abort();
    await pass(1_500);
    expect(left).toHaveLength(3);
    expect(left[2]! - left[0]!).toBeLessThan(1_300);
  });
});
