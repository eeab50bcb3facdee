import { describe, expect, it } from 'vitest';
import {
  randomAroundMean,
  StratifiedSampler,
  seededRandom,
  booleanSampler,
} from '../../src/forecast/prng.ts';

const drawn = (shares: number[], count: number, seed = 1): number[] => {
  const sampler = new StratifiedSampler(shares, seededRandom(seed));
  const counts = shares.map(() => 0);
  for (let card = 0; card < count; card++) counts[sampler.draw()]! += 1;
  return counts;
};

describe('the prng', () => {
  it('fall the same way for the same seed', () => {
    const [one, other, third] = [seededRandom(7), seededRandom(7), seededRandom(8)];
    const throws = Array.from({ length: 20 }, () => one());
    expect(Array.from({ length: 20 }, () => other())).toEqual(throws);
    expect(Array.from({ length: 20 }, () => third())).not.toEqual(throws);
    expect(throws.every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('fall evenly', () => {
    const prng = seededRandom(3);
    const mean =
      Array.from({ length: 10_000 }, () => randomAroundMean(prng, 100)).reduce(
        (sum, value) => sum + value,
        0,
      ) / 10_000;
    expect(mean).toBeGreaterThan(98);
    expect(mean).toBeLessThan(102);
  });
});

describe('a sampler', () => {
  it('deals every hundred in the given shares', () => {
    expect(drawn([0.5, 0.3, 0.15, 0.05], 100)).toEqual([50, 30, 15, 5]);
    expect(drawn([0, 1], 100)).toEqual([0, 100]);
  });

  it('makes up for what a pack rounds off', () => {
    const counts = drawn([0.333, 0.333, 0.334], 10_000);
    expect(counts).toEqual([3_330, 3_330, 3_340]);
    expect(drawn([0.004, 0.996], 10_000)).toEqual([40, 9_960]);
  });

  it('shuffles', () => {
    const says = booleanSampler(0.5, seededRandom(1));
    const first = Array.from({ length: 100 }, says);
    expect(first.slice(0, 50).filter(Boolean).length).toBeGreaterThan(10);
    expect(first.slice(0, 50).filter(Boolean).length).toBeLessThan(40);
  });
});
