/** Caller ids of a pool: which one is shown to whom, by how each fared in the last hour. */
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type CallerIdHour,
  type CallerIdPool,
  chooseCallerId,
  isCallerIdResting,
  chooseCallerIdPool,
} from '../../../src/rules/trunks/chooseCallerId.ts';

const [paulista, paulistano, campinas, rio] = [
  '551130001000',
  '551130001001',
  '551930001000',
  '552130001000',
];
const all = [paulista, paulistano, campinas, rio] as const;

const poolOf = (said: Partial<CallerIdPool> = {}): CallerIdPool => ({
  ...{ id: 1, account: 3, campaign: null, order: 'turns', callerIds: all },
  ...{ sameForPerson: false, callsPerHour: null, restBelow: null, active: true },
  ...said,
});

const hour = (said: Partial<CallerIdHour> = {}): CallerIdHour => ({
  ...{ calls: 0, freeAt: 0, ended: 0, answered: 0 },
  ...said,
});

const chosen = (
  pool: CallerIdPool,
  number: string,
  hours: Readonly<Record<string, CallerIdHour>> = {},
  shown: readonly string[] = pool.callerIds,
) => chooseCallerId(pool, number, shown, new Map(Object.entries(hours)));

describe('the pool for a call', () => {
  const ofAccount = poolOf({ id: 5 });
  const ofCampaign = poolOf({ id: 6, campaign: 70 });
  test.each([
    ['of its campaign before that of its account', { account: 3, campaign: 70 }, 6],
    ['of its account where its campaign has none', { account: 3, campaign: 71 }, 5],
    ['of its account for a single call', { account: 3 }, 5],
    ['none of another account', { account: 4, campaign: 70 }, undefined],
  ])('is the one %s', (_what, of, id) => {
    expect(chooseCallerIdPool(of, [ofAccount, ofCampaign])?.id).toBe(id);
  });

  it('is none that is switched off', () => {
    expect(chooseCallerIdPool({ account: 3 }, [poolOf({ active: false })])).toBeUndefined();
  });
});

describe('by area code', () => {
  const pool = poolOf({ order: 'areaCode' });
  test.each([
    ['the area code of the called number', '5519987650000', campinas],
    ['the state where no area code fits', '5512987650000', paulista],
    ['the first where neither fits', '5585987650000', paulista],
    ['the first for a number without a region', '40041234', paulista],
    ['the first for a number abroad', '442079460000', paulista],
  ])('shows one of %s', (_what, number, callerId) => {
    expect(chosen(pool, number)).toEqual({ callerId });
  });

  it('takes turns within an area code', () => {
    const hours = { [paulista]: hour({ calls: 3 }), [paulistano]: hour({ calls: 2 }) };
    expect(chosen(pool, '5511987650000', hours)).toEqual({ callerId: paulistano });
  });
});

describe('by turns', () => {
  it('shows the one that was shown least, and of those alike the first', () => {
    expect(chosen(poolOf(), '5511987650000')).toEqual({ callerId: paulista });
    const hours = { [paulista]: hour({ calls: 1 }), [paulistano]: hour({ calls: 1 }) };
    expect(chosen(poolOf(), '5511987650000', hours)).toEqual({ callerId: campinas });
  });
});

describe('fixed', () => {
  it('shows the first that the trunk may show', () => {
    const pool = poolOf({ order: 'fixed' });
    const hours = { [paulista]: hour({ calls: 9 }) };
    expect(chosen(pool, '5521987650000', hours)).toEqual({ callerId: paulista });
    expect(chosen(pool, '5521987650000', hours, [campinas, rio])).toEqual({ callerId: campinas });
  });
});

