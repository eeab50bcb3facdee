/**
 * Whatever trunks, routes, pools and limits there are: what explanations say beforehand, what call admission answers, and what a
 * forecast counts are the same trunks and the same reasons.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import type { DialClearanceEffects, DialClearanceEvent } from '../../machines/contracts/clearance.ts';
import { runForecastSimulation } from '../../src/forecast/runForecastSimulation.ts';
import { RecentTimes } from '../../src/providers/dialClearance/recentTimes.ts';
import type { DialClearanceRepository } from '../../src/providers/contracts/dialClearance.ts';
import { openCallAdmission } from '../../src/providers/dialClearance/callAdmission.ts';
import { openCallerIds } from '../../src/providers/dialClearance/callerIdChoice.ts';
import {
  type TrunkChooser,
  openTrunkChooser,
  trunkCriteriaFor,
} from '../../src/providers/dialClearance/trunkChoice.ts';
import type { CallerIdPool } from '../../src/rules/trunks/chooseCallerId.ts';
import { mayTrunkShowCallerId } from '../../src/rules/trunks/whyTrunkExcluded.ts';
import type {
  TrunkCandidates,
  Trunk,
  TrunkRoute,
  TrunkRoutingTable,
} from '../../src/rules/trunks/trunkTypes.ts';
import { handClock } from '../helpers/handClock.ts';
import { anInput, NOON } from '../machines/campaigns.ts';
import { tableOf, trunkOf } from '../rules/trunks/trunkTable.ts';
import { aScenario } from './scenarios.ts';

const SEED = 27;
const ACCOUNT = 3;
const CAMPAIGN = 31;
const names = ['one', 'two', 'three'];
const shownIds = ['551130001000', '552130001000'];
/** Mobiles and fixed lines of two areas, by turns. */
const NUMBERS = Array.from(
  { length: 12 },
  (_, nth) => `55${nth % 2 === 0 ? 11 : 21}${nth % 3 === 0 ? '3123' : '98765'}${String(4_000 + nth)}`,
);

const closes = fc.record({
  open: fc.subarray(['5511', '5521'], { maxLength: 1 }),
  closed: fc.subarray(['55119', '55213'], { maxLength: 1 }),
});
const beforeDawn = ['03:00-04:00'];
const closedAtNoon: Trunk['hours'] = {
  ...{ weekdays: beforeDawn, saturdays: beforeDawn, sundays: beforeDawn, holidays: beforeDawn },
};
const trunk = fc.record({
  state: fc.constantFrom<Trunk['state'][]>('on', 'on', 'on', 'draining', 'off'),
  server: fc.constantFrom(1, 1, 1, 2),
  closedPrefixes: closes,
  callerIds: fc.subarray(shownIds),
  spendPerDay: fc.constantFrom(null, null, 5_000),
  isOpen: fc.constantFrom(true, true, false),
  perMinute: fc.option(fc.integer({ min: 1, max: 900 })),
});
const route = fc.record({
  prefix: fc.constantFrom('', '55', '5511', '55119'),
  line: fc.constantFrom<TrunkRoute['line'][]>('any', 'mobile', 'fixed'),
  account: fc.constantFrom(null, ACCOUNT),
  campaign: fc.constantFrom(null, null, CAMPAIGN, 99),
  order: fc.constantFrom<TrunkRoute['order'][]>('fixed', 'share', 'leastCost'),
  trunks: fc.shuffledSubarray(names, { minLength: 1 }),
});
const world = fc.record({
  trunks: fc.tuple(trunk, trunk, trunk),
  routes: fc.array(route, { maxLength: 3 }),
  pool: fc.option(fc.record({ callerIds: fc.subarray(shownIds, { minLength: 1 }), full: fc.boolean() })),
  account: fc.record({ closedPrefixes: closes, spendPerDay: fc.constantFrom(null, null, null, 9_000) }),
  callerId: fc.constantFrom('', '', ...shownIds),
  isAsked: fc.boolean(),
  fixedRoutes: fc.oneof(fc.constant([]), fc.constant([]), fc.shuffledSubarray(names)),
  isFunded: fc.constantFrom(true, true, false),
});

type World = typeof world extends fc.Arbitrary<infer Of> ? Of : never;

const trunkFrom = (nth: number, { isOpen, perMinute, ...said }: World['trunks'][number]): Trunk =>
  trunkOf(nth + 1, names[nth]!, {
    ...said,
    ...{ callsPerSecond: 1_000, legs: 1_000, hours: isOpen ? null : closedAtNoon },
    ...(perMinute !== null && {
      prices: [{ prefix: '', perMinute: BigInt(perMinute), firstSeconds: 1, stepSeconds: 1 }],
    }),
  });

