/** What an orderly stop waits for: a provider reports a fact once, so one that was admitted must not end with the process. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { BadBatch, type ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { until } from '../helpers/patience.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withCommit, withLeave } from './commits.ts';
import { contextOf, errand } from './errand.ts';

const callback: Kind = { ...errand, name: 'callback', lowPriority: true };

const begin = async (engine: RamalEngine, kind = 'errand'): Promise<MachineRef> => {
  const result = await engine.start({ kind, shard: 'a', account: 7, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const words = async (engine: RamalEngine, ref: MachineRef): Promise<string[]> =>
  contextOf(await engine.view(ref)).words;

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a node that is stopped in order on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand, callback]);
  });
  afterEach(() => bed.end());

  it('leaves what was reported to it for machines of other nodes, though that fails at first', async () => {
    let tries = 0;
    const failing = (store: ShardMachineStore): ShardMachineStore =>
      withLeave(store, async (rows, ticket) => {
        if (tries++ < 2) throw new Error('connection lost');
        return store.leave(rows, ticket);
      });
    const [one, other] = [await bed.node(), await bed.node({ through: failing })];
    const ref = await begin(one);
    for (const text of ['first', 'second']) other.report(ref, { type: 'word', text });
    await until(async () => tries > 0);
    await other.stop();
    expect(tries).toBeGreaterThan(2);
    await until(async () => (await words(one, ref)).length === 2);
    expect(await words(one, ref)).toEqual(['first', 'second']);
  });

  it('writes what was reported to a machine whose write was refused and waits to be tried again', async () => {
    let refusals = 0;
    const refusing = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const isRefused = batch.some(({ history }) => history.some(({ event }) => event === 'word'));
        if (isRefused && refusals++ < 2) throw new BadBatch('a trigger says no', { code: 'P0001' });
        return store.commit(lane, batch, at, ticket);
      });
    const engine = await bed.node({ through: refusing });
    const ref = await begin(engine);
    engine.report(ref, { type: 'word', text: 'hello' });
    await until(async () => refusals > 0);
    await engine.stop();
    expect(await words(engine, ref)).toEqual(['hello']);
  });

  it('writes what was reported to machines that wait for a moment without other work', async () => {
    const engine = await bed.node({ load: () => 1 });
    const refs = await Promise.all(Array.from({ length: 5 }, () => begin(engine, 'callback')));
    for (const ref of refs) engine.report(ref, { type: 'word', text: 'hello' });
    await engine.stop();
    const heard = await Promise.all(refs.map((ref) => words(engine, ref)));
    expect(heard).toEqual(refs.map(() => ['hello']));
  });
});
