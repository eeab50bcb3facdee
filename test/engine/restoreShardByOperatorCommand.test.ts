import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  restoreShardFromJournals,
  type ShardReopeningOutcome,
} from '../../src/engine/restoreShardByOperatorCommand.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import { BadBatch, type ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { JournalShelf } from '../helpers/journalShelf.ts';
import { type Bed, memoryBed, postgresBed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 500;
const begin = async (engine: RamalEngine, input: object = {}) => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const problemOf = (engine: RamalEngine) => engine.shardStates()[0]!.problem;
const isOpen = (engine: RamalEngine) => problemOf(engine) === undefined;
const isClosed = (engine: RamalEngine) => problemOf(engine)?.startsWith('is closed');

/** The store, but that it writes nothing again. */
const refusingRedo = (store: ShardMachineStore, redo: () => Promise<never>): ShardMachineStore =>
  new Proxy(store, {
    get: (target, verb: keyof ShardMachineStore) =>
      verb === 'redo' ? redo : (target[verb] as (...given: unknown[]) => unknown).bind(target),
  });

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('an operator brings a shard back, on %s', (_name, makeBed) => {
  let bed: Bed;
  let shelf: JournalShelf;
  let ended: Set<string>;
  /** What was done in the world at most once. */
  let done: string[];
  /** Lines that were brought. */
  let brought: number;
  const performers = { once: async (call: EffectCall) => void done.push(call.id) };
  beforeEach(async () => {
    done = [];
    brought = 0;
    shelf = new JournalShelf();
    ended = new Set();
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  const node = (process: string, journal = shelf.open()) =>
    bed.node({ graceMs, performers, process, ended, journal });
  const kill = (engine: RamalEngine, process: string): void => {
    engine.abandon();
    ended.add(process);
  };
  const run = (store: ShardMachineStore = bed.store): Promise<ShardReopeningOutcome> =>
    restoreShardFromJournals({
      ...{ shard: 'a', store, clock: hostClock, log: noopEngineLog, graceMs, isLastWord: true },
      journal: shelf.open(),
      isProcessDead: (process) => ended.has(process),
      heard: { brought: () => void (brought += 1), written: () => {} },
      progress: () => {},
    });
  const stateOf = async () => (await bed.store.standing(0)).state;
  const wordsOf = async (engine: RamalEngine, ref: Awaited<ReturnType<typeof begin>>) =>
    contextOf(await engine.view(ref)).words;

  /** A node does something after a backup was taken, and is killed; the backup is restored. */
  const lostWork = async (journal = shelf.open()) => {
    const lost = await node('lost', journal);
    const ref = await begin(lost);
    const restore = await bed.backUp();
    await lost.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    await lost.send(ref, { type: 'word', text: 'kept' });
    kill(lost, 'lost');
    await restore();
    return ref;
  };

  it('where no node runs: a restored backup opens, and the next node goes on from all that was done', async () => {
    const ref = await lostWork();
    await bed.closeRestored();
    expect(await run()).toEqual({ what: 'opened' });
    expect(brought).toBeGreaterThan(1);
    const next = await node('next');
    await until(async () => (await wordsOf(next, ref)).includes('kept'));
    await until(() => isOpen(next));
    expect(done).toHaveLength(1);
    expect(await run()).toEqual({ what: 'wasOpen' });
  });

  it('where no node runs, and nobody knows yet that the database went back', async () => {
    const ref = await lostWork();
    expect(await run()).toEqual({ what: 'opened' });
    const next = await node('next');
    await until(async () => (await wordsOf(next, ref)).includes('kept'));
  });

  it('beside a node, which does not open a restored backup by itself though the journals are at hand', async () => {
    const ref = await lostWork();
    await bed.closeRestored();
    const next = await node('next');
    await until(async () => (await bed.store.brought(1)).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 2 * graceMs));
    expect(isClosed(next)).toBe(true);
    expect(await run()).toEqual({ what: 'opened' });
    await until(() => isOpen(next));
    await until(async () => (await wordsOf(next, ref)).includes('kept'));
    expect(done).toHaveLength(1);
  });

  it('not without the journal of a node that held machines: it says which, and opens when it is brought', async () => {
    kill(await node('other'), 'other');
    const elsewhere = new JournalShelf();
    const ref = await lostWork(elsewhere.open());
    await bed.closeRestored();
    const { incarnation } = elsewhere.books[0]!.owner;
    expect(await run()).toMatchObject({ what: 'lost', missing: [{ incarnation, name: 'test' }] });
    expect(await stateOf()).toBe('closed');
    expect((await bed.store.standing(0)).restored).toBe(true);
    shelf.books.push(...elsewhere.books);
    expect(await run()).toEqual({ what: 'opened' });
    const next = await node('next');
    await until(async () => (await wordsOf(next, ref)).includes('kept'));
  });

  it('not without any journal, even where the backup was taken while no node ran', async () => {
    const first = await node('first', new JournalShelf().open());
    await first.stop();
    await bed.closeRestored();
    expect(await run()).toMatchObject({
      what: 'lost',
      why: expect.stringContaining('no journal is at hand'),
    });
    expect(await stateOf()).toBe('closed');
  });

  it('whatever was confirmed before the backup was taken', async () => {
    const elsewhere = new JournalShelf();
    const engine = await node('lost', elsewhere.open());
    await begin(engine);
    await bed.promote();
    await until(async () => (await bed.store.standing(0)).doubt === 1 && isOpen(engine));
    const restore = await bed.backUp();
    await begin(engine);
    kill(engine, 'lost');
    await restore();
    await bed.closeRestored();
    const next = await node('next');
    expect(await run()).toMatchObject({ what: 'lost', missing: [{ name: 'test' }] });
    expect(isClosed(next)).toBe(true);
  });

  it('waits for nodes that live, and leaves those alone that are silent on another host for a grace time only', async () => {
    const ref = await lostWork();
    ended.clear();
    const since = Date.now();
    expect(await run()).toEqual({ what: 'opened' });
    expect(Date.now() - since).toBeGreaterThan(graceMs);
    const next = await node('next');
    await until(async () => (await wordsOf(next, ref)).includes('kept'));
  });

  it('closes the shard once for a commit that is refused, and nodes do not try it again and again', async () => {
    await lostWork();
    await bed.closeRestored();
    let tries = 0;
    const refuse = async (): Promise<never> => {
      tries += 1;
      throw new BadBatch('a value that no column takes');
    };
    const refusing = refusingRedo(bed.store, refuse);
    expect(await run(refusing)).toMatchObject({
      what: 'lost',
      why: expect.stringMatching(/commit \d+ of node \d+ is refused now/),
    });
    expect(tries).toBe(1);
    const engine = await bed.node({
      graceMs,
      process: 'next',
      ended,
      journal: shelf.open(),
      through: () => refusing,
    });
    await until(() => tries > 1);
    await new Promise((resolve) => setTimeout(resolve, 2 * graceMs));
    expect(tries).toBe(2);
    expect(problemOf(engine)).toContain('is refused now');
    // It would refuse the commit once more, and close the shard beside the one who opens it.
    engine.abandon();
    ended.add('next');
    expect(await run()).toEqual({ what: 'opened' });
  });
});
