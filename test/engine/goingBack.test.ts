import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { Beat, ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { type Bed, memoryBed, postgresBed } from './bed.ts';
import { withCommit, withLeave, withRead } from './commits.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 500;
const begin = async (engine: RamalEngine) => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const problemOf = (engine: RamalEngine) => engine.shardStates()[0]!.problem;
const isOpen = (engine: RamalEngine) => problemOf(engine) === undefined;

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a database that goes back, on %s', (_name, makeBed) => {
  let bed: Bed;
  /** What was done in the world at most once. */
  let done: string[];
  const performers = { once: async (call: EffectCall) => void done.push(call.id) };
  beforeEach(async () => {
    done = [];
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('closes the shard when commits that were acknowledged are gone, and does nothing a second time', async () => {
    const engine = await bed.node({ graceMs, performers });
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    await restore();
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(problemOf(engine)).toMatch(/acknowledged commits? of node \d+ (is|are) not in the database/);
    await expect(engine.send(ref, { type: 'ask', name: 'once' })).rejects.toThrow('is closed');
    expect(done).toHaveLength(1);
  });

  it('notices at the next commit, before the next heartbeat', async () => {
    const engine = await bed.node({ graceMs: 60_000, performers });
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'word', text: 'gone' });
    await restore();
    const late = engine.send(ref, { type: 'ask', name: 'once' }).catch(() => 'refused');
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(done).toEqual([]);
    engine.abandon();
    void late;
  });

  it('closes for a node that knows nothing of it, while another does', async () => {
    const [knowing, idle] = [
      await bed.node({ graceMs, performers }),
      await bed.node({ graceMs, performers }),
    ];
    const ref = await begin(knowing);
    const restore = await bed.backUp();
    await knowing.send(ref, { type: 'word', text: 'gone' });
    await restore();
    await until(
      () => problemOf(idle)?.startsWith('is closed') && problemOf(knowing)?.startsWith('is closed'),
    );
    await expect(begin(idle)).rejects.toThrow('is closed');
  });

  it('is not open as long as something outside speaks against its server, on any node', async () => {
    const [one, other] = [await bed.node({ graceMs, performers }), await bed.node({ graceMs, performers })];
    const ref = await begin(one);
    one.suspect('a', 'has a split brain');
    await until(() => !isOpen(one) && !isOpen(other));
    // Under load its heartbeat may be late for a moment, which is said first.
    await until(() => problemOf(one) === 'is checking: has a split brain; it opens when that is over');
    // The other confirms its own with every heartbeat.
    const { doubt } = await bed.store.standing(0);
    await until(async () => (await bed.store.openWhenAllConfirmed(doubt, 0)).missing.length === 1);
    await expect(begin(other)).rejects.toThrow('is being checked: ask again soon');
    one.suspect('a', undefined);
    await until(() => isOpen(one) && isOpen(other));
    expect((await one.send(ref, { type: 'word', text: 'on' })).outcome).toBe('stepped');
  });

  it('goes on by itself after a promotion that lost nothing, once all have confirmed', async () => {
    const [one, other] = [await bed.node({ graceMs }), await bed.node({ graceMs })];
    const refs = [await begin(one), await begin(other)];
    await bed.promote();
    await until(async () => (await bed.store.standing(0)).doubt === 1);
    await until(() => isOpen(one) && isOpen(other));
    for (const [index, ref] of refs.entries())
      expect((await [one, other][index]!.send(ref, { type: 'word', text: 'on' })).outcome).toBe('stepped');
    expect(await bed.store.standing(0)).toMatchObject({ state: 'open', doubt: 1, losses: 0 });
  });

  it('stays closed after a promotion while a node that held machines cannot confirm its writes', async () => {
    const ended = new Set<string>();
    const lost = await bed.node({ graceMs, process: 'lost', ended });
    const idle = await bed.node({ graceMs, ended });
    await begin(lost);
    lost.abandon();
    await bed.promote();
    ended.add('lost');
    await until(() => problemOf(idle)?.startsWith('is closed'));
    expect(problemOf(idle)).toContain('a node has ended that cannot confirm its writes');
  });

  it('closes the shard also where a heartbeat is the first to meet it, which knows nothing of its node', async () => {
    const restore = await bed.backUp();
    let goBack: (() => Promise<void>) | undefined;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) =>
          name === 'beat'
            ? async (beat: Beat) => {
                const back = goBack;
                goBack = undefined;
                await back?.();
                return target.beat(beat);
              }
            : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
      });
    const engine = await bed.node({ graceMs, through });
    await begin(engine);
    goBack = restore;
    await until(() => goBack === undefined);
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(problemOf(engine)).toContain('the database does not know node');
  });

  it('takes up what stands when an operator opens it, and writes again', async () => {
    const engine = await bed.node({ graceMs, performers });
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'word', text: 'gone' });
    await restore();
    await until(() => problemOf(engine)?.startsWith('is closed'));
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(() => isOpen(engine));
    await until(
      async () =>
        (await engine.send(ref, { type: 'word', text: 'after' }).catch(() => undefined))?.outcome ===
        'stepped',
    );
    expect(contextOf(await engine.view(ref)).words).not.toContain('gone');
    expect(contextOf(await engine.view(ref)).words).toContain('after');
  });

  it('tells the node that joins anew the fact of a step that was under way, once', async () => {
    let goBack: (() => Promise<void>) | undefined;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const back = goBack;
        goBack = undefined;
        if (!back) return store.commit(lane, batch, at, ticket);
        await back();
        throw new Error('the connection broke');
      });
    const engine = await bed.node({ graceMs, through });
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'word', text: 'gone' });
    goBack = restore;
    engine.report(ref, { type: 'word', text: 'told' });
    await until(() => problemOf(engine)?.startsWith('is closed'));
    engine.report(ref, { type: 'word', text: 'and told' });
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(async () => contextOf(await engine.view(ref)).words.includes('and told'));
    expect(contextOf(await engine.view(ref)).words).toEqual(['told', 'and told']);
  });

  it('tells it none that a step has heard which stands, though its reply was lost', async () => {
    let reply: 'lost' | undefined;
    const kept: { restore?: () => Promise<void> } = {};
    let isAway = false;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withRead(
        withCommit(store, async (lane, batch, at, ticket) => {
          const now = reply;
          reply = undefined;
          const written = await store.commit(lane, batch, at, ticket);
          if (now === undefined) return written;
          kept.restore = await bed.backUp();
          isAway = true;
          throw new Error('the connection broke');
        }),
        async (keys) => {
          if (isAway) throw new Error('the connection broke');
          return store.read(keys);
        },
      );
    const engine = await bed.node({ graceMs, through });
    const ref = await begin(engine);
    const others = await Promise.all(Array.from({ length: 8 }, () => begin(engine)));
    reply = 'lost';
    engine.report(ref, { type: 'word', text: 'told' });
    await until(() => kept.restore !== undefined);
    // By the lane of the first nothing goes now.
    await Promise.any(others.map((other) => engine.send(other, { type: 'word', text: 'gone' })));
    await kept.restore!();
    await until(() => problemOf(engine)?.startsWith('is closed'));
    isAway = false;
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(() => isOpen(engine));
    await engine.send(ref, { type: 'word', text: 'after' });
    expect(contextOf(await engine.view(ref)).words).toEqual(['told', 'after']);
  });

  it('leaves for another node, after it joined anew, the fact that it could not leave before', async () => {
    let isAway = false;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withLeave(store, async (rows, ticket) => {
        if (isAway) throw new Error('the connection broke');
        return store.leave(rows, ticket);
      });
    const [holder, other] = [await bed.node({ graceMs }), await bed.node({ graceMs, through })];
    const ref = await begin(holder);
    const restore = await bed.backUp();
    await holder.send(ref, { type: 'word', text: 'gone' });
    isAway = true;
    other.report(ref, { type: 'word', text: 'told' });
    await until(() => other.shardStates()[0]?.problem?.includes('leaving events'));
    await restore();
    await until(
      () => problemOf(holder)?.startsWith('is closed') && problemOf(other)?.startsWith('is closed'),
    );
    isAway = false;
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(async () => contextOf(await holder.view(ref)).words.includes('told'));
  });

  it('stays open when a reply is lost, whether the commit stands or not', async () => {
    let fate: 'lands' | 'never' | undefined;
    const engine = await bed.node({
      graceMs,
      through: (store) =>
        withCommit(store, async (lane, batch, at, ticket) => {
          const now = fate;
          fate = undefined;
          if (now !== 'never') {
            const written = await store.commit(lane, batch, at, ticket);
            if (now === undefined) return written;
          }
          throw new Error('the connection broke');
        }),
    });
    const ref = await begin(engine);
    for (const how of ['lands', 'never', 'lands'] as const) {
      fate = how;
      await engine.send(ref, { type: 'word', text: how });
    }
    expect(contextOf(await engine.view(ref)).words).toEqual(['lands', 'never', 'lands']);
    expect(await bed.store.standing(0)).toMatchObject({ state: 'open', doubt: 0 });
  });
});
