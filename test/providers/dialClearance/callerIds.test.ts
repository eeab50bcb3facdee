/** Caller ids of pools in call admission: counted with the grant, and neither lost nor leaked when things go wrong meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DialClearanceEffects } from '../../../machines/contracts/clearance.ts';
import { Retryable, type EffectCall, type Fact } from '../../../src/engine/contract/performer.ts';
import type { DialClearanceRepository } from '../../../src/providers/contracts/dialClearance.ts';
import { openCallAdmission } from '../../../src/providers/dialClearance/callAdmission.ts';
import {
  type CallerIdUseRepository,
  openCallerIds,
} from '../../../src/providers/dialClearance/callerIdChoice.ts';
import { openTrunkChooser } from '../../../src/providers/dialClearance/trunkChoice.ts';
import type { CallerIdPool } from '../../../src/rules/trunks/chooseCallerId.ts';
import type { Trunk } from '../../../src/rules/trunks/trunkTypes.ts';
import { callerIdUseRepository } from '../../../src/store/repositories/callerIdUseCounts.ts';
import { freshDatabase, type TestDatabase } from '../../helpers/database.ts';
import { handClock } from '../../helpers/handClock.ts';
import { tableOf, trunkOf } from '../../rules/trunks/trunkTable.ts';

const NOON = Date.parse('2026-11-27T15:00:00Z');
const [paulista, rio] = ['551130001000', '552130001000'];

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE caller_id_uses'));

const pool = (said: Partial<CallerIdPool> = {}): CallerIdPool => ({
  ...{ id: 4, account: 7, campaign: null, order: 'fixed', callerIds: [paulista, rio] },
  ...{ sameForPerson: false, callsPerHour: null, restBelow: null, active: true },
  ...said,
});

const willing: DialClearanceRepository = {
  account: async () => ({ active: true, callingWindows: null, concurrentCalls: null }),
  campaignPaused: async () => false,
  blocked: async () => undefined,
  callsBefore: async () => 0,
  rested: async () => undefined,
  rest: async () => {},
  block: async () => {},
};

const anAdmission = (
  of: {
    pool?: Partial<CallerIdPool>;
    legs?: number;
    repository?: Partial<CallerIdUseRepository>;
    trunks?: readonly Trunk[];
  } = {},
) => {
  const { trunks = [trunkOf(1, 'one', { callsPerSecond: 1_000, legs: of.legs ?? 10 })] } = of;
  const table = { ...tableOf(trunks), callerIdPools: [pool(of.pool)] };
  const trunk = (named: string): Trunk | undefined => trunks.find(({ name }) => name === named);
  const clock = handClock(NOON);
  const reported: Fact[] = [];
  const repository = callerIdUseRepository({ shards: new Map([['a', { pool: database.pool }]]) });
  const admission = openCallAdmission({
    ...{ repository: willing, clock },
    trunks: openTrunkChooser({ now: () => table, trunk }),
    callerIds: openCallerIds({
      repository: { ...repository, ...of.repository },
      trunk,
      now: () => clock.now(),
    }),
    report: (_machine, fact) => reported.push(fact),
  });
  const ask = async (id: number, params: Partial<DialClearanceEffects['requestClearance']> = {}) =>
    (await admission.performers.requestClearance(asking(id, params)))?.events?.[0];
  return { admission, clock, reported, ask };
};

const effectOf = <Params extends object>(id: number, params: Params): EffectCall<Params> => ({
  ...{ id: `a.7.${id}.1.0`, name: 'requestClearance', params, attempt: 1, seen: {} },
  machine: { shard: 'a', account: 7, id, kind: 'call' },
  signal: new AbortController().signal,
});

const asking = (id: number, params: Partial<DialClearanceEffects['requestClearance']>) =>
  effectOf(id, {
    ...{ destination: '5511987654321', attempt: 1, priority: 0, skipBlocklist: false },
    ...{ customerCampaign: '', audioKey: 'audio', waitForWindow: false },
    ...params,
  });

const counted = async () => (await database.pool.query('SELECT caller_id, calls FROM caller_id_uses')).rows;

it('a caller id is granted with the trunk, and stands in what was answered', async () => {
  const { ask } = anAdmission();
  expect(await ask(1)).toMatchObject({
    type: 'cleared',
    callerId: paulista,
    answers: { callerId: paulista },
  });
  expect(await counted()).toEqual([{ caller_id: paulista, calls: 1 }]);
});

it('a request that names a caller id shows that one, uncounted', async () => {
  const answer = await anAdmission().ask(1, { callerId: '551140000000', callerIdAsked: true });
  expect(answer).not.toHaveProperty('callerId');
  expect(await counted()).toEqual([]);
});

it('another trunk of the same attempt keeps the caller id, uncounted', async () => {
  const { ask } = anAdmission();
  expect(await ask(1, { callerId: rio, tried: ['two'] })).toMatchObject({ callerId: rio });
  expect(await counted()).toEqual([]);
});

it('a caller id is counted when the call gets its place, not while it waits', async () => {
  const { ask, admission, reported } = anAdmission({ legs: 1 });
  await ask(1);
  expect(await ask(2)).toBeUndefined();
  expect(await counted()).toEqual([{ caller_id: paulista, calls: 1 }]);
  admission.release({ shard: 'a', account: 7, id: 1 });
  await expect.poll(() => reported).toMatchObject([{ type: 'cleared', callerId: paulista }]);
  expect(await counted()).toEqual([{ caller_id: paulista, calls: 2 }]);
});

it('a call whose pool has no caller id left waits, and holds no place', async () => {
  const { ask, admission, clock } = anAdmission({ pool: { callsPerHour: 1 }, legs: 10 });
  await Promise.all([ask(1), ask(2)]);
  const answer = await ask(3);
  expect(answer).toMatchObject({ type: 'postponed', reason: 'callerId', answers: { callerId: 'full' } });
  expect(admission.load().held).toBe(2);
  const { until } = answer as unknown as { until: number };
  clock.turn(until - NOON);
  expect(await ask(3)).toMatchObject({ type: 'cleared', callerId: paulista });
});

it('a call goes by another trunk that may show a caller id that has calls left', async () => {
  const showing = (id: number, name: string, callerIds: readonly string[]) =>
    trunkOf(id, name, { callsPerSecond: 1_000, legs: 10, callerIds });
  const trunks = [
    showing(1, 'one', [paulista]),
    showing(2, 'two', [paulista]),
    showing(3, 'three', [paulista, rio]),
  ];
  const { ask, admission } = anAdmission({ pool: { callsPerHour: 1 }, trunks });
  const would = (id: number) => admission.wouldClear({ shard: 'a', account: 7, id }, asking(id, {}).params);
  expect(await ask(1)).toMatchObject({ route: 'one', callerId: paulista });
  expect(await would(2)).toMatchObject({ objection: undefined, answers: { callerId: rio } });
  expect(await ask(2)).toMatchObject({ route: 'three', callerId: rio });
  expect(await ask(3)).toMatchObject({ type: 'postponed', reason: 'callerId' });
  expect(await would(3)).toMatchObject({ objection: { type: 'postponed', reason: 'callerId' } });
  expect(admission.load().held).toBe(2);
});

it('a call whose caller id cannot be counted is tried again, and holds no place', async () => {
  const take = async () => {
    throw new Error('the database is away');
  };
  const { ask, admission } = anAdmission({ repository: { take } });
  await expect(ask(1)).rejects.toThrow(Retryable);
  expect(admission.load().held).toBe(0);
});

it('a caller id chosen for a question that was withdrawn meanwhile is dropped', async () => {
  let goOn = (): void => {};
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const { ask, admission } = anAdmission({ repository: { take: () => going } });
  const answer = ask(1);
  await expect.poll(() => admission.load().held).toBe(1);
  await admission.performers.withdrawClearance(effectOf(1, {}));
  goOn();
  expect(await answer).toBeUndefined();
  expect(admission.load().held).toBe(0);
});

it('asking what would be shown counts nothing', async () => {
  const { admission } = anAdmission({ pool: { callsPerHour: 1 } });
  const would = () => admission.wouldClear({ shard: 'a', account: 7, id: 1 }, asking(1, {}).params);
  expect(await would()).toMatchObject({ objection: undefined, answers: { callerId: paulista } });
  expect(await counted()).toEqual([]);
});
