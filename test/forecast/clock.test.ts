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

it('leaves out what was called off', () => {
  const clock = new VirtualClock(0);
  const happened: string[] = [];
  clock.after(5, () => happened.push('never'))();
  clock.set(7, () => clock.set(-3, () => happened.push(`at once, at ${clock.now()}`)));
  expect(clock.next()).toBe(7);
  while (clock.next() !== undefined) clock.step();
  expect(happened).toEqual(['at once, at 7']);
});
