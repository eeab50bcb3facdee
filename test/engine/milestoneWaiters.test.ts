import { expect, test } from 'vitest';
import { type MachineMilestones, MilestoneWaiters } from '../../src/engine/runtime/milestoneWaiters.ts';
import { handClock } from '../helpers/handClock.ts';

const ref = { shard: 'a', account: 7, id: 1 };
const begun: MachineMilestones = { milestones: [], ended: false };

/** Waits for a machine that stands like this in memory and in its row; says how often the row was read. */
const waiting = (world: { here?: MachineMilestones; row?: MachineMilestones }) => {
  const clock = handClock();
  let reads = 0;
  const waiters = new MilestoneWaiters(clock, {
    here: () => world.here,
    row: async () => {
      reads += 1;
      return world.row;
    },
  });
  /** Turns the clock; whoever looked has seen what there was. */
  const pass = async (ms: number): Promise<void> => {
    clock.turn(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { pass, waiters, result: waiters.wait(ref, 'done', 10_000), reads: () => reads };
};

test('what was passed by a machine that is here is known at once', async () => {
  const reached = waiting({ here: { milestones: ['done'], ended: false } });
  const ended = waiting({ here: { milestones: [], ended: true } });
  expect([await reached.result, await ended.result]).toEqual(['reached', 'ended']);
  expect([reached.reads(), ended.reads()]).toEqual([0, 0]);
});

test('the row of a machine that is here is read all the same: another node may hold it by now', async () => {
  const { pass, result, reads } = waiting({ here: begun, row: { milestones: ['done'], ended: false } });
  await pass(999);
  expect(reads()).toBe(0);
  await pass(1);
  expect([await result, reads()]).toEqual(['reached', 1]);
});

test('a machine that is elsewhere is looked at, at once and then again and again', async () => {
  const world: { row?: MachineMilestones } = { row: begun };
  const { pass, result, reads } = waiting(world);
  await pass(0);
  await pass(99);
  expect(reads()).toBe(1);
  world.row = { milestones: [], ended: true };
  await pass(1);
  expect([await result, reads()]).toEqual(['ended', 2]);
});

test('a commit that ends it here settles who waits, without a read', async () => {
  const world = { here: begun };
  const { waiters, result, reads } = waiting(world);
  world.here = { milestones: ['done'], ended: true };
  waiters.ended(ref.id);
  expect([await result, reads()]).toEqual(['reached', 0]);
});