const poolOf = ({ callerIds, full }: NonNullable<World['pool']>): CallerIdPool => ({
  ...{ id: 4, account: ACCOUNT, campaign: null, order: 'fixed', sameForPerson: false, restBelow: null },
  ...{ active: true, callerIds, callsPerHour: full ? 3 : null },
});

const tableFrom = ({ trunks, routes, pool }: World): TrunkRoutingTable => ({
  ...tableOf(
    trunks.map((one, nth) => trunkFrom(nth, one)),
    routes.map(({ trunks: named, ...said }, nth) => ({
      ...{ id: nth + 1, position: 0, region: '', active: true },
      ...said,
      trunks: named.map((name) => ({ trunk: name, share: Math.floor(100 / named.length) })),
    })),
  ),
  callerIdPools: pool ? [poolOf(pool)] : [],
});

/** Of the trunks that have a limit of a day the second, and of an account that has one all of it, is spent. */
const spentOf = (id: number): number => (id === 2 ? 5_000 : 0);

type Question = DialClearanceEffects['requestClearance'];

const questionTo = (destination: string, { callerId, isAsked, fixedRoutes }: World): Question => ({
  ...{ destination, attempt: 1, priority: 0, skipBlocklist: false, customerCampaign: '', audioKey: 'k' },
  ...{ waitForWindow: false, campaign: CAMPAIGN },
  ...(callerId !== '' && { callerId, ...(isAsked && { callerIdAsked: true as const }) }),
  ...(fixedRoutes.length > 0 && { forcedRoutes: fixedRoutes }),
});

/** Caller ids of an hour in memory: what `take` was told. */
const usesInMemory = () => {
  const shown = new Map<string, RecentTimes>();
  const uses = (at: number) =>
    new Map(
      [...shown].map(([id, times]) => [id, { calls: times.count(at), freeAt: at + times.untilFewer(at) }]),
    );
  return {
    uses: async (_of: unknown, at: number) => uses(at),
    answers: async () => new Map<string, never>(),
    take: async (_of: unknown, at: number, choose: (of: ReturnType<typeof uses>) => string | undefined) => {
      const id = choose(uses(at));
      if (id === undefined) return;
      const times = shown.get(id) ?? new RecentTimes(61 * 60_000);
      times.add(at);
      shown.set(id, times);
    },
  };
};

const admissionTo = (drawn: World, table: TrunkRoutingTable) => {
  const byName = new Map(table.trunks.map((one) => [one.name, one]));
  const trunks = openTrunkChooser({
    now: () => table,
    trunk: (name) => byName.get(name),
    spentToday: spentOf,
  });
  const clock = handClock(NOON);
  const repository: DialClearanceRepository = {
    account: async () => ({ active: true, callingWindows: null, concurrentCalls: null, ...drawn.account }),
    ...{ campaignPaused: async () => false, blocked: async () => undefined, callsBefore: async () => 0 },
    ...{ rested: async () => undefined, rest: async () => {}, block: async () => {} },
  };
  const callerIds = openCallerIds({
    ...{ repository: usesInMemory(), trunk: (name) => byName.get(name), now: () => clock.now() },
  });
  const charges = { open: async () => drawn.isFunded, wouldCover: async () => drawn.isFunded };
  const spentToday = (): number => 9_000;
  const options = { repository, trunks, callerIds, charges, clock, spentToday, report: () => {} };
  return { admission: openCallAdmission(options), trunks };
};

interface Said {
  type: string;
  reason: string;
  trunks: readonly string[];
}

const saidBy = (answer: {
  type: string;
  reason?: string;
  answers?: { trunks?: readonly string[] };
}): Said => ({
  ...{ type: answer.type, reason: answer.reason ?? '', trunks: answer.answers?.trunks ?? [] },
});

type Admission = ReturnType<typeof openCallAdmission>;

/** What is said before the call asks, and what it is answered; they are compared. */
const answerTo = async (admission: Admission, question: Question, id: number) => {
  const machine = { shard: 'a', account: ACCOUNT, id };
  const before = await admission.wouldClear(machine, question);
  const heard = await admission.performers.requestClearance({
    ...{ id: `a.${ACCOUNT}.${id}.1.0`, name: 'requestClearance', params: question, attempt: 1, seen: {} },
    machine: { ...machine, kind: 'call' },
    signal: new AbortController().signal,
  });
  const answer = heard?.events?.[0] as DialClearanceEvent;
  const foretold = before.objection ? { ...before.objection, answers: before.answers } : { type: 'cleared' };
  expect(saidBy(foretold)).toEqual({ ...saidBy(answer), ...(answer.type === 'cleared' && { trunks: [] }) });
  if (answer.type === 'cleared') expect(before.answers.callerId).toBe(answer.callerId);
  return answer;
};

