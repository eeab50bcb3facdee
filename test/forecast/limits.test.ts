/** What a forecast makes of hours of trunks, limits of a day, and balances that end: of the account, or of a reseller above it. */
import { describe, expect, it } from 'vitest';
import { fromLocal } from '../../src/lib/localTime.ts';
import type { ForecastResult, ForecastSimulationInput } from '../../src/forecast/scenarioAndResultTypes.ts';
import type { Trunk, TrunkRoutingTable } from '../../src/rules/trunks/trunkTypes.ts';
import { priceOf, tableOf, trunkOf } from '../rules/trunks/trunkTable.ts';
import { anInput, NOON } from '../machines/campaigns.ts';
import { forecast } from './scenarios.ts';

const HOUR = 3_600_000;
const zone = 'America/Sao_Paulo';
const HALF_PAST_THREE = fromLocal('2026-11-18', '15:30', zone);
const TOMORROW = fromLocal('2026-11-19', '00:00', zone);

const wide = { callsPerSecond: 20, legs: 500 };
const hoursFrom = (hours: string): Trunk['hours'] => ({
  ...{ weekdays: [hours], saturdays: [hours], sundays: [], holidays: [] },
});
const afternoon = hoursFrom('15:30-18:00');

const by = (...trunks: readonly Partial<Trunk>[]): { trunks: TrunkRoutingTable } => ({
  trunks: tableOf(trunks.map((said, nth) => trunkOf(nth + 1, `trunk-${nth + 1}`, { ...wide, ...said }))),
});

/** Destinations by the reason they were told, and the trunks that were named. */
const leftOut = ({ leftOut: groups }: ForecastResult): string[] =>
  groups.map(({ type, reason, trunks, destinations }) =>
    [type, reason, ...trunks, destinations].join(' ').trim(),
  );
const dialled = ({ trunks }: ForecastResult): Record<string, number> =>
  Object.fromEntries(trunks.map(({ trunk, attempts }) => [trunk, attempts]));

describe('hours of trunks', () => {
  it('hold calls until the first of them opens', () => {
    const told = forecast(by({ hours: afternoon }));
    expect(told).toMatchObject({ ends: 'completed', attempts: 100 });
    expect(leftOut(told)).toEqual(['postponed route trunk-1:hours 100']);
    expect(told.perHour.map(({ hour }) => hour)).toEqual([HALF_PAST_THREE - HOUR / 2]);
    expect(told.endsAt).toBeGreaterThan(HALF_PAST_THREE);
    expect(told.endsAt).toBeLessThan(HALF_PAST_THREE + HOUR / 2);
  });

  it('hold no call that another trunk carries', () => {
    const told = forecast(by({ hours: afternoon }, {}));
    expect(told).toMatchObject({ ends: 'completed', leftOut: [] });
    expect(dialled(told)).toEqual({ 'trunk-2': 100 });
    expect(told.endsAt).toBeLessThan(NOON + HOUR / 2);
  });

  it('hold some numbers, where the other trunks are closed to these', () => {
    const even = (nth: number): string => `55${nth % 2 === 0 ? 11 : 21}987650${String(nth).padStart(3, '0')}`;
    const told = forecast({
      ...by({ hours: afternoon }, { closedPrefixes: { open: [], closed: ['5521'] } }),
      numberOf: even,
    });
    expect(dialled(told)).toEqual({ 'trunk-1': 50, 'trunk-2': 50 });
    expect(leftOut(told)).toEqual(['postponed route trunk-1:hours trunk-2:closedPrefix 50']);
  });

  it('are not waited for by calls that show a caller id of their own, which the trunk that opens may not show', () => {
    const call = { ...anInput().call, callerId: '551140000000', callerIdAsked: true as const };
    const pool = { id: 4, account: 3, campaign: null, order: 'fixed', callerIds: ['552130001000'] } as const;
    const pools = [{ ...pool, sameForPerson: false, callsPerHour: null, restBelow: null, active: true }];
    const { trunks } = by(
      { hours: afternoon },
      { hours: hoursFrom('13:00-14:00'), callerIds: ['552130001000'] },
    );
    const told = forecast({ trunks: { ...trunks, callerIdPools: pools }, campaign: { call } });
    expect(leftOut(told)).toEqual(['postponed route trunk-1:hours trunk-2:callerId 100']);
    // Asked anew once, when the first trunk opens.
    expect(told.steps).toBeLessThan(100 * 16);
    expect(told.endsAt).toBeGreaterThan(HALF_PAST_THREE);
  });
});

