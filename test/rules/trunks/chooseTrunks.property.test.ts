/** The rule against a slow statement of it: every pair is compared, word for word as docs and contract say it. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseTrunks } from '../../../src/rules/trunks/chooseTrunks.ts';
import type {
  Trunk,
  TrunkRoute,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from '../../../src/rules/trunks/trunkTypes.ts';
import { priceOf, routeOf, tableOf, trunkOf, wantedOf } from './trunkTable.ts';

/** Each number with what it is, so that the statement reads none. */
const NUMBERS = {
  '5511987654321': { digits: '5511987654321', line: 'mobile', region: 'SP' },
  '551133334444': { digits: '551133334444', line: 'fixed', region: 'SP' },
  '5521987654321': { digits: '5521987654321', line: 'mobile', region: 'RJ' },
  '14155552671': { digits: '14155552671', line: '', region: '' },
  '09001234567': { digits: '5509001234567', line: '', region: '' },
  'sip:ana@example.com': { digits: '', line: '', region: '' },
} as const;

const NAMES = ['alfa', 'beta', 'gama', 'delta'];
const PREFIXES = ['', '1', '55', '5511', '551198', '550900'];
const prefix = fc.constantFrom(...PREFIXES);
const orNull = <T>(...values: T[]) => fc.constantFrom<(T | null)[]>(null, ...values);
const some = <T>(one: fc.Arbitrary<T>, maxLength = 2) => fc.array(one, { maxLength });

const price = fc
  .tuple(
    prefix,
    fc.constantFrom(0n, 1199n, 1200n, 1201n),
    fc.constantFrom<[number, number]>([1, 1], [30, 6], [60, 60]),
  )
  .map((parts) => priceOf(...parts));

const trunk = fc.record<Partial<Trunk>>({
  server: fc.constantFrom(1, 1, 1, 2),
  state: fc.constantFrom('on', 'on', 'on', 'draining', 'off'),
  callerIds: some(fc.constantFrom('551133334444', '5521*')),
  closedPrefixes: fc.record({
    open: some(prefix, 1),
    closed: some(fc.constantFrom(...PREFIXES.slice(1)), 1),
  }),
  hours: orNull(
    { weekdays: ['08:00-13:00'], saturdays: [], sundays: [], holidays: [] },
    { weekdays: ['13:00-24:00'], saturdays: [], sundays: [], holidays: [] },
  ),
  prices: fc.uniqueArray(price, { maxLength: 3, selector: (one) => one.prefix }),
});

const trunks = fc
  .tuple(trunk, trunk, trunk, trunk)
  .map((four) => four.map((said, nth) => trunkOf(nth + 1, NAMES[nth]!, said)));

const route = fc.record<Partial<TrunkRoute>>({
  position: fc.constantFrom(0, 1),
  prefix,
  line: fc.constantFrom('any', 'any', 'mobile', 'fixed'),
  region: fc.constantFrom('', '', 'SP', 'RJ'),
  account: orNull(3, 4),
  campaign: orNull(31, 32),
  order: fc.constantFrom('fixed', 'share', 'leastCost'),
  active: fc.constantFrom(true, true, false),
});
const listed = fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES, 'lost'), fc.integer({ min: 0, max: 100 })), {
  maxLength: 4,
  selector: ([name]) => name,
});
const routes = fc
  .array(fc.tuple(listed, route), { maxLength: 6 })
  .map((all) => all.map(([names, said], nth) => routeOf(nth + 1, names, said)));

const wanted = fc
  .record({
    number: fc.constantFrom(...Object.keys(NUMBERS)),
    campaign: orNull(31, 32),
    callerId: fc.constantFrom('', '551133334444', '552133334444', '5531'),
    forced: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, some(fc.constantFrom(...NAMES), 3)),
    draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    tried: some(fc.constantFrom(...NAMES)),
  })
  .map(({ campaign, ...said }) => wantedOf({ ...said, ...(campaign !== null && { campaign }) }));

type Known = (typeof NUMBERS)[keyof typeof NUMBERS];

/** Sorts by asking of every pair which comes first. */
const best = <T>(all: T[], isBefore: (one: T, other: T) => boolean): T | undefined =>
  all.find((one) => all.every((other) => one === other || isBefore(one, other)));

const slowRoute = (
  asked: TrunkChoiceRequest,
  known: Known,
  table: TrunkRoutingTable,
): TrunkRoute | undefined => {
  const matching = table.routes.filter((one) => {
    if (!one.active) return false;
    if (one.campaign !== null && one.campaign !== asked.campaign) return false;
    if (one.account !== null && one.account !== asked.account) return false;
    if (one.line !== 'any' && one.line !== known.line) return false;
    if (one.region !== '' && one.region !== known.region) return false;
    return known.digits.slice(0, one.prefix.length) === one.prefix;
  });
  return best(matching, (one, other) => {
    if ((one.campaign === null) !== (other.campaign === null)) return one.campaign !== null;
    if ((one.account === null) !== (other.account === null)) return one.account !== null;
    if (one.prefix.length !== other.prefix.length) return one.prefix.length > other.prefix.length;
    if ((one.line === 'any') !== (other.line === 'any')) return one.line !== 'any';
    if ((one.region === '') !== (other.region === '')) return one.region !== '';
    if (one.position !== other.position) return one.position < other.position;
    return one.id < other.id;
  });
};