const campaignOf = ({ callerId, isAsked, fixedRoutes: routes }: World): Partial<CampaignInput> => {
  const { call } = anInput();
  const asks = callerId !== '' && isAsked ? { callerIdAsked: true as const } : {};
  return { call: { ...call, callerId, fixedRoutes: [...routes], ...asks } };
};

const forecastOf = (drawn: World, trunks: TrunkRoutingTable) =>
  runForecastSimulation(
    aScenario({
      ...{ trunks, campaign: campaignOf(drawn), regions: { SP: NUMBERS.length } },
      numberOf: (nth) => NUMBERS[nth]!,
      account: { ...drawn.account, callRate: '0.6000' },
      spent: { at: NOON, trunks: { 2: spentOf(2) }, account: 9_000 },
      ...(!drawn.isFunded && { charges: { payers: [{ account: ACCOUNT, balance: 0n }] } }),
    }),
    () => 0,
  );

/** What holds only until a caller id is free again is no destination left out. */
const countedBy = (answers: readonly DialClearanceEvent[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { type, reason, trunks } of answers.map(saidBy)) {
    if (type === 'cleared' || reason === 'callerId') continue;
    const key = `${type} ${reason} ${reason === 'route' ? trunks.join(' ') : ''}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

/** Whom the first trunk of the rule, or for shares any of them, carries. */
const choiceOf = (trunks: TrunkChooser, question: Question, id: number): TrunkCandidates =>
  trunks.choose(
    trunkCriteriaFor(question, { shard: 'a', account: ACCOUNT, id }, NOON),
    question.callerIdAsked,
  );

const carriersOf = (trunks: TrunkChooser, question: Question, id: number): readonly string[] =>
  choiceOf(trunks, question, id).candidates.map(({ name }) => name);

/** The first that may show a caller id of the pool that has calls of the hour left, after what was answered before. */
const firstOf = (
  { candidates, pool }: TrunkCandidates,
  before: readonly DialClearanceEvent[],
): string | undefined => {
  const shown = before.map((answer) => answer.type === 'cleared' && answer.callerId);
  const hasCalls = (id: string): boolean =>
    shown.filter((one) => one === id).length < (pool?.callsPerHour ?? Infinity);
  return candidates.find(
    (trunk) => !pool || pool.callerIds.some((id) => mayTrunkShowCallerId(trunk, id) && hasCalls(id)),
  )?.name;
};

const compare = async (drawn: World): Promise<void> => {
  const table = tableFrom(drawn);
  const { admission, trunks } = admissionTo(drawn, table);
  const told = forecastOf(drawn, table);
  const answers: DialClearanceEvent[] = [];
  for (const [nth, number] of NUMBERS.entries()) {
    const question = questionTo(number, drawn);
    const answer = await answerTo(admission, question, nth + 1);
    const first = firstOf(choiceOf(trunks, question, nth + 1), answers);
    if (answer.type === 'cleared') expect(first).toBe(answer.route);
    // Where no balance bears the call, its caller id is counted nevertheless.
    if (drawn.isFunded && answer.type === 'postponed' && answer.reason === 'callerId')
      expect(first).toBeUndefined();
    answers.push(answer);
  }
  // Who waits for a caller id, or for a trunk to open, is told the rest later.
  const waits = answers.some(({ type }) => type === 'postponed');
  for (const [key, count] of Object.entries(countedBy(answers))) {
    const group = told.leftOut.find((one) => `${one.type} ${one.reason} ${one.trunks.join(' ')}` === key);
    const counted = { key, count: group?.destinations ?? 0 };
    if (waits) expect(counted.count).toBeGreaterThanOrEqual(count);
    else expect(counted).toEqual({ key, count });
  }
  const carried = new Set(told.trunks.filter(({ attempts }) => attempts > 0).map((one) => one.trunk));
  const may = new Set(
    NUMBERS.flatMap((number, nth) => carriersOf(trunks, questionTo(number, drawn), nth + 1)),
  );
  if (answers.every(({ type }) => type !== 'postponed'))
    for (const name of carried) expect(may).toContain(name);
  for (const { destinations } of told.leftOut) expect(destinations).toBeLessThanOrEqual(NUMBERS.length);
};

it('explanations, call admission and forecasts agree on every route and reason', async () => {
  await fc.assert(fc.asyncProperty(world, compare), { seed: SEED, numRuns: 150 });
});
