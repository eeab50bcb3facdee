import { expect, it } from 'vitest';
import { DatabaseFailureTracker } from '../../src/engine/contract/databaseFailureTracker.ts';
import type { ClusterMembership } from '../../src/engine/cluster/membership.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore, TakenOverMachine } from '../../src/engine/contract/store.ts';
import { type TakenOverMachineToStep, MachineTakeoverRunner } from '../../src/engine/cluster/takeover.ts';
import { until } from '../helpers/patience.ts';

const row = { account: 7, id: 1, revision: 4 } as TakenOverMachine;

it('steps a machine that must be told something else at once, and no second time when its turn comes', async () => {
  const chunks = [[row], []];
  let crowd = 10_000;
  let over = false;
  const stepped: TakenOverMachineToStep[] = [];
  const takeUp = new MachineTakeoverRunner({
    store: { takeUp: async () => chunks.shift() ?? [] } as unknown as ShardMachineStore,
    clock: hostClock,
    log: noopEngineLog,
    random: Math.random,
    health: new DatabaseFailureTracker('a', hostClock, noopEngineLog),
    membership: {
      mint: () => 1,
      now: () => 0,
      incarnation: 5,
      advanceIds: () => {},
      guard: {
        isOpen: true,
        numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
      },
    } as unknown as ClusterMembership,
    known: [],
    lowPriority: { known: [], waitMs: 0, waiting: () => 0 },
    backlog: () => crowd,
    began: () => {},
    ended: () => void (over = true),
    taken: () => true,
    step: (orphan) => void stepped.push(orphan),
  });
  takeUp.run([3]);
  await until(async () => over);
  expect(stepped).toEqual([]);
  takeUp.prioritize(2);
  takeUp.prioritize(1);
  expect(stepped).toEqual([{ account: 7, id: 1, upTo: 4 }]);
  crowd = 0;
  chunks.push([{ ...row, id: 9 }], []);
  takeUp.run([3]);
  await until(async () => stepped.length > 1);
  expect(stepped.map(({ id }) => id)).toEqual([1, 9]);
  takeUp.stop();
});

it('is tried again by itself where it failed, so that the shard is not called failing when there is nothing more to take up', async () => {
  const health = new DatabaseFailureTracker('a', hostClock, noopEngineLog);
  let failures = 2;
  const takeUp = new MachineTakeoverRunner({
    store: {
      takeUp: async () => {
        if (failures-- > 0) throw new Error('the connection broke');
        return [];
      },
      findTakenOver: async () => [],
    } as unknown as ShardMachineStore,
    ...{ clock: hostClock, log: noopEngineLog, random: Math.random, health, known: ['call:1'] },
    lowPriority: { known: [], waitMs: 0, waiting: () => 0 },
    membership: {
      ...{ mint: () => 1, now: () => 0, incarnation: 5, advanceIds: () => {} },
      ...{ others: 1, fresh: true, lowWatermark: 0, graceMs: 10_000 },
      guard: {
        isOpen: true,
        numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
      },
    } as unknown as ClusterMembership,
    ...{ backlog: () => 0, began: () => {}, ended: () => {}, taken: () => false, step: () => {} },
  });
  takeUp.run([3]);
  await until(() => health.isFailing);
  // Node 3 lives again: no heartbeat asks for it.
  await until(() => !health.isFailing);
  expect(failures).toBeLessThan(0);
  takeUp.stop();
});

it('has ended where it failed and the last of the others has stopped since: events are handed on in memory again', async () => {
  const health = new DatabaseFailureTracker('a', hostClock, noopEngineLog);
  const membership = {
    ...{ mint: () => 1, now: () => 0, incarnation: 5, advanceIds: () => {} },
    ...{ others: 1, fresh: true, lowWatermark: 0, graceMs: 10_000 },
    guard: {
      isOpen: true,
      numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
    },
  };
  let isUnderWay = false;
  const takeUp = new MachineTakeoverRunner({
    store: {
      takeUp: () => Promise.reject(new Error('the connection broke')),
      findTakenOver: async () => [],
    } as unknown as ShardMachineStore,
    ...{ clock: hostClock, log: noopEngineLog, random: Math.random, health, known: ['call:1'] },
    lowPriority: { known: [], waitMs: 0, waiting: () => 0 },
    membership: membership as unknown as ClusterMembership,
    ...{ backlog: () => 0, taken: () => false, step: () => {} },
    ...{ began: () => void (isUnderWay = true), ended: () => void (isUnderWay = false) },
  });
  takeUp.overdue();
  await until(() => health.isFailing);
  expect(isUnderWay).toBe(true);
  membership.others = 0;
  await until(() => !health.isFailing);
  expect(isUnderWay).toBe(false);
  takeUp.stop();
});

it('leaves machines of low-priority kinds to a living node for as long as they may wait for their turn there', async () => {
  const asked: { known: string[]; overdue: number | null }[] = [];
  const takeUp = new MachineTakeoverRunner({
    store: {
      takeUp: async ({ known, overdue }: { known: string[]; overdue: number | null }) => {
        asked.push({ known, overdue });
        return [];
      },
    } as unknown as ShardMachineStore,
    ...{ clock: hostClock, log: noopEngineLog, random: Math.random },
    health: new DatabaseFailureTracker('a', hostClock, noopEngineLog),
    ...{
      known: ['call:1', 'delivery:1'],
      lowPriority: { known: ['delivery:1'], waitMs: 60_000, waiting: () => 0 },
    },
    membership: {
      ...{ mint: () => 1, now: () => 0, incarnation: 5, advanceIds: () => {} },
      ...{ others: 1, fresh: true, lowWatermark: 500_000, graceMs: 10_000 },
      guard: {
        isOpen: true,
        numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
      },
    } as unknown as ClusterMembership,
    ...{ backlog: () => 0, began: () => {}, ended: () => {}, taken: () => false, step: () => {} },
  });
  takeUp.overdue();
  await until(() => asked.length === 2);
  expect(asked).toEqual([
    { known: ['call:1'], overdue: 480_000 },
    { known: ['delivery:1'], overdue: 420_000 },
  ]);
  takeUp.stop();
});
