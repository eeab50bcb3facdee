import { describe, expect, it } from 'vitest';
import { chooseTrunks } from '../../../src/rules/trunks/chooseTrunks.ts';
import { randomDrawForAttempt } from '../../../src/rules/trunks/randomDrawForAttempt.ts';
import type {
  TrunkExclusionReason,
  Trunk,
  TrunkRoute,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from '../../../src/rules/trunks/trunkTypes.ts';
import { priceOf, routeOf, tableOf, trunkOf, wantedOf } from './trunkTable.ts';

const [alfa, beta, gama] = [trunkOf(1, 'alfa'), trunkOf(2, 'beta'), trunkOf(3, 'gama')] as const;
const three = [alfa, beta, gama];

const namesOf = (table: TrunkRoutingTable, said: Partial<TrunkChoiceRequest> = {}): string[] =>
  chooseTrunks(wantedOf(said), table).candidates.map(({ name }) => name);

const reasonOf = (
  trunk: Partial<Trunk>,
  said: Partial<TrunkChoiceRequest> = {},
): TrunkExclusionReason | undefined =>
  chooseTrunks(wantedOf(said), tableOf([trunkOf(1, 'alfa', trunk)])).leftOut[0]?.reason;

describe('without a route', () => {
  it('all trunks carry every number, by id', () => {
    expect(chooseTrunks(wantedOf(), tableOf(three))).toEqual({ candidates: three, leftOut: [] });
    expect(namesOf(tableOf(three, [routeOf(1, ['beta'], { prefix: '5521' })]))).toEqual([
      'alfa',
      'beta',
      'gama',
    ]);
    expect(namesOf(tableOf(three, [routeOf(1, ['beta'], { active: false })]))).toHaveLength(3);
  });
});

describe('a trunk is left out', () => {
  it('when it or its server takes no new calls', () => {
    expect(reasonOf({ state: 'off' })).toBe('off');
    expect(reasonOf({ state: 'draining' })).toBe('draining');
    expect(reasonOf({ server: 2 })).toBe('serverOff');
    expect(reasonOf({ server: 9 })).toBe('serverOff');
  });

  it('when the attempt was tried on it', () => {
    expect(reasonOf({}, { tried: ['alfa'] })).toBe('tried');
    expect(reasonOf({}, { tried: ['beta'] })).toBeUndefined();
  });

  it('when the number is closed to it, special numbers with the country before them', () => {
    const closedPrefixes = { open: ['55'], closed: ['550900', '5511'] };
    const reasons = [
      '5521987654321',
      '5511987654321',
      '14155552671',
      '09001234567',
      '559001234567',
      '40041234',
    ];
    expect(reasons.map((number) => reasonOf({ closedPrefixes }, { number }))).toEqual([
      ...[undefined, 'closedPrefix', 'closedPrefix', 'closedPrefix', 'closedPrefix', undefined],
    ]);
    expect(reasonOf({ closedPrefixes }, { number: 'sip:ana@example.com' })).toBeUndefined();
  });

  it('when it may not show the caller id, however that is written', () => {
    const callerIds = ['551133334444', '5521*'];
    const shown = ['', '551133334444', '(11) 3333-4444', '2133334444', '551133334445', 'Ana'];
    expect(shown.map((callerId) => reasonOf({ callerIds }, { callerId }))).toEqual([
      ...[undefined, undefined, undefined, undefined, 'callerId', 'callerId'],
    ]);
  });

  it('outside its hours, by the clock of the zone that is named', () => {
    const hours = { weekdays: ['08:00-12:01'], saturdays: [], sundays: [], holidays: [] };
    expect(reasonOf({ hours })).toBeUndefined();
    expect(reasonOf({ hours }, { at: Date.parse('2026-11-25T15:01:00Z') })).toBe('hours');
    expect(reasonOf({ hours }, { zone: 'Europe/Lisbon' })).toBe('hours');
    expect(reasonOf({ hours }, { at: Date.parse('2026-12-25T15:00:00Z') })).toBe('hours');
  });

  it('when the route does not name it', () => {
    const choice = chooseTrunks(wantedOf(), tableOf(three, [routeOf(7, ['gama', 'lost'])]));
    expect(choice).toEqual({
      candidates: [gama],
      route: 7,
      leftOut: [
        { trunk: 'alfa', reason: 'notRouted' },
        { trunk: 'beta', reason: 'notRouted' },
      ],
    });
  });
});

describe('forced trunks', () => {
  it('are taken in their order and never others, whatever the routes say', () => {
    const table = tableOf([alfa, trunkOf(2, 'beta', { state: 'off' }), gama], [routeOf(1, ['alfa'])]);
    const choice = chooseTrunks(wantedOf({ forced: ['gama', 'beta', 'alfa', 'gama'] }), table);
    expect(choice).toEqual({ candidates: [gama, alfa], leftOut: [{ trunk: 'beta', reason: 'off' }] });
    expect(namesOf(table, { forced: ['beta'] })).toEqual([]);
  });
});

describe('the most particular route', () => {
  const rising: Partial<TrunkRoute>[] = [
    { position: 1 },
    { position: 0 },
    { region: 'SP', position: 2 },
    { line: 'mobile', position: 2 },
    { line: 'mobile', region: 'SP', position: 2 },
    { prefix: '55', position: 2 },
    { prefix: '5511', position: 2 },
    { account: 3, position: 2 },
    { account: 3, prefix: '55', position: 2 },
    { campaign: 31, position: 2 },
    { campaign: 31, account: 3, position: 2 },
  ];
  const routes = rising.map((said, nth) => routeOf(nth + 1, ['alfa'], said));

  it.each(rising.map((_, nth) => nth + 1))('is the last of the first %i', (count) => {
    const some = routes.slice(0, count);
    const choose = (given: TrunkRoute[]) =>
      chooseTrunks(wantedOf({ campaign: 31 }), tableOf(three, given)).route;
    expect([choose(some), choose(some.toReversed())]).toEqual([count, count]);
  });

  it('is none of another campaign, account, line or region', () => {
    const others = [
      { campaign: 32 },
      { account: 4 },
      { line: 'fixed' },
      { region: 'RJ' },
      { prefix: '551198765432199' },
    ] as const;
    const table = tableOf(
      three,
      others.map((said, nth) => routeOf(nth + 1, ['alfa'], said)),
    );
    expect(chooseTrunks(wantedOf({ campaign: 31 }), table).route).toBeUndefined();
  });

  it('leaves no trunk rather than those of another route', () => {
    const table = tableOf(
      [alfa, trunkOf(2, 'beta', { state: 'off' })],
      [routeOf(1, ['alfa']), routeOf(2, ['beta'], { account: 3 })],
    );
    expect(namesOf(table)).toEqual([]);
  });
});

describe('the order', () => {
  it('is that of the route', () => {
    expect(namesOf(tableOf(three, [routeOf(1, ['gama', 'alfa', 'beta'])]))).toEqual(['gama', 'alfa', 'beta']);
  });

  it('puts what costs least first: a minute, then the shortest call, then as listed; without a price last', () => {
    const trunks = [
      trunkOf(1, 'noPrice'),
      trunkOf(2, 'wholeMinute', { prices: [priceOf('', 1200n, [60, 60])] }),
      trunkOf(3, 'thirtySix', { prices: [priceOf('', 1200n, [30, 6])] }),
      trunkOf(4, 'cheapAbroad', { prices: [priceOf('1', 1n)] }),
      trunkOf(5, 'cheapHere', { prices: [priceOf('', 9999n), priceOf('5511', 1199n)] }),
    ];
    const names = trunks.map(({ name }) => name);
    const table = tableOf(trunks, [routeOf(1, names, { order: 'leastCost' })]);
    expect(namesOf(table)).toEqual(['cheapHere', 'thirtySix', 'wholeMinute', 'noPrice', 'cheapAbroad']);
  });

  it('puts the one that is drawn first, the others as listed', () => {
    const table = tableOf(three, [
      routeOf(
        1,
        [
          ['alfa', 20],
          ['beta', 30],
          ['gama', 50],
        ],
        { order: 'share' },
      ),
    ]);
    const firsts = [0, 0.1999, 0.2, 0.4999, 0.5, 0.9999].map((draw) => namesOf(table, { draw }).join(' '));
    expect(firsts).toEqual([
      ...['alfa beta gama', 'alfa beta gama', 'beta alfa gama', 'beta alfa gama'],
      ...['gama alfa beta', 'gama alfa beta'],
    ]);
  });

  it('gives the share of a trunk that is left out to the others', () => {
    const table = tableOf(three, [
      routeOf(
        1,
        [
          ['alfa', 20],
          ['beta', 30],
          ['gama', 50],
        ],
        { order: 'share' },
      ),
    ]);
    expect(namesOf(table, { draw: 0.39, tried: ['gama'] })).toEqual(['alfa', 'beta']);
    expect(namesOf(table, { draw: 0.41, tried: ['gama'] })).toEqual(['beta', 'alfa']);
    const nothing = tableOf(three, [
      routeOf(
        1,
        [
          ['beta', 0],
          ['alfa', 0],
        ],
        { order: 'share' },
      ),
    ]);
    expect(namesOf(nothing, { draw: 0.5 })).toEqual(['beta', 'alfa']);
  });

  it('keeps shares within one percent over 10,000 calls, and each call its trunk', () => {
    const table = tableOf(three, [
      routeOf(
        1,
        [
          ['alfa', 20],
          ['beta', 30],
          ['gama', 50],
        ],
        { order: 'share' },
      ),
    ]);
    for (const attempt of [1, 2]) {
      const counts: Record<string, number> = {};
      for (let call = 1; call <= 10_000; call++) {
        const draw = randomDrawForAttempt(7_000_000_000_000 + call, attempt);
        expect(randomDrawForAttempt(7_000_000_000_000 + call, attempt)).toBe(draw);
        const [first] = namesOf(table, { draw });
        counts[first!] = (counts[first!] ?? 0) + 1;
      }
      for (const [name, share] of [
        ['alfa', 20],
        ['beta', 30],
        ['gama', 50],
      ] as const)
        expect(Math.abs(counts[name]! / 100 - share)).toBeLessThan(1);
    }
  });
});

it('a trunk that rests is left out where another may carry the leg', () => {
  const table = tableOf([trunkOf(1, 'a'), trunkOf(2, 'b')]);
  const namesFor = (resting: readonly string[]) => {
    const { candidates, leftOut } = chooseTrunks(wantedOf({ resting }), table);
    return [candidates.map(({ name }) => name), leftOut];
  };
  expect(namesFor(['a'])).toEqual([['b'], [{ trunk: 'a', reason: 'resting' }]]);
  expect(namesFor(['a', 'b'])).toEqual([['a', 'b'], []]);
});

it('a trunk whose server is away is left out where another may carry the leg, also one that rests', () => {
  const table = tableOf([trunkOf(1, 'a'), trunkOf(2, 'b')]);
  const namesFor = (said: Partial<TrunkChoiceRequest>) => {
    const { candidates, leftOut } = chooseTrunks(wantedOf(said), table);
    return [candidates.map(({ name }) => name), leftOut];
  };
  const aIsAway = [{ trunk: 'a', reason: 'serverOff' }];
  expect(namesFor({ away: ['a'] })).toEqual([['b'], aIsAway]);
  expect(namesFor({ away: ['a'], resting: ['b'] })).toEqual([['b'], aIsAway]);
  expect(namesFor({ away: ['a', 'b'] })).toEqual([['a', 'b'], []]);
});
