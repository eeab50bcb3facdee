import { expect, test } from 'vitest';
import { DatabaseRollbackGuard } from '../../src/engine/recovery/databaseRollbackGuard.ts';
import { DatabaseFailureTracker } from '../../src/engine/contract/databaseFailureTracker.ts';
import { noopJournal } from '../../src/engine/contract/journal.ts';
import { CachedMachine } from '../../src/engine/writer/cachedMachine.ts';
import { MachineLoader } from '../../src/engine/runtime/machineLoader.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { Key, MachineRow } from '../../src/engine/contract/rows.ts';

/** A loader, the ids of each read that it began, and what lets the oldest of them answer. */
const aLoader = (readyMachines = () => 0) => {
  const begun: number[][] = [];
  const answers: (() => void)[] = [];
  const store = {
    read: async (keys: Key[]) => {
      begun.push(keys.map(({ id }) => id));
      await new Promise<void>((resolve) => void answers.push(resolve));
      return keys.map(({ account, id }) => ({ account, id }) as MachineRow);
    },
  };
  const loader = new MachineLoader(
    store as ShardMachineStore,
    {
      ...{
        clock: hostClock,
        random: Math.random,
        health: new DatabaseFailureTracker('a', hostClock, noopEngineLog),
        readyMachines,
      },
      guard: new DatabaseRollbackGuard({
        ...{ shard: 'a', store: store as ShardMachineStore, clock: hostClock, log: noopEngineLog },
        ...{ journal: noopJournal, isProcessDead: () => false, graceMs: 1_000, placed: () => {} },
        now: () => Date.now(),
      }),
    },
    () => {},
  );
  const answer = async (): Promise<void> => {
    await expect.poll(() => answers.length).toBe(1);
    answers.shift()!();
  };
  return { loader, begun, answer };
};

test('a machine whose timers are due is not read once more while its row is on its way', async () => {
  const { loader, begun, answer } = aLoader();
  const found: number[] = [];
  const read = (id: number): void => loader.readForTimers(7, id, (row) => found.push(row!.id));
  read(1);
  read(1);
  await expect.poll(() => begun).toEqual([[1]]);
  // The next read takes what is asked for while this one is under way.
  read(1);
  read(2);
  await answer();
  await answer();
  await expect.poll(() => found).toEqual([1, 2]);
  expect(begun).toEqual([[1], [2]]);
  read(1);
  await answer();
  await expect.poll(() => found).toEqual([1, 2, 1]);
});

test('while a crowd waits to be stepped, due timers wait for room, and other rows are read at once', async () => {
  let ready = 5_000;
  const { loader, begun, answer } = aLoader(() => ready);
  const found: number[] = [];
  for (const id of [1, 2]) loader.readForTimers(7, id, (row) => found.push(row!.id));
  loader.read(new CachedMachine(7, 3));
  await answer();
  expect(begun).toEqual([[3]]);
  loader.read(new CachedMachine(7, 4));
  await answer();
  expect(begun).toEqual([[3], [4]]);
  ready = 10;
  await answer();
  await expect.poll(() => found).toEqual([1, 2]);
  expect(begun).toEqual([[3], [4], [1, 2]]);
});