const slowReason = (
  one: Trunk,
  asked: TrunkChoiceRequest,
  { digits }: Known,
  named: string[],
): string | undefined => {
  if (!named.includes(one.name)) return 'notRouted';
  if (one.state === 'off') return 'off';
  if (one.state === 'draining') return 'draining';
  if (one.server === 2) return 'serverOff';
  if (asked.tried!.includes(one.name)) return 'tried';
  const beginsWith = (first: string) => digits.slice(0, first.length) === first;
  const { open, closed } = one.closedPrefixes;
  if (digits && (closed.some(beginsWith) || (open.length > 0 && !open.some(beginsWith))))
    return 'closedPrefix';
  const shows = (id: string) => (id === '5521*' ? asked.callerId.startsWith('5521') : id === asked.callerId);
  if (asked.callerId && one.callerIds.length > 0 && !one.callerIds.some(shows)) return 'callerId';
  return one.hours?.weekdays[0] === '13:00-24:00' ? 'hours' : undefined;
};

/** Undefined: no price. Exact, in sixtieths of ten-thousandths, rounded at the end. */
const slowCost = (one: Trunk, { digits }: Known, seconds: number): bigint | undefined => {
  for (let length = digits.length; length >= 0; length--) {
    const found = one.prices.find((two) => two.prefix === digits.slice(0, length));
    if (!found) continue;
    let paid = found.firstSeconds;
    while (paid < seconds) paid += found.stepSeconds;
    return (found.perMinute * BigInt(paid) + 30n) / 60n;
  }
  return undefined;
};

const slowOrder = (usable: Trunk[], chosen: TrunkRoute, asked: TrunkChoiceRequest, known: Known): Trunk[] => {
  const share = (one: Trunk) => chosen.trunks.find(({ trunk: name }) => name === one.name)!.share!;
  if (chosen.order === 'share') {
    const sum = usable.reduce((all, one) => all + share(one), 0);
    const first = usable.find(
      (_, nth) => asked.draw * sum < usable.slice(0, nth + 1).reduce((all, one) => all + share(one), 0),
    );
    return first ? [first, ...usable.filter((one) => one !== first)] : usable;
  }
  if (chosen.order === 'fixed') return usable;
  const left = [...usable];
  const sorted: Trunk[] = [];
  while (left.length > 0) {
    const next = best(left, (one, other) => {
      for (const seconds of [60, 1]) {
        const [ours, theirs] = [slowCost(one, known, seconds), slowCost(other, known, seconds)];
        if (ours === theirs) continue;
        return theirs === undefined || (ours !== undefined && ours < theirs);
      }
      return left.indexOf(one) < left.indexOf(other);
    })!;
    sorted.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return sorted;
};

const slowly = (asked: TrunkChoiceRequest, table: TrunkRoutingTable) => {
  const known = NUMBERS[asked.number as keyof typeof NUMBERS];
  const isForced = asked.forced.length > 0;
  const chosen = isForced ? undefined : slowRoute(asked, known, table);
  const all = table.trunks.map(({ name }) => name);
  const named = isForced
    ? [...new Set(asked.forced)]
    : (chosen?.trunks.map(({ trunk: name }) => name) ?? all);
  const reasons = new Map(table.trunks.map((one) => [one.name, slowReason(one, asked, known, named)]));
  const usable = named.flatMap((name) =>
    table.trunks.filter((one) => one.name === name && !reasons.get(name)),
  );
  return {
    candidates: (chosen ? slowOrder(usable, chosen, asked, known) : usable).map(({ name }) => name),
    route: chosen?.id,
    leftOut: all
      .filter((name) => reasons.get(name))
      .map((name) => ({ trunk: name, reason: reasons.get(name) })),
  };
};

it('chooses as the slow statement says, whatever trunks, routes and calls there are', () => {
  const seen = { reasons: new Set<string>(), orders: new Set<string>() };
  fc.assert(
    fc.property(trunks, routes, wanted, (ours, theirs, asked) => {
      const table = tableOf(ours, theirs);
      const { candidates, route: id, leftOut } = chooseTrunks(asked, table);
      expect({ candidates: candidates.map(({ name }) => name), route: id, leftOut }).toEqual(
        slowly(asked, table),
      );
      for (const { reason } of leftOut) seen.reasons.add(reason);
      const chosen = theirs.find((one) => one.id === id);
      if (chosen && candidates.length > 1) seen.orders.add(chosen.order);
    }),
    // A seed of its own: what it has seen is asserted below.
    { numRuns: 5_000, seed: 21 },
  );
  expect([...seen.reasons].toSorted()).toEqual([
    'callerId',
    'closedPrefix',
    'draining',
    'hours',
    'notRouted',
    'off',
    'serverOff',
    'tried',
  ]);
  expect([...seen.orders].toSorted()).toEqual(['fixed', 'leastCost', 'share']);
});
