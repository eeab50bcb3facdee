/** Machines of the dead taken up by two at once, beside steps of one who does not know that it is dead. */
import { expect, it } from 'vitest';
import { firstIdAt } from '../../../src/engine/contract/idGenerator.ts';
import type { ShardMachineStore, TakenOverMachine } from '../../../src/engine/contract/store.ts';
import { maintainHistoryPartitions } from '../../../src/store/historyPartitions.ts';
import type { Dice } from '../../simulation/dice.ts';
import { at, aWrite } from '../writes.ts';
import { shuffled, storm, times } from './storm.ts';

const account = 7;
const known = ['message:1'];
const DEAD = 5;
const HEIRS = [6, 7, 8];
const MACHINES = 30;
const DAY_MS = 86_400_000;

let ids = 0;

const entry = (revision: number) => ({
  ...{
    revision,
    at,
    event: revision === 1 ? 'started' : 'stepped',
    payload: null,
    state: 's',
    asked: '',
    taken: '',
  },
});

/** Machines of the dead, each at its first revision. */
const bear = async (store: ShardMachineStore, wakeAt: number | null = null): Promise<number[]> => {
  const writes = times(MACHINES, () => aWrite(++ids, { history: [entry(1)] }));
  for (const write of writes) Object.assign(write.row, { heldBy: DEAD, wakeAt });
  expect(await store.commit(0, writes, at)).toBe(MACHINES);
  return writes.map(({ id }) => id);
};

/** All that one of them takes up, chunk by chunk. */
const walk = async (store: ShardMachineStore, heldBy: number, chunk: number): Promise<TakenOverMachine[]> => {
  const all: TakenOverMachine[] = [];
  for (;;) {
    const after = all.at(-1) ?? null;
    const request = { dead: DEAD, after, overdue: null, heldBy, stepId: firstIdAt(at) + heldBy, at, known };
    const rows = await store.takeUp({ ...request, limit: chunk });
    if (rows.length === 0) return all;
    all.push(...rows.toSorted((one, other) => one.id - other.id));
  }
};

/** Some machines are stepped once more by the one who held them; the ids of those that landed. */
const stepSome = async (
  store: ShardMachineStore,
  dice: Dice,
  machines: readonly number[],
): Promise<number[]> => {
  const landed: number[] = [];
  for (const id of shuffled(dice, machines).slice(0, MACHINES / 3)) {
    const step = aWrite(id, { revision: 2, history: [entry(2)] });
    if ((await store.commit(1, [step], at)) === 1) landed.push(id);
  }
  return landed;
};

const judge = async (
  store: ShardMachineStore,
  machines: readonly number[],
  taken: TakenOverMachine[],
  landed: number[],
) => {
  expect(taken.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(machines);
  const rows = await store.read(machines.map((id) => ({ account, id })));
  for (const row of rows) {
    const { heldBy, revision, stepId } = taken.find(({ id }) => id === row.id)!;
    expect(row).toMatchObject({ heldBy, revision, stepId });
    const events = (await store.history({ account, id: row.id }, 0, 9)).map(({ event }) => event);
    expect(events).toEqual(
      landed.includes(row.id) ? ['started', 'stepped', 'takenOver'] : ['started', 'takenOver'],
    );
    expect(revision).toBe(events.length);
  }
};

it('are each taken by one, with every step that was written before', () =>
  storm(8, async ({ dice, store }) => {
    const machines = await bear(store);
    const [landed, ...taken] = await Promise.all([
      stepSome(store, dice, machines),
      ...HEIRS.map((heir) => walk(store, heir, dice.whole(2, 9))),
    ]);
    // What somebody had in hand is left to the next walk.
    const rest = await walk(store, 9, 100);
    await judge(store, machines, [...taken.flat(), ...rest], landed);
  }));

it('of the living are taken by one as well, when they are overdue', () =>
  storm(8, async ({ dice, store }) => {
    const machines = await bear(store, at);
    const overdue = at + 1_000;
    const takes = (heldBy: number): Promise<TakenOverMachine[]> => {
      const stepId = firstIdAt(overdue) + heldBy;
      return store.takeUp({ dead: null, after: null, overdue, heldBy, stepId, at, known, limit: 12 });
    };
    const taken = (await Promise.all(times(6, (nth) => takes(HEIRS[nth % HEIRS.length]!)))).flat();
    let rest: TakenOverMachine[];
    while ((rest = await takes(dice.pick(HEIRS))).length > 0) taken.push(...rest);
    for (const heir of HEIRS) taken.push(...(await takes(heir)));
    await judge(store, machines, taken, []);
    // They are nobody's any more for the next round.
    const ends = machines.map((id) => aWrite(id, { revision: 3 }));
    for (const end of ends) end.row.endedAt = at;
    await store.commit(0, ends, at);
  }));

it('lose no line of their history to partitions that are made and dropped meanwhile', () =>
  storm(2, async ({ dice, round, store, database }) => {
    const today = Math.floor(at / DAY_MS) + 30 * (round + 1);
    const machines = times(12, () => ++ids);
    const onDay = (id: number, revision: number): Promise<number> => {
      const moment = (today + dice.whole(0, 12)) * DAY_MS;
      return store.commit(0, [aWrite(id, { revision, history: [{ ...entry(revision), at: moment }] })], at);
    };
    const live = async (id: number): Promise<void> => {
      for (let revision = 1; revision <= 5; revision += 1) expect(await onDay(id, revision)).toBe(1);
    };
    await Promise.all([
      ...machines.map(live),
      ...[0, 1, 2, 3].map((ahead) =>
        maintainHistoryPartitions(database.pool, { now: (today + ahead) * DAY_MS, keepDays: 20 }),
      ),
    ]);
    await maintainHistoryPartitions(database.pool, { now: (today + 5) * DAY_MS, keepDays: 20 });
    for (const id of machines) {
      const rows = await store.history({ account, id }, 0, 10);
      expect(rows.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5]);
    }
  }));
