import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  InterruptibleUpkeepWork,
  StartRecurringTimer,
} from '../../src/engine/cluster/scheduledUpkeep.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

/** A schedule whose time comes when `come` is called: to all nodes at once. */
const byHand = () => {
  const waiting = new Set<() => void>();
  const schedule: StartRecurringTimer = (due) => {
    waiting.add(due);
    return () => void waiting.delete(due);
  };
  return { schedule, waiting, come: () => waiting.forEach((due) => due()) };
};

const door = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('heavy upkeep on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('is done by one of the nodes that hear the schedule, and by no other that hears it late', async () => {
    const { schedule, come, waiting } = byHand();
    const done: string[] = [];
    const work = (node: string): InterruptibleUpkeepWork => ({
      name: 'work',
      run: async () => void done.push(node),
    });
    for (const node of ['one', 'two', 'three']) await bed.node({ heavy: { schedule, works: [work(node)] } });
    come();
    await until(() => done.length > 0);
    await until(() => {
      for (const late of waiting) late();
      return done.length > 3;
    });
    expect(new Set(done).size).toBe(1);
  });

  it('goes to another node once the one that led it has been silent for ten minutes', async () => {
    const { schedule, come } = byHand();
    const done: number[] = [];
    const works = [{ name: 'work', run: async (at: number) => void done.push(at) }];
    expect(await bed.store.lead('heavy upkeep', 'gone', Date.now() - 600_001, Date.now() - 1)).toBe(true);
    await bed.node({ heavy: { schedule, works } });
    come();
    await until(() => done.length === 1);
    expect(await bed.store.lead('heavy upkeep', 'other', Date.now(), Date.now() + 1)).toBe(false);
  });

  it('of one kind that fails keeps the others from nothing, and has its turn again', async () => {
    const { schedule, come } = byHand();
    let tries = 0;
    let others = 0;
    const works: InterruptibleUpkeepWork[] = [
      { name: 'fails', run: () => Promise.reject(new Error(`away ${(tries += 1)}`)) },
      { name: 'works', run: async () => void (others += 1) },
    ];
    await bed.node({ heavy: { schedule, works } });
    come();
    await until(() => others === 1);
    await until(() => {
      come();
      return others > 1;
    });
    expect(tries).toBeGreaterThan(1);
  });

  it('stops between two steps when the service stops, and the stop waits for the step', async () => {
    const { schedule, come, waiting } = byHand();
    const { opened, open } = door();
    const told: string[] = [];
    const works: InterruptibleUpkeepWork[] = [
      {
        name: 'long',
        run: async (_at, mayGoOn) => {
          told.push('begun');
          await opened;
          told.push(mayGoOn() ? 'goes on' : 'is to end');
        },
      },
      { name: 'next', run: async () => void told.push('next') },
    ];
    const node = await bed.node({ heavy: { schedule, works } });
    come();
    await until(() => told.length === 1);
    const stopped = node.stop().then(() => told.push('stopped'));
    expect(waiting.size).toBe(0);
    open();
    await stopped;
    expect(told).toEqual(['begun', 'is to end', 'stopped']);
  });

  it('is left alone while the shard is closed', async () => {
    const { schedule, come } = byHand();
    const done: number[] = [];
    const node = await bed.node({
      heavy: { schedule, works: [{ name: 'work', run: async (at) => void done.push(at) }] },
    });
    node.suspect('a', 'has a split brain');
    await until(() => !node.isOpen('a'));
    come();
    node.suspect('a', undefined);
    await until(() => node.isOpen('a'));
    expect(done).toEqual([]);
    come();
    await until(() => done.length === 1);
  });
});
