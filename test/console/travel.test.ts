/** Travels: any moment of a history is answered as it was, wherever the checkpoints lie, and however much of it is gone. */
import { describe, expect, it } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { readStatechart } from '../../src/console/statechart/statechartData.ts';
import { contextChangesBetween } from '../../src/console/travel/changes.ts';
import { historyEntriesPerCheckpoint } from '../../src/console/travel/machineTimeTravel.ts';
import { MachineTimeTravelCache } from '../../src/console/travel/timeTravelCache.ts';
import type { HistoryEntryView } from '../../src/engine/contract/api.ts';
import { inputs, Life } from './lives.ts';
import { walk } from './walks.ts';

const ref = { shard: 'a', account: 7, id: 77 };
const kindOf = (name: string) => machineKinds.find((kind) => kind.name === name)!;

/** A history that grows and is dropped as the test wants it; pages as the engine gives them. */
const shelf = (entries: HistoryEntryView[]) => {
  const asked: number[] = [];
  return {
    entries,
    asked,
    history: (_ref: object, after: number, limit: number) => {
      asked.push(limit);
      return Promise.resolve(entries.filter(({ revision }) => revision > after).slice(0, limit));
    },
  };
};

/** A long life: the longest that a few walks make. */
const longLife = (kind: string): Life => {
  const life = new Life(kind, inputs[kind]!.at(-1)!);
  for (let seed = 1; seed <= 12; seed += 1) walk(life, kind, seed);
  return life;
};

describe.each(machineKinds.map(({ name, current }) => ({ name, current })))(
  'travels of $name',
  ({ name, current }) => {
    const life = longLife(name);
    const stored = shelf(life.history);
    const travels = new MachineTimeTravelCache(stored);
    const kind = kindOf(name);

    it('show the context of any moment, asked for in any order', async () => {
      const travel = (await travels.of(ref, { version: current }, kind))!;
      expect(travel.count).toBe(life.history.length);
      for (const index of life.history.map((_, nth) => nth).toReversed()) {
        const moment = (await travels.moment(ref, travel, index))!;
        expect([index, JSON.parse(JSON.stringify(moment.context))]).toEqual([index, life.contexts[index]]);
        expect([index, moment.timers.map(({ id }) => id).toSorted()]).toEqual([index, life.timers[index]]);
        expect(moment).toMatchObject({ index, agrees: true, trouble: null, entry: life.history[index] });
      }
      // Of a long history no more is read than the way from the last checkpoint.
      expect(Math.max(...stored.asked.slice(-life.history.length))).toBeLessThanOrEqual(
        historyEntriesPerCheckpoint,
      );
    });

    it('light what was written down, and every state that histories name', async () => {
      const travel = (await travels.of(ref, { version: current }, kind))!;
      const { walk: way } = (await travels.moment(ref, travel, travel.count - 1))!;
      const written = new Set(life.history.flatMap(({ taken }) => taken));
      expect([...way.taken.keys()].filter((id) => way.taken.get(id) === 'known')).toEqual(
        expect.arrayContaining([...written]),
      );
      for (const { state } of life.history) expect(way.visits.get(state)).toBeGreaterThan(0);
      const chart = readStatechart(name, current, kind.versions[current]!);
      for (const id of written) {
        const { from, to } = chart.transitions[id]!;
        // It was where the transition begins, and where it leads to.
        if (from !== '') expect(way.visits.get(from)).toBeGreaterThan(0);
        if (to !== undefined && to !== '') expect(way.visits.get(to)).toBeGreaterThan(0);
      }
    });
  },
);

describe('travels', () => {
  const life = longLife('line');
  const kind = kindOf('line');
  const version = { version: kind.current };

  it('learn of entries that came since, and find revisions between them', async () => {
    const all = life.history;
    const stored = shelf(all.slice(0, 10));
    const travels = new MachineTimeTravelCache(stored);
    expect((await travels.of(ref, version, kind))!.count).toBe(10);
    stored.entries.push(...all.slice(10));
    const travel = (await travels.of(ref, version, kind))!;
    expect(travel.count).toBe(all.length);
    for (const [index, { revision }] of all.entries()) expect(travel.indexOf(revision)).toBe(index);
    expect(travel.indexOf(all.at(-1)!.revision + 5)).toBe(all.length - 1);
    expect(travel.indexOf(0)).toBe(0);
  });

  it('guess where nothing was written down', async () => {
    const travels = new MachineTimeTravelCache(shelf(life.history.map((entry) => ({ ...entry, taken: [] }))));
    const travel = (await travels.of(ref, version, kind))!;
    const { walk: way } = (await travels.moment(ref, travel, travel.count - 1))!;
    expect(way.taken.size).toBeGreaterThan(0);
    for (const { state } of life.history) expect(way.visits.get(state)).toBeGreaterThan(0);
  });

  it('list the entries that have to do with a state, those within it too', async () => {
    const travel = (await new MachineTimeTravelCache(shelf(life.history)).of(ref, version, kind))!;
    const state = life.history.at(-1)!.state;
    const expected = life.history.flatMap((entry, index) => (entry.state === state ? [index] : []));
    expect(travel.touching(state)).toEqual(expect.arrayContaining(expected));
    expect(travel.touching('nowhere')).toEqual([]);
  });

  it('begin anew where entries were dropped, and say that no context is known', async () => {
    const stored = shelf(life.history);
    const travels = new MachineTimeTravelCache(stored);
    const before = (await travels.of(ref, version, kind))!;
    stored.entries.splice(0, 5);
    expect(await travels.moment(ref, before, 3)).toBeUndefined();
    const after = (await travels.of(ref, version, kind))!;
    expect(after.count).toBe(life.history.length - 5);
    const moment = (await travels.moment(ref, after, after.count - 1))!;
    expect(moment).toMatchObject({ trouble: 'beginningMissing', context: null, agrees: false });
    expect(moment.walk.active).toBe(life.history.at(-1)!.state);
  });

  it('know nothing of a chart version that this build lacks', async () => {
    expect(await new MachineTimeTravelCache(shelf([])).of(ref, { version: 99 }, kind)).toBeUndefined();
  });
});

describe('changes', () => {
  it('are the parts that differ, each at its place', () => {
    const before = { same: { a: 1 }, deep: { x: 1, y: 2 }, list: [1], gone: 'z', kind: { of: 1 } };
    const after = { same: { a: 1 }, deep: { x: 1, y: 3 }, list: [1, 2], fresh: null, kind: 'plain' };
    expect(contextChangesBetween(before, after)).toEqual({
      was: { deep: { y: 2 }, list: [1], gone: 'z', kind: { of: 1 } },
      is: { deep: { y: 3 }, list: [1, 2], fresh: null, kind: 'plain' },
    });
  });

  it('of a first step are all that it set', () => {
    expect(contextChangesBetween(undefined, { a: { b: 1 } })).toEqual({ was: {}, is: { a: { b: 1 } } });
  });
});
