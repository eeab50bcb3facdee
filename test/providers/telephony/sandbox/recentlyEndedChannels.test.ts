import { describe, expect, it } from 'vitest';
import { recentlyEndedChannels } from '../../../../src/providers/telephony/sandbox/recentlyEndedChannels.ts';

const remembering = () => {
  const forgotten: number[] = [];
  return { forgotten, kept: recentlyEndedChannels<number>((item) => forgotten.push(item)) };
};

describe('endings', () => {
  it('forgets those that were told one after the other, and keeps those that nobody told', () => {
    const { forgotten, kept } = remembering();
    kept.add(-1, 'untold', 0);
    for (let item = 0; item < 2_003; item += 1) kept.add(item, 'told', 0);
    expect(forgotten).toEqual([0, 1, 2]);
  });

  it('forgets the untold after ten minutes', () => {
    const { forgotten, kept } = remembering();
    kept.add(1, 'untold', 0);
    kept.add(2, 'untold', 599_999);
    expect(forgotten).toEqual([]);
    kept.add(3, 'untold', 600_000);
    expect(forgotten).toEqual([1]);
  });

  it('counts an ending among the told once an adopter has told it, and not at all when it is taken back', () => {
    const { forgotten, kept } = remembering();
    kept.add(1, 'untold', 0);
    kept.add(1, 'told', 1);
    kept.add(2, 'untold', 0);
    kept.remove(2);
    kept.add(3, 'told', 600_001);
    expect(forgotten).toEqual([1]);
  });
});
