/** A clock that stands still until it is turned. */
import type { ClockWithTimers } from '../../src/providers/contracts/dialClearance.ts';

export interface HandClock extends ClockWithTimers {
  /** Turns the clock, running on the way what is due, in order. */
  turn(ms: number): void;
}

export const handClock = (start = 0): HandClock => {
  let now = start;
  const alarms = new Map<object, { at: number; run: () => void }>();
  const nextBy = (end: number) =>
    [...alarms].filter(([, alarm]) => alarm.at <= end).toSorted(([, one], [, other]) => one.at - other.at)[0];
  return {
    now: () => now,
    after: (ms, run) => {
      const name = {};
      alarms.set(name, { at: now + ms, run });
      return () => alarms.delete(name);
    },
    turn: (ms) => {
      const end = now + ms;
      for (let due = nextBy(end); due; due = nextBy(end)) {
        alarms.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].run();
      }
      now = end;
    },
  };
};
