import { describe, expect, it } from 'vitest';
import { TrunkHealth } from '../../../src/rules/trunks/health.ts';

const MINUTE_MS = 60_000;

/** A trunk whose legs end one a second. */
const aTrunk = () => {
  const health = new TrunkHealth();
  let now = 1_000_000;
  const leg = (fate: 'answered' | 'unanswered' | 'failed', more: object = {}): void => {
    const tries = health.began(now);
    now += 1_000;
    health.ended(now, fate, { ...more, tries });
  };
  const legs = (count: number, fate: 'answered' | 'unanswered' | 'failed'): void => {
    for (let nth = 0; nth < count; nth++) leg(fate);
  };
  return {
    ...{ health, leg, legs },
    rests: () => health.rests(now),
    figures: () => health.figures(now),
    pass: (ms: number) => void (now += ms),
  };
};

describe('a trunk', () => {
  it('rests when half of its newest legs are refused, and says for how long', () => {
    const { legs, rests, figures } = aTrunk();
    legs(20, 'answered');
    expect(rests()).toBe(false);
    legs(9, 'failed');
    expect(rests()).toBe(false);
    legs(1, 'failed');
    expect([rests(), figures().restsForMs, figures().restsBecause]).toEqual([true, MINUTE_MS, 'failed']);
  });

  it('does not rest for callees who do not answer', () => {
    const { legs, rests } = aTrunk();
    legs(100, 'unanswered');
    expect(rests()).toBe(false);
  });

  it('does not rest for a few legs, or for those of long ago', () => {
    const { legs, pass, rests } = aTrunk();
    legs(19, 'failed');
    pass(5 * MINUTE_MS);
    legs(1, 'failed');
    expect(rests()).toBe(false);
  });

  it('does not rest for what is usual for it', () => {
    const { health, rests, pass } = aTrunk();
    // Six of ten are refused, always: a route of last resort. It rests at first, and its norm follows.
    for (let nth = 0; nth < 600; nth++) {
      const tries = health.began(nth * 10_000);
      health.ended(nth * 10_000, nth % 10 < 6 ? 'failed' : 'answered', { tries });
    }
    pass(6_000_000);
    const more = new TrunkHealth();
    for (let nth = 0; nth < 20; nth++) more.ended(nth * 1_000, nth % 10 < 6 ? 'failed' : 'answered');
    expect([rests(), more.rests(20_000)]).toEqual([false, true]);
  });

  it('is tried with three legs after its rest, and comes back when they do not fail', () => {
    const { health, leg, legs, pass, rests } = aTrunk();
    legs(20, 'failed');
    pass(MINUTE_MS);
    expect(rests()).toBe(false);
    expect([1, 2, 3].map(() => health.began(2_000_000))).toEqual([true, true, true]);
    expect(health.rests(2_000_000)).toBe(true);
    // One that was dialled before the rest tells nothing.
    health.ended(2_000_000, 'failed');
    for (const fate of ['answered', 'failed', 'unanswered'] as const)
      health.ended(2_000_000, fate, { tries: true });
    expect(health.rests(2_000_000)).toBe(false);
    leg('failed');
    expect(rests()).toBe(false);
  });

  it('comes back when those legs ring, however long people talk', () => {
    const { health, legs } = aTrunk();
    legs(20, 'failed');
    for (let nth = 0; nth < 3; nth++) health.began(2_000_000);
    for (let nth = 0; nth < 3; nth++) health.proved(2_002_000);
    expect(health.rests(2_002_000)).toBe(false);
  });

  it('is tried by others when nothing is heard of those legs', () => {
    const { health, legs } = aTrunk();
    legs(20, 'failed');
    for (let nth = 0; nth < 3; nth++) health.began(2_000_000);
    expect(health.rests(2_000_000 + 4 * MINUTE_MS - 1)).toBe(true);
    expect(health.rests(2_000_000 + 4 * MINUTE_MS)).toBe(false);
  });

  it('rests when hardly any of its legs is answered, and many were', () => {
    const { legs, figures } = aTrunk();
    for (let round = 0; round < 60; round++) {
      legs(1, 'answered');
      legs(1, 'unanswered');
    }
    legs(40, 'unanswered');
    expect(figures().restsBecause).toBe(null);
    legs(10, 'unanswered');
    expect(figures().restsBecause).toBe('unanswered');
  });

  it('rests when its legs ring much later than they did', () => {
    const { leg, figures } = aTrunk();
    for (let nth = 0; nth < 100; nth++) leg('answered', { rangAfterMs: 2_000 });
    for (let nth = 0; nth < 9; nth++) leg('answered', { rangAfterMs: 9_000 });
    expect(figures().restsBecause).toBe(null);
    for (let nth = 0; nth < 3; nth++) leg('answered', { rangAfterMs: 9_000 });
    expect(figures().restsBecause).toBe('slow');
  });

  it('rests for twice as long when they are, ten minutes at the most', () => {
    const { legs, pass, figures } = aTrunk();
    legs(20, 'failed');
    const rests: (number | null)[] = [];
    for (let nth = 0; nth < 6; nth++) {
      pass(10 * MINUTE_MS);
      legs(2, 'failed');
      rests.push(figures().restsForMs);
    }
    expect(rests.map((ms) => ms! / MINUTE_MS)).toEqual([2, 4, 8, 10, 10, 10]);
  });

  it('tells how it fares', () => {
    const { leg, legs, figures, pass } = aTrunk();
    expect(figures()).toMatchObject({ legs: 0, answerSeizureRatio: null, postDialMs: null, causes: {} });
    leg('answered', { rangAfterMs: 1_000 });
    leg('unanswered', { rangAfterMs: 2_000 });
    leg('failed', { cause: '503' });
    leg('failed', { cause: 'Q34' });
    expect(figures()).toEqual({
      ...{ legs: 4, answered: 1, failed: 2, answerSeizureRatio: 0.25, postDialMs: 1_500 },
      ...{ causes: { '503': 1, Q34: 1 }, restsForMs: null, restsBecause: null },
    });
    pass(5 * MINUTE_MS);
    legs(1, 'answered');
    expect(figures()).toMatchObject({ legs: 1, answerSeizureRatio: 1 });
  });
});
