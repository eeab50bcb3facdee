/** Words for machines beside the sweep, and machines that come to rest while two look for them. */
import { expect, it } from 'vitest';
import type { Dice } from '../../simulation/dice.ts';
import { at, aWrite } from '../writes.ts';
import { some, storm, times, type Storm } from './storm.ts';
import type { MachineInboxRow, MachineWrite } from '../../../src/engine/contract/rows.ts';

const account = 7;
const DAY_MS = 86_400_000;
const MACHINES = 5;
const STEPS = 5;

let ids = 0;
const nextId = (): number => ++ids;

/** A machine, with the words for it that stand. */
interface Standing {
  id: number;
  revision: number;
  words: Set<number>;
  isOver: boolean;
}

const wordFor = (machine: number): MachineInboxRow => ({
  ...{ account, machine, id: nextId(), event: '{"type":"word"}' },
  // Older than any grace time: only that its machine lives keeps it.
  at: at - DAY_MS,
});

it('stand until they are heard, however often is swept meanwhile', () =>
  storm(12, async (here) => {
    const { dice, store } = here;
    const machines = times(MACHINES, () => ({
      ...{ id: nextId(), revision: 1, words: new Set<number>(), isOver: false },
    }));
    let isOver = false;
    const sweeping = Promise.all(
      times(2, async () => {
        while (!isOver) await store.sweep(at, 1_000);
      }),
    );
    try {
      // Born with the first word for it, in one commit.
      await Promise.all(machines.map((machine) => tellOne(here, machine, aWrite(machine.id))));
      await Promise.all(machines.map((machine, nth) => live(here, dice.of(nth), machine)));
    } finally {
      isOver = true;
      await sweeping;
    }
    const standing = await store.inbox(5, 1_000);
    const expected = machines.filter((machine) => !machine.isOver).flatMap(({ words }) => [...words]);
    const living = new Set(machines.filter((machine) => !machine.isOver).map(({ id }) => id));
    const found = standing.filter(({ machine }) => living.has(machine)).map(({ id }) => id);
    expect(ascending(found)).toEqual(ascending(expected));
  }));

const ascending = (ids: readonly number[]): number[] => ids.toSorted((one, other) => one - other);

/** A write of some machine, with a word for this one. */
const tellOne = async ({ store }: Storm, machine: Standing, write: MachineWrite): Promise<void> => {
  const word = wordFor(machine.id);
  expect(await store.commit(0, [{ ...write, tells: [word] }], at)).toBe(1);
  machine.words.add(word.id);
};

/** It steps, tells itself and is told from outside, and hears some of it; now and then it ends. */
const live = async (here: Storm, dice: Dice, machine: Standing): Promise<void> => {
  const { store } = here;
  for (let step = 0; step < STEPS; step += 1) {
    machine.revision += 1;
    const heard = dice.chance(0.5) ? some(dice, [...machine.words]) : [];
    const write = aWrite(machine.id, { revision: machine.revision, heard });
    await tellOne(here, machine, write);
    for (const word of heard) machine.words.delete(word);
    if (!dice.chance(0.5)) continue;
    const left = wordFor(machine.id);
    await Promise.all([store.leave([left]), store.leave([left])]);
    machine.words.add(left.id);
  }
  if (dice.chance(0.7)) return;
  const last = aWrite(machine.id, { revision: machine.revision + 1 });
  last.row.endedAt = at;
  expect(await store.commit(0, [last], at)).toBe(1);
  machine.isOver = true;
};

it('machines that have ended are laid to rest once, by one of those who look for them', () =>
  storm(8, async ({ store }) => {
    const over = times(20, () => {
      const write = aWrite(nextId());
      write.row.endedAt = at;
      return write;
    });
    await store.commit(0, over, at);
    const moved = await Promise.all(times(4, () => store.rest(at + 1, at + 1, 7)));
    const late = await store.rest(at + 1, at + 1, 100);
    expect(moved.reduce((sum, count) => sum + count, late)).toBe(over.length);
    for (const { id } of over)
      expect(await store.history({ account, id }, 0, 5, 'archived'), `machine ${id}`).toHaveLength(1);
  }));