describe('limits of a day', () => {
  const dear = { prices: [priceOf('', 6_000n)] };

  it('of a trunk send calls by the next one once they are spent', () => {
    // A call of 20 seconds costs 0.20 on the first trunk, which may cost 4.00.
    const told = forecast(by({ ...dear, spendPerDay: 40_000, legs: 2 }, { legs: 1 }));
    expect(told).toMatchObject({ ends: 'completed', attempts: 100, leftOut: [] });
    const first = told.trunks.find(({ trunk }) => trunk === 'trunk-1')!;
    expect(first.attempts).toBeGreaterThanOrEqual(20);
    expect(first.attempts).toBeLessThanOrEqual(22);
  });

  it('of the only trunk make calls wait for the next day, each counted once', () => {
    const told = forecast({ ...by({ ...dear, spendPerDay: 100_000, legs: 5 }), regions: { SP: 100 } });
    expect(told).toMatchObject({ ends: 'completed', attempts: 100 });
    const [group, ...others] = told.leftOut;
    expect(others).toEqual([]);
    expect(group).toMatchObject({ type: 'postponed', reason: 'route', trunks: ['trunk-1:dayLimit'] });
    // Fifty calls a day, and those under way when it is spent.
    expect(group!.destinations).toBeGreaterThanOrEqual(45);
    expect(group!.destinations).toBeLessThanOrEqual(50);
    expect(told.perHour.map(({ hour }) => hour)).toContain(TOMORROW);
    expect(told.endsAt).toBeGreaterThan(TOMORROW);
  });

  it('of the account make calls wait for its next day', () => {
    const told = forecast({ account: { spendPerDay: 100_000 }, carrier: { callsPerSecond: 20, legs: 5 } });
    expect(told).toMatchObject({ ends: 'completed', attempts: 100 });
    expect(told.leftOut).toMatchObject([{ type: 'postponed', reason: 'dayLimit', trunks: [] }]);
    expect(told.endsAt).toBeGreaterThan(TOMORROW);
  });

  it('count what was spent before', () => {
    const told = forecast({
      ...{ account: { spendPerDay: 100_000 }, carrier: { callsPerSecond: 20, legs: 1 } },
      spent: { at: NOON, trunks: {}, account: 98_000 },
    });
    expect(told.leftOut).toMatchObject([{ reason: 'dayLimit', destinations: 99 }]);
  });

  it('count a destination once that waits for hours, for a new day, and for hours again', () => {
    const told = forecast({
      ...by({ ...dear, spendPerDay: 100_000, legs: 5, hours: afternoon }),
      regions: { SP: 120 },
    });
    expect(told).toMatchObject({ ends: 'completed', attempts: 120 });
    const counts = new Map(told.leftOut.map(({ trunks, destinations }) => [trunks.join(), destinations]));
    expect(counts.get('trunk-1:hours')).toBe(120);
    expect(counts.get('trunk-1:dayLimit')).toBeLessThan(120);
  });
});

