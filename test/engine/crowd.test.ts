import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;

const begin = async (engine: RamalEngine): Promise<MachineRef> => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};

/** Hundreds of machines started by one step each, as a campaign starts its calls, and all of them telling one. */
const recruit = (
  engine: RamalEngine,
  by: MachineRef,
  count: number,
): { ids: number[]; told: Promise<unknown> } => {
  const ids = Array.from({ length: count }, () => engine.mintId('a'));
  return { ids, told: engine.send(by, { type: 'recruit', ids, friend: by.id }) };
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a crowd on %s', (_name, makeBed) => {
  let bed: Bed;
  let batches: number[];
  /** Notes how many machines each statement writes. */
  const watched = (store: ShardMachineStore): ShardMachineStore => {
    const commit: ShardMachineStore['commit'] = (lane, batch, at, ticket) => {
      batches.push(batch.length);
      return store.commit(lane, batch, at, ticket);
    };
    return new Proxy(store, {
      get: (target, name) =>
        name === 'commit' ? commit : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
    });
  };
  beforeEach(async () => {
    batches = [];
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('starts a hundred machines in one step, and no statement outgrows its batch for that', async () => {
    const engine = await bed.node({ through: watched, cache: 10_000 });
    const parents = await Promise.all(Array.from({ length: 20 }, () => begin(engine)));
    const recruits = parents.map((parent) => recruit(engine, parent, 100));
    await Promise.all(recruits.map(({ told }) => told));
    const keys = recruits.flatMap(({ ids }) => ids.map((id) => ({ account, id })));
    const rows = await bed.store.read(keys);
    expect(rows).toHaveLength(2_000);
    expect(rows.every((row) => row.revision === 1 && row.state === 'open')).toBe(true);
    // 750 steps, and what the last step that still found room brings with it.
    expect(Math.max(...batches)).toBeLessThanOrEqual(750 + 101);
  });

  it('hears hundreds who tell it at once, each once, folding them into few writes', async () => {
    const engine = await bed.node({ through: watched, cache: 10_000 });
    const parent = await begin(engine);
    const { ids, told } = recruit(engine, parent, 100);
    await told;
    batches.length = 0;
    const said = ids.flatMap((id) => [1, 2, 3].map((time) => ({ id, text: `${id} ${time}` })));
    await Promise.all(
      said.map(({ id, text }) => engine.send({ shard: 'a', account, id }, { type: 'tell', text })),
    );
    const words = await until(async () => {
      const heard = contextOf(await engine.view(parent)).words;
      return heard.length === said.length && heard;
    });
    expect(words.toSorted()).toEqual(said.map(({ text }) => text).toSorted());
    for (const id of ids)
      expect(words.filter((word) => word.startsWith(`${id} `))).toEqual(
        [1, 2, 3].map((time) => `${id} ${time}`),
      );
    const revision = (await bed.store.read([parent]))[0]!.revision;
    expect(revision).toBe(2 + said.length);
    expect(batches.length).toBeLessThan(said.length / 5);
  });

  it.each([40, 4])(
    'lets others start while the crowd fills every batch of %i steps',
    async (stepsPerCommit) => {
      let isOpen = Promise.resolve();
      let open = (): void => {};
      /** The ids in the batches of each lane: lanes do not wait for each other. */
      const written = new Map<number, number[][]>();
      const held = (store: ShardMachineStore): ShardMachineStore => {
        const commit: ShardMachineStore['commit'] = async (lane, batch, ...rest) => {
          const ids = batch.map(({ id }) => id);
          written.set(lane, [...(written.get(lane) ?? []), ids]);
          await isOpen;
          return store.commit(lane, batch, ...rest);
        };
        return new Proxy(store, {
          get: (target, name) =>
            name === 'commit'
              ? commit
              : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
        });
      };
      const engine = await bed.node({ through: held, cache: 10_000, stepsPerCommit });
      const parent = await begin(engine);
      const { ids, told } = recruit(engine, parent, 800);
      await told;
      written.clear();
      isOpen = new Promise((resolve) => (open = resolve));
      const words = ids.map((id) => engine.send({ shard: 'a', account, id }, { type: 'word', text: 'now' }));
      const started = begin(engine);
      open();
      const { id } = await started;
      await Promise.all(words);
      const batches = [...written.values()].find((lane) => lane.some((batch) => batch.includes(id)))!;
      // The first batch may have been formed before it was asked for.
      expect(batches.findIndex((batch) => batch.includes(id))).toBeLessThanOrEqual(1);
      expect(batches.length).toBeGreaterThan(3);
    },
  );

  it('starts none of them when one of them is impossible', async () => {
    const engine = await bed.node();
    const parent = await begin(engine);
    const ids = [engine.mintId('a'), engine.mintId('a')];
    await engine.send(parent, { type: 'recruit', ids, friend: 0, kind: 'nobody' });
    expect(await bed.store.read(ids.map((id) => ({ account, id })))).toEqual([]);
    expect((await engine.view(parent))?.attention).toContain('recruit');
  });
});
