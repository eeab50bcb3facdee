import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/forecast/clock.ts';

it('lets things happen in the order of their time, and of their setting at the same time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (delays) => {
      const clock = new VirtualClock(1_000);
      const happened: [number, number][] = [];
      for (const [nth, ms] of delays.entries()) clock.set(ms, () => happened.push([clock.now(), nth]));
      while (clock.next() !== undefined) clock.step();
      const expected = delays.map((ms, nth): [number, number] => [1_000 + ms, nth]);
      expect(happened).toEqual(expected.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]));
    }),
  );
});

it('knows whole milliseconds only, and lets nothing happen before its time', () => {
  const clock = new VirtualClock(999.6);
  clock.set(0.4, () => clock.set(18.7, () => {}));
  clock.step();
  expect(clock.now()).toBe(1_001);
  clock.step();
  expect(clock.now()).toBe(1_020);
});

it('leaves out what was called off', () => {
  const clock = new VirtualClock(0);
  const happened: string[] = [];
  clock.after(5, () => happened.push('never'))();
  clock.set(7, () => clock.set(-3, () => happened.push(`at once, at ${clock.now()}`)));
  expect(clock.next()).toBe(7);
  while (clock.next() !== undefined) clock.step();
  expect(happened).toEqual(['at once, at 7']);
});

it('keeps its order when most of what was set is called off', () => {
  const clock = new VirtualClock(0);
  const happened: number[] = [];
  const delays = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_000);
  const alarms = delays.map((ms) => clock.set(ms, () => happened.push(ms)));
  for (const [index, alarm] of alarms.entries()) if (index % 10 > 0) clock.callOff(alarm);
  while (clock.next() !== undefined) clock.step();
  const kept = delays.filter((_, index) => index % 10 === 0);
  expect(happened).toEqual(kept.toSorted((one, other) => one - other));
});