describe('balances', () => {
  const charged = (
    ...payers: readonly (readonly [account: number, balance: bigint])[]
  ): NonNullable<ForecastSimulationInput['charges']> => ({
    payers: payers.map(([account, balance]) => ({ account, balance })),
  });
  const steadily = { carrier: { callsPerSecond: 20, legs: 1 } };

  it('of a reseller that end first end it for the account below', () => {
    // A call of 20 seconds costs 0.20, and 30 seconds are reserved: 0.30.
    const told = forecast({ ...steadily, charges: charged([3, 1_000_000n], [2, 20_000n]) });
    expect(told.ends).toBe('completed');
    // The tenth would leave nothing, but needs 0.30 of the 0.20 that are left.
    expect(told).toMatchObject({ attempts: 9, answered: 9 });
    expect(leftOut(told)).toEqual(['refused insufficientBalance 91']);
    expect(told.balance).toMatchObject({
      payers: [
        { account: 3, before: 1_000_000n, after: 982_000n },
        { account: 2, before: 20_000n, after: 2_000n },
      ],
      ...{ attemptsBefore: 9, unfunded: 91, cutOff: 0 },
    });
    expect(told.balance!.runsOutAt).toBeGreaterThan(NOON);
  });

  it('cut calls off while they are talked', () => {
    // A minute of talk each: 0.60, of which half a minute is reserved, then six seconds at a time.
    const told = forecast({
      ...{ ...steadily, regions: { SP: 4 }, mediaSeconds: { tf1: 60 } },
      charges: charged([3, 10_000n]),
    });
    // The first call costs 0.60. The second has 0.40: thirty seconds, and six more; it is hung up a second before they are over.
    expect(told).toMatchObject({ attempts: 2, answered: 2, seconds: 95, calls: 4 });
    expect(told.balance).toMatchObject({ cutOff: 1, unfunded: 2, attemptsBefore: 2 });
    expect(told.balance!.payers[0]!.after).toBe(10_000n - told.cost);
    expect(leftOut(told)).toEqual(['refused insufficientBalance 2']);
  });

  it('cut calls off where a reseller’s ends, whatever the account has', () => {
    const told = forecast({
      ...{ ...steadily, regions: { SP: 4 }, mediaSeconds: { tf1: 60 } },
      charges: charged([3, 1_000_000n], [2, 10_000n]),
    });
    expect(told).toMatchObject({ attempts: 2, seconds: 95 });
    expect(told.balance).toMatchObject({ cutOff: 1, unfunded: 2 });
  });

  it('give back what calls that are not answered had reserved', () => {
    const told = forecast({
      ...{ ...steadily, rates: { answer: 0, busy: 1 }, charges: charged([3, 3_000n]) },
    });
    expect(told).toMatchObject({ attempts: 100, leftOut: [] });
    expect(told.balance).toMatchObject({ runsOutAt: null, unfunded: 0, payers: [{ after: 3_000n }] });
  });
});

describe('caller ids of a pool', () => {
  const [paulista, rio] = ['551130001000', '552130001000'];
  const pool = { id: 4, account: 3, campaign: null, order: 'fixed', callerIds: [paulista, rio] } as const;
  const pools = [{ ...pool, sameForPerson: false, callsPerHour: 20, restBelow: null, active: true }];
  const withPool = (...trunks: readonly Partial<Trunk>[]): { trunks: TrunkRoutingTable } => ({
    trunks: { ...by(...trunks).trunks, callerIdPools: pools },
  });

  it('hold no call that shows the one it was asked to', () => {
    const call = { ...anInput().call, callerId: '551140000000', callerIdAsked: true as const };
    expect(forecast({ ...withPool({}), campaign: { call } }).endsAt).toBeLessThan(NOON + HOUR / 2);
  });

  it('bear as many calls as the trunk may show of them', () => {
    // Forty an hour, and twenty where one of the two may be shown.
    expect(forecast(withPool({})).endsAt).toBeGreaterThan(NOON + 2 * HOUR);
    expect(forecast(withPool({})).endsAt).toBeLessThan(NOON + 3 * HOUR);
    expect(forecast(withPool({ callerIds: [rio] })).endsAt).toBeGreaterThan(NOON + 4 * HOUR);
  });
});
