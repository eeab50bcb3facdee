import { describe, expect, it } from 'vitest';
import { patientTurns } from '../../src/engine/turns.ts';

describe('the turns of patient machines', () => {
  const busy = (others: number, waiting: number): number => patientTurns({ others, waiting, busy: true });

  it('are all that wait, up to a batch that others need not wait long for', () => {
    const idle = (others: number, waiting: number) => patientTurns({ others, waiting, busy: false });
    expect([idle(0, 10), idle(50, 10), idle(0, 5_000), idle(700, 5_000)]).toEqual([10, 10, 64, 64]);
  });

  it('are a sixteenth beside the steps of others in a busy process, and one at least', () => {
    expect([1, 16, 160, 700].map((others) => busy(others, 500))).toEqual([1, 1, 10, 44]);
  });

  it('are few in a busy process that has no steps of others', () => {
    expect([busy(0, 5), busy(0, 5_000)]).toEqual([5, 16]);
  });

  it('grow with those that wait, so that they never pile up', () => {
    let waiting = 0;
    // 40 steps of others a batch, and 6 more of theirs come in meanwhile.
    for (let batch = 0; batch < 50_000; batch += 1) waiting += 6 - busy(40, waiting + 6);
    expect(waiting).toBeLessThan(6_500);
  });
});
