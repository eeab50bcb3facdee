/** A server that is started anew may have other files: nothing is written before all that live have looked at it. */
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { NodeRow, ShardMachineStore } from '../../src/engine/contract/store.ts';
import { PeerServerCheckTracker } from '../../src/engine/recovery/allPeersCheckedNewServer.ts';
import { type Bed, memoryBed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 3_000;
const problemOf = (engine: RamalEngine) => engine.shardStates()[0]!.problem;

/** A node's way to the database, which can be held up. */
const gated = () => {
  let open = Promise.resolve();
  let release = (): void => {};
  let mayTakeUp = true;
  return {
    hold: () => void (open = new Promise((resolve) => (release = resolve))),
    release: () => release(),
    takesUp: (may: boolean) => (mayTakeUp = may),
    through: (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) => {
          const ask = target[name as keyof ShardMachineStore] as (...given: unknown[]) => Promise<unknown>;
          if (typeof ask !== 'function') return ask;
          return async (...given: unknown[]) => {
            await open;
            if (name === 'takeUp' && !mayTakeUp) throw new Error('not yet');
            return ask.apply(target, given);
          };
        },
      }),
  };
};

describe('a copy that is restored', () => {
  let bed: Bed;
  beforeEach(async () => void (bed = await memoryBed([errand])));
  afterEach(() => bed.end());

  it('is written by no node before the one that knows more has looked at it', async () => {
    const ended = new Set<string>();
    const [first, slow] = [gated(), gated()];
    const gone = await bed.node({ graceMs, process: 'gone', ended });
    const engine = await bed.node({ graceMs, ended, through: first.through });
    const knowing = await bed.node({ graceMs, ended, through: slow.through });
    const started = await gone.start({ kind: 'errand', shard: 'a', account, input: {} });
    if (started.outcome !== 'started') throw new Error('not started');
    const { ref } = started;
    const restore = await bed.backUp();

    // Its machine is taken up by the one that will be slow to look.
    first.takesUp(false);
    gone.abandon();
    ended.add('gone');
    await until(
      async () => (await knowing.send(ref, { type: 'word', text: 'of before' }).catch(() => 0)) !== 0,
    );
    slow.hold();
    await restore('restarted');
    first.takesUp(true);
    const beats = async (): Promise<number> => {
      const { nodes } = await bed.store.beat({ incarnation: 0, at: 0, mintedMs: 0, aheadMs: 0 });
      return nodes.reduce((sum, one) => sum + (one.stoppedAt === null ? one.beats : 0), 0);
    };
    const before = await beats();
    await until(async () => (await beats()) > before + 3);
    expect(problemOf(engine)).toMatch(/^is checking: its server was started anew/);
    await expect(engine.send(ref, { type: 'word', text: 'again' })).rejects.toThrow('being checked');
    expect(contextOf(await engine.view(ref)).words).toEqual([]);

    slow.release();
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(problemOf(engine)).toContain('not in the database');
  });

  it('is not believed by a node that looks for a machine in it: what it has forgotten is not said to be gone', async () => {
    const slowly = { graceMs: 20_000 };
    const [knowing, other] = [await bed.node(slowly), await bed.node(slowly)];
    const restore = await bed.backUp();
    const started = await knowing.start({ kind: 'errand', shard: 'a', account, input: {} });
    if (started.outcome !== 'started') throw new Error('not started');
    await restore('restarted');
    await expect(other.send(started.ref, { type: 'word', text: 'told' })).rejects.toThrow('durable in time');
    expect(await other.standsOpen('a')).toBe(false);
    // One that never was is gone where nothing is doubted.
    const sound = await memoryBed([errand]);
    const engine = await sound.node(slowly);
    expect(await engine.send({ shard: 'a', account, id: 4_711 }, { type: 'word', text: 'told' })).toEqual({
      outcome: 'gone',
    });
    await sound.end();
  });

  it('is written at once by a node that is alone, and soon by two', async () => {
    const alone = await bed.node({ graceMs });
    const restore = await bed.backUp();
    await restore('restarted');
    await until(() => problemOf(alone) === undefined);
    const other = await bed.node({ graceMs });
    const again = await bed.backUp();
    await again('restarted');
    for (const engine of [alone, other]) {
      const { outcome } = await until(() =>
        engine.start({ kind: 'errand', shard: 'a', account, input: {} }).catch(() => undefined),
      );
      expect(outcome).toBe('started');
    }
  });

  it('closes for a node that lived by the copy, has ended since, and whose journal is not at hand', async () => {
    const [engine, elsewhere] = [await bed.node({ graceMs: 400 }), await bed.node({ graceMs: 400 })];
    const restore = await bed.backUp();
    elsewhere.abandon();
    await restore('restarted');
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(problemOf(engine)).toMatch(
      /^is closed: its server was started anew, and node \S* ?\d+ has ended without having looked at it, and a node has ended/,
    );
    await bed.store.openAfterLoss(Date.now());
    await until(() => problemOf(engine) === undefined);
  });

  it('stays open where an operator opened it before, whichever server it is started on next', async () => {
    const ended = new Set(['gone']);
    (await bed.node({ graceMs, process: 'gone', ended: new Set() })).abandon();
    const restart = async (): Promise<void> => (await bed.backUp())('restarted');
    await restart();
    await bed.store.doubt('an operator has a look', Date.now());
    await bed.store.openAfterLoss(Date.now());
    await restart();
    const engine = await bed.node({ graceMs, ended });
    await until(async () => {
      const { nodes } = await bed.store.beat({ incarnation: 0, at: 0, mintedMs: 0, aheadMs: 0 });
      return nodes.some(({ process, stoppedAt }) => process === 'gone' && stoppedAt !== null);
    });
    expect(problemOf(engine)).toBeUndefined();
    expect((await bed.store.standing(0)).doubt).toBe(1);
  });

  it('stays open for a node that others declared dead before the server was started anew', async () => {
    const ended = new Set<string>();
    const engine = await bed.node({ graceMs, ended });
    const gone = await bed.node({ graceMs, process: 'gone', ended });
    gone.abandon();
    ended.add('gone');
    await until(async () => {
      const { nodes } = await bed.store.beat({ incarnation: 0, at: 0, mintedMs: 0, aheadMs: 0 });
      return nodes.some(({ process, stoppedAt }) => process === 'gone' && stoppedAt !== null);
    });
    const restore = await bed.backUp();
    await restore('restarted');
    const started = await until(() =>
      engine.start({ kind: 'errand', shard: 'a', account, input: {} }).catch(() => undefined),
    );
    expect(started.outcome).toBe('started');
    expect((await bed.store.standing(0)).doubt).toBe(0);
  });
});

