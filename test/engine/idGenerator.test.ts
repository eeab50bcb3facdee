import { describe, expect, it } from 'vitest';
import { firstIdAt, IdGenerator, timeOfId } from '../../src/engine/contract/idGenerator.ts';

const now = Date.UTC(2026, 10, 20);

describe('ids', () => {
  it('ascend, stay below 2^53 and tell when they were minted', () => {
    const mint = new IdGenerator(63, () => Date.UTC(2058, 0, 1));
    const ids = Array.from({ length: 1_000 }, () => mint.next());
    expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true);
    expect(Math.max(...ids)).toBeLessThan(2 ** 53);
    expect(timeOfId(new IdGenerator(5, () => now).next())).toBe(now);
  });

  it('of two slots never meet, however many are minted in a millisecond', () => {
    const mints = [new IdGenerator(0, () => now), new IdGenerator(1, () => now)];
    const ids = mints.flatMap((mint) => Array.from({ length: 10_000 }, () => mint.next()));
    expect(new Set(ids).size).toBe(20_000);
  });

  it('go on above what the slot’s last user minted, even when the clock went back', () => {
    const before = new IdGenerator(3, () => now);
    const last = Math.max(before.next(), before.next());
    const after = new IdGenerator(3, () => now - 60_000, before.millisecond);
    expect(after.next()).toBeGreaterThan(last);
  });

  it('of a day lie between the first ids of its two ends', () => {
    const id = new IdGenerator(7, () => now + 5).next();
    expect(id).toBeGreaterThanOrEqual(firstIdAt(now));
    expect(id).toBeLessThan(firstIdAt(now + 86_400_000));
  });
});
