import { describe, expect, it } from 'vitest';
import { faultNames, kindOf, leastOf } from './catalogue.ts';
import { choose, makePlan } from './plan.ts';

describe('the plan of a run from outside', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makePlan({ seed: 7, minutes: 20 })).toEqual(makePlan({ seed: 7, minutes: 20 }));
    expect(makePlan({ seed: 7, minutes: 20 })).not.toEqual(makePlan({ seed: 8, minutes: 20 }));
  });

  it.each([2, 20])('does every fault that it has chosen often enough within %i minutes', (minutes) => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      const faults = choose({ seed, minutes });
      const plan = makePlan({ seed, minutes, faults });
      const rare = faults.filter(
        (name) => plan.filter(({ fault }) => fault === name).length < leastOf(minutes),
      );
      expect(rare).toEqual([]);
    }
  });

  it('has time for every fault in twenty minutes', () => {
    expect(choose({ seed: 7, minutes: 20 })).toEqual(faultNames);
  });

  it('has time for some in two: one promotion at least, all of neighbours, and each fault with some seed', () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => choose({ seed, minutes: 2 }));
    for (const faults of seeds) {
      expect(faults.filter((name) => kindOf(name).promotes).length).toBeGreaterThan(0);
      expect(faults.filter((name) => kindOf(name).track === 'service').length).toBeGreaterThanOrEqual(5);
      expect(faults).toEqual(
        expect.arrayContaining(faultNames.filter((name) => kindOf(name).track === 'neighbour')),
      );
    }
    expect(new Set(seeds.flat())).toEqual(new Set(faultNames));
  });

  it('does what is wanted alone, however long it takes', () => {
    expect(choose({ seed: 1, minutes: 1, faults: ['restoreOld'] })).toEqual(['restoreOld']);
  });

  it('lets no two faults of the service overlap, and ends in time', () => {
    const plan = makePlan({ seed: 3, minutes: 20 });
    const ofService = plan.filter(({ fault }) => kindOf(fault).track === 'service');
    for (const [index, { at }] of ofService.entries()) {
      const before = ofService[index - 1];
      if (before) expect(at).toBeGreaterThan(before.at + before.lastsMs);
    }
    for (const { at, lastsMs } of plan) expect(at + lastsMs).toBeLessThan(20 * 60_000);
  });
});
