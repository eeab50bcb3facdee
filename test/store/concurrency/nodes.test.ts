/** Nodes that join, beat, leave, are declared dead and forgotten, all at once: who has which slot, and who lives. */
import { expect, it } from 'vitest';
import type { ShardMachineStore } from '../../../src/engine/contract/store.ts';
import type { Dice } from '../../simulation/dice.ts';
import { at, aWrite } from '../writes.ts';
import { storm, times, type Storm } from './storm.ts';

const GRACE_MS = 1_000;
const SLOTS = 64;
/** Slots that are left for those who come and go. */
const ROOM = 5;
const COMERS = 8;
const LIVES = 3;
const FAR_MS = 3_600_000;

const joins = (store: ShardMachineStore, now: number) =>
  store.register({ name: 'n', process: 'p', at: now, aheadMs: 0, graceMs: GRACE_MS });

/** What was seen of a node; places in the order of events. */
interface Seen {
  incarnation: number;
  slot: number;
  joined: number;
  /** The last beat that was heard alive: its question was sent then. */
  aliveAt: number;
  mintedMs: number;
}

/** The time of the shard, and the order of what is seen: each look is later than the one before. */
class Course {
  #order = 0;
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  next(): number {
    this.now += 3;
    return ++this.#order;
  }
}

it('of one slot do not live at the same time, and each goes on above what those before it minted', () => {
  const course = new Course(at);
  return storm(5, async (here) => {
    const { dice, round, store, database } = here;
    await database.pool.query('DELETE FROM nodes');
    for (let filler = 0; filler < SLOTS - ROOM; filler += 1) await joins(store, course.now + FAR_MS);
    course.now += FAR_MS / 1_000;
    const seen: Seen[] = [];
    await Promise.all(times(COMERS, (nth) => comeAndGo(here, dice.of(`${round} ${nth}`), course, seen)));
    expect(new Set(seen.map(({ incarnation }) => incarnation)).size).toBe(seen.length);
    for (const one of seen)
      for (const next of seen) {
        // Who came first is told by the incarnations: answers may be heard in another order.
        if (one.slot !== next.slot || next.incarnation <= one.incarnation) continue;
        expect(
          one.aliveAt,
          `${one.incarnation} lives beside ${next.incarnation} in slot ${one.slot}`,
        ).toBeLessThan(next.joined);
      }
  });
});

/** Joins, beats a few times, and leaves, falls silent, or is declared dead; then once more. */
const comeAndGo = async ({ store }: Storm, dice: Dice, course: Course, seen: Seen[]): Promise<void> => {
  for (let life = 0; life < LIVES; life += 1) {
    const place = await joins(store, course.now).catch((error: Error) => error);
    if (place instanceof Error) {
      expect(place.message).toContain('in use');
      course.now += GRACE_MS;
      continue;
    }
    const before = seen.filter(
      ({ slot, incarnation }) => slot === place.slot && incarnation < place.incarnation,
    );
    for (const { mintedMs } of before) expect(place.mintedMs).toBeGreaterThanOrEqual(mintedMs);
    const node = { ...place, joined: course.next(), aliveAt: 0 };
    seen.push(node);
    await beatOn({ store, dice, course, node });
    const end = dice.weighed({ leave: 2, silence: 1, death: 2 });
    if (end === 'leave') await store.leaveNode(node.incarnation, course.now);
    if (end === 'death') expect(await store.declareDead(node.incarnation, course.now, null)).toBe(true);
    if (end === 'silence') course.now += GRACE_MS;
    else expect((await beat(store, node, course)).alive).toBe(false);
  }
};

const beat = (store: ShardMachineStore, { incarnation, mintedMs }: Seen, { now }: Course) =>
  store.beat({ incarnation, at: now, mintedMs, aheadMs: 0 });

const beatOn = async (scope: {
  store: ShardMachineStore;
  dice: Dice;
  course: Course;
  node: Seen;
}): Promise<void> => {
  const { store, dice, course, node } = scope;
  for (let beats = dice.whole(1, 4); beats > 0; beats -= 1) {
    const sent = course.next();
    const mintedMs = node.mintedMs + dice.whole(0, 50);
    const { alive } = await beat(store, { ...node, mintedMs }, course);
    if (!alive) return;
    Object.assign(node, { aliveAt: sent, mintedMs });
  }
};

it('that beat are not declared dead for a beat before, and those declared dead beat no more', () =>
  storm(15, async ({ store }) => {
    const { incarnation } = await joins(store, at);
    const ask = { incarnation, at, mintedMs: 0, aheadMs: 0 };
    const { nodes } = await store.beat(ask);
    const last = nodes.find((node) => node.incarnation === incarnation)!;
    const [next, ...dead] = await Promise.all([
      store.beat({ ...ask, at: at + 1 }),
      store.declareDead(incarnation, at + 1, last),
      store.declareDead(incarnation, at + 1, last),
    ]);
    expect(dead).toEqual([!next.alive, !next.alive]);
    expect((await store.beat(ask)).alive).toBe(next.alive);
    await store.leaveNode(incarnation, at + 2);
    await store.forgetNodes(at + 3);
  }));

it('are not forgotten while they hold a machine, whatever is committed meanwhile', () =>
  storm(10, async ({ round, store }) => {
    const holders = await Promise.all(times(4, () => joins(store, at)));
    const held = holders.map(({ incarnation }, nth) => {
      const write = aWrite(1_000 * (round + 1) + nth);
      write.row.heldBy = incarnation;
      return write;
    });
    await store.commit(0, held, at);
    await Promise.all(holders.map(({ incarnation }) => store.leaveNode(incarnation, at)));
    const steps = held.map(({ id, row: { heldBy } }) => {
      const step = aWrite(id, { revision: 2 });
      step.row.heldBy = heldBy;
      return step;
    });
    await Promise.all([
      ...steps.map((step) => store.commit(0, [step], at)),
      ...times(3, () => store.forgetNodes(at + 1)),
    ]);
    const watcher = await joins(store, at);
    const { nodes } = await store.beat({ incarnation: watcher.incarnation, at, mintedMs: 0, aheadMs: 0 });
    await store.leaveNode(watcher.incarnation, at);
    const known = nodes.map(({ incarnation }) => incarnation);
    expect(known).toEqual(expect.arrayContaining(holders.map(({ incarnation }) => incarnation)));
    const ends = steps.map((step) => ({ ...step, guard: 2, row: { ...step.row, revision: 3, endedAt: at } }));
    await store.commit(0, ends, at);
    await store.forgetNodes(at + 1);
  }));
