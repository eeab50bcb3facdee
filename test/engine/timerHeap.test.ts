import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimerHeap } from '../../src/engine/timers/timerHeap.ts';
import type { Clock } from '../../src/engine/contract/ports.ts';

/** A clock that stands until it is moved. */
const handClock = (): Clock & { move(to: number): void } => {
  let now = 0;
  let pending: { at: number; run: () => void }[] = [];
  return {
    monotonic: () => now,
    after: (ms, run) => {
      const one = { at: now + ms, run };
      pending.push(one);
      return () => void (pending = pending.filter((other) => other !== one));
    },
    soon: (run) => run(),
    load: () => 0,
    wall: () => now,
    sinceBoot: () => undefined,
    move: (to) => {
      for (;;) {
        const [next] = pending.toSorted((one, other) => one.at - other.at);
        if (!next || next.at > to) break;
        pending = pending.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = to;
    },
  };
};

describe('the alarm', () => {
  it('rings each machine once, in order, at the time it was last set to', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(1_000))), { maxLength: 200 }),
        (settings) => {
          const clock = handClock();
          const rung: [number, number][] = [];
          const alarm = new TimerHeap(
            clock,
            () => clock.monotonic(),
            (_account, id, due) => rung.push([id, due]),
          );
          const last = new Map<number, number>();
          for (const [id, at] of settings) {
            alarm.set(1, id, at);
            if (at === null) last.delete(id);
            else last.set(id, at);
          }
          clock.move(2_000);
          expect(new Map(rung)).toEqual(last);
          expect(rung).toHaveLength(last.size);
          expect(rung.map(([, due]) => due)).toEqual(rung.map(([, due]) => due).toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it('does not ring early, and rings what was overdue when set', () => {
    const clock = handClock();
    const rung: number[] = [];
    const alarm = new TimerHeap(
      clock,
      () => clock.monotonic(),
      (_account, id) => rung.push(id),
    );
    alarm.set(1, 1, 100);
    clock.move(99);
    expect(rung).toEqual([]);
    clock.move(100);
    alarm.set(1, 2, 50);
    clock.move(105);
    expect(rung).toEqual([1, 2]);
  });

  it('rings those together that follow each other closely', () => {
    const clock = handClock();
    const rung: [id: number, at: number][] = [];
    const alarm = new TimerHeap(
      clock,
      () => clock.monotonic(),
      (_account, id) => rung.push([id, clock.monotonic()]),
    );
    for (const [id, at] of [100, 101, 104, 111].entries()) alarm.set(1, id, at);
    clock.move(200);
    expect(rung).toEqual([
      [0, 100],
      [1, 105],
      [2, 105],
      [3, 111],
    ]);
  });
});