describe('nodes on a new server', () => {
  const row = (incarnation: number, beats: number, more: Partial<NodeRow> = {}): NodeRow => ({
    ...{ incarnation, slot: 1, name: 'node', process: `process ${incarnation}`, beats, beatAt: 0 },
    ...{ stoppedAt: null, serverSince: null },
    ...more,
  });
  const peers = (ended: string[] = []) =>
    new PeerServerCheckTracker({ graceMs: 1_000, isProcessDead: (process) => ended.includes(process) });

  test('are awaited until each has beaten twice since it was listed first', () => {
    const watched = peers();
    watched.observe([row(1, 5), row(2, 5)], 0);
    expect(watched.isAwaited).toBe(false);
    watched.changed(10);
    expect([watched.observe([row(1, 5), row(2, 9)], 20), watched.isAwaited]).toEqual([false, true]);
    expect(watched.observe([row(1, 7), row(2, 10)], 30)).toBe(false);
    expect([watched.observe([row(1, 7), row(2, 11)], 40), watched.isAwaited]).toEqual([true, false]);
    expect(watched.observe([row(1, 7), row(2, 11)], 50)).toBe(false);
  });

  test('are not awaited once they have ended', () => {
    const ended: string[] = [];
    const watched = peers(ended);
    watched.changed(0);
    watched.observe([row(1, 5), row(2, 5)], 0);
    ended.push('process 1');
    expect(watched.observe([row(1, 5), row(2, 5, { stoppedAt: 1 })], 1)).toBe(true);
  });

  test('that a copy does not know are awaited for the grace time', () => {
    const watched = peers();
    watched.observe([row(1, 5)], 0);
    watched.changed(0);
    expect(watched.observe([], 999)).toBe(false);
    expect(watched.observe([], 1_001)).toBe(true);
  });

  test('are awaited anew when the server is changed once more', () => {
    const watched = peers();
    watched.changed(0);
    watched.observe([row(1, 5)], 0);
    watched.observe([row(1, 6)], 1);
    watched.changed(2);
    expect(watched.observe([row(1, 7)], 3)).toBe(false);
    expect(watched.observe([row(1, 9)], 4)).toBe(true);
  });
});
