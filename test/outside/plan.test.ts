import { describe, expect, it } from 'vitest';
import { faultNames, kindOf, leastOf } from './catalogue.ts';
import { makePlan } from './plan.ts';

describe('the plan of a run from outside', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makePlan({ seed: 7, minutes: 20 })).toEqual(makePlan({ seed: 7, minutes: 20 }));
    expect(makePlan({ seed: 7, minutes: 20 })).not.toEqual(makePlan({ seed: 8, minutes: 20 }));
  });

  it.each([2, 20])('does every fault often enough within %i minutes, whatever the seed', (minutes) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const plan = makePlan({ seed, minutes });
      const rare = faultNames.filter(
        (name) => plan.filter(({ fault }) => fault === name).length < leastOf(minutes),
      );
      expect(rare).toEqual([]);
    }
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