describe('the same for a person', () => {
  const pool = poolOf({ sameForPerson: true });
  const people = Array.from({ length: 400 }, (_, nth) => `551198765${String(nth).padStart(4, '0')}`);
  const shownTo = (number: string, callerIds: readonly string[]) => {
    const answer = chosen(pool, number, {}, callerIds);
    return 'callerId' in answer ? answer.callerId : '';
  };

  it('is shown again however often it was shown to others', () => {
    for (const number of people) {
      const first = shownTo(number, all);
      expect(chosen(pool, number, { [first]: hour({ calls: 1_000 }) })).toEqual({ callerId: first });
    }
  });

  it('spreads people over all of them, and moves those alone whose own is gone', () => {
    const counts = new Map(all.map((id) => [id, people.filter((one) => shownTo(one, all) === id).length]));
    for (const count of counts.values()) expect(count).toBeGreaterThan(60);
    const left = all.filter((id) => id !== campinas);
    const moved = people.filter((one) => shownTo(one, all) !== shownTo(one, left));
    expect(moved).toHaveLength(counts.get(campinas)!);
  });
});

describe('calls an hour', () => {
  const pool = poolOf({ order: 'fixed', callsPerHour: 10 });
  it('are shared out until none is left, which says when the first is free again', () => {
    const full = (freeAt: number) => hour({ calls: 10, freeAt });
    const hours = { [paulista]: full(9_000), [paulistano]: full(7_000), [campinas]: full(8_000) };
    expect(chosen(pool, '5511987650000', hours)).toEqual({ callerId: rio });
    expect(chosen(pool, '5511987650000', hours, [paulista, campinas])).toEqual({ until: 8_000 });
  });
});

describe('an answer rate that falls', () => {
  const pool = poolOf({ order: 'fixed', restBelow: 15 });
  test.each([
    ['fewer than 15 of 100 answered', hour({ ended: 100, answered: 14 }), true],
    ['15 of 100 answered', hour({ ended: 100, answered: 15 }), false],
    ['too few have ended', hour({ ended: 19, answered: 0 }), false],
    ['nothing is known', undefined, false],
  ])('rests a caller id or does not: %s', (_what, known, rests) => {
    expect(isCallerIdResting(pool, known)).toBe(rests);
  });

  it('rests a caller id while another is left, and none where all are so', () => {
    const bad = hour({ ended: 50, answered: 1 });
    expect(chosen(pool, '5511987650000', { [paulista]: bad })).toEqual({ callerId: paulistano });
    const hours = Object.fromEntries(all.map((id) => [id, bad]));
    expect(chosen(pool, '5511987650000', hours)).toEqual({ callerId: paulista });
  });
});

it('shows what it may, or says when: whatever happened in the last hour', () => {
  const known = fc.record({
    calls: fc.nat(12),
    freeAt: fc.nat(1_000),
    ended: fc.nat(40),
    answered: fc.nat(40),
  });
  const said = fc.record({
    order: fc.constantFrom('areaCode' as const, 'turns' as const, 'fixed' as const),
    sameForPerson: fc.boolean(),
    callsPerHour: fc.option(fc.integer({ min: 1, max: 10 })),
    restBelow: fc.option(fc.integer({ min: 1, max: 99 })),
  });
  fc.assert(
    fc.property(
      said,
      fc.subarray([...all], { minLength: 1 }),
      fc.tuple(known, known, known, known),
      (of, shown, hours) => {
        const pool = poolOf(of);
        const byId = new Map(all.map((id, nth) => [id, hours[nth]!]));
        const answer = chooseCallerId(pool, '5511987650000', shown, byId);
        const left = shown.filter((id) => byId.get(id)!.calls < (of.callsPerHour ?? Infinity));
        if ('until' in answer) {
          expect(left).toEqual([]);
          expect(shown.map((id) => byId.get(id)!.freeAt)).toContain(answer.until);
          return;
        }
        expect(left).toContain(answer.callerId);
        const fit = left.filter((id) => !isCallerIdResting(pool, byId.get(id)));
        if (fit.length > 0) expect(fit).toContain(answer.callerId);
      },
    ),
  );
});
