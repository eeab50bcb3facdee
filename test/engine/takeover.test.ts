import { expect, it } from 'vitest';
import { DatabaseFailureTracker } from '../../src/engine/contract/databaseFailureTracker.ts';
import type { ClusterMembership } from '../../src/engine/cluster/membership.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore, TakenOverMachine } from '../../src/engine/contract/store.ts';
import {
  type MachineTakeoverRunnerDeps,
  type TakenOverMachineToStep,
  MachineTakeoverRunner,
} from '../../src/engine/cluster/takeover.ts';
import { until } from '../helpers/patience.ts';

const row = { account: 7, id: 1, revision: 4 } as TakenOverMachine;

/** Of this node: the shard is open, and others live. */
const membershipOf = () => ({
  ...{ mint: () => 1, now: () => 0, incarnation: 5, advanceIds: () => {} },
  ...{ others: 1, fresh: true, lowWatermark: 500_000, graceMs: 10_000 },
  guard: {
    isOpen: true,
    numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
  },
});

/** What takes machines up from such a store, where all else is well and nothing waits. */
const runnerOf = (
  store: Partial<ShardMachineStore>,
  change: Partial<MachineTakeoverRunnerDeps> = {},
): { takeUp: MachineTakeoverRunner; health: DatabaseFailureTracker } => {
  const health = new DatabaseFailureTracker('a', hostClock, noopEngineLog);
  const takeUp = new MachineTakeoverRunner({
    store: { findTakenOver: async () => [], ...store } as ShardMachineStore,
    ...{ clock: hostClock, log: noopEngineLog, random: Math.random, health, known: ['call:1'] },
    membership: membershipOf() as unknown as ClusterMembership,
    lowPriority: { known: [], waitMs: 0, waiting: () => 0 },
    ...{ backlog: () => 0, began: () => {}, ended: () => {}, taken: () => false, step: () => {} },
    ...change,
  });
  return { takeUp, health };
};

it('steps a machine that must be told something else at once, and no second time when its turn comes', async () => {
  const chunks = [[row], []];
  let crowd = 10_000;
  let over = false;
  const stepped: TakenOverMachineToStep[] = [];
  const { takeUp } = runnerOf(
    { takeUp: async () => chunks.shift() ?? [] },
    {
      backlog: () => crowd,
      ended: () => void (over = true),
      taken: () => true,
      step: (orphan) => void stepped.push(orphan),
    },
  );
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
  let failures = 2;
  const { takeUp, health } = runnerOf({
    takeUp: async () => {
      if (failures-- > 0) throw new Error('the connection broke');
      return [];
    },
  });
  takeUp.run([3]);
  await until(() => health.isFailing);
  // Node 3 lives again: no heartbeat asks for it.
  await until(() => !health.isFailing);
  expect(failures).toBeLessThan(0);
  takeUp.stop();
});

it('has ended where it failed and the last of the others has stopped since: events are handed on in memory again', async () => {
  const membership = membershipOf();
  let isUnderWay = false;
  const { takeUp, health } = runnerOf(
    { takeUp: () => Promise.reject(new Error('the connection broke')) },
    {
      membership: membership as unknown as ClusterMembership,
      ...{ began: () => void (isUnderWay = true), ended: () => void (isUnderWay = false) },
    },
  );
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
  const { takeUp } = runnerOf(
    {
      takeUp: async ({ known, overdue }) => {
        asked.push({ known, overdue });
        return [];
      },
    },
    {
      known: ['call:1', 'delivery:1'],
      lowPriority: { known: ['delivery:1'], waitMs: 60_000, waiting: () => 0 },
    },
  );
  takeUp.overdue();
  await until(() => asked.length === 2);
  expect(asked).toEqual([
    { known: ['call:1'], overdue: 480_000 },
    { known: ['delivery:1'], overdue: 420_000 },
  ]);
  takeUp.stop();
});
