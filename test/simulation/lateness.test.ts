import { beforeEach, expect, it } from 'vitest';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import { Book } from './book.ts';
import type { Before } from './database.ts';
import { Lateness, type LatenessScope } from './lateness.ts';
import { World } from './world.ts';

const MARK = 5;
const fact = JSON.stringify({ type: 'hungUp', mark: MARK });
const row = { account: 11, machine: 1, id: 9, at: 0, event: fact };
const heard = {
  ...{ id: 1, tells: [], heard: [] },
  history: [{ event: 'hungUp', payload: fact, at: 0, revision: 2, asked: [] }],
} as unknown as MachineWrite;

let world: World;
let book: Book;
let lateness: Lateness;
beforeEach(() => {
  world = new World();
  book = new Book(world);
  lateness = new Lateness({
    ...{ world, book, kinds: [], wasFull: () => false },
    calm: { lastsFor: 60_000 },
    database: { openTime: { unbrokenMs: 60_000 } },
  } as unknown as LatenessScope);
});

const isHeardAfter = async (ms: number): Promise<string[]> => {
  await world.run(ms, () => false);
  lateness.landed('call', heard, { agenda: '' } as Before);
  return book.violations.map(({ detail }) => detail.trim());
};

it('calls a fact late that reached a process that lives, and was heard long after', async () => {
  lateness.arrives(MARK, { alive: true });
  expect(await isHeardAfter(6_000)).toEqual(['a fact by 6000 ms']);
});

it('does not call a fact late that was looked up after the process that was told has ended', async () => {
  const life = { alive: true };
  lateness.arrives(MARK, life);
  life.alive = false;
  expect(await isHeardAfter(6_000)).toEqual([]);
});

it('calls a fact late that the process left in the inbox before it ended', async () => {
  const life = { alive: true };
  lateness.arrives(MARK, life);
  lateness.left([row]);
  life.alive = false;
  expect(await isHeardAfter(6_000)).toEqual(['a fact by 6000 ms']);
});

it('calls a fact late that was repeated to a process that lives, though another that was told has ended', async () => {
  lateness.arrives(MARK, { alive: false });
  lateness.arrives(MARK, { alive: true });
  expect(await isHeardAfter(6_000)).toEqual(['a fact by 6000 ms']);
});
