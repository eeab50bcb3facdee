/** What a node says of each of its shards: `/readyz`, and whom it turns away, are made of it. */
import { afterEach, describe, expect, it } from 'vitest';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  hostClock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
} from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { UnknownShard, Unavailable } from '../../src/engine/contract/api.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import { errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

/** A shard in memory whose database can be taken away. */
const aShard = (name: string, broken: { away: boolean; readOnly?: boolean }) => {
  const store = new MemoryStore([errand], () => Date.now(), new MemoryTables());
  const writes = new Set(['beat', 'register', 'commit']);
  const through = new Proxy(store, {
    get: (target, property) => {
      const value = Reflect.get(target, property) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown =>
        broken.away || (broken.readOnly && writes.has(String(property)))
          ? Promise.reject(new Error('connection terminated'))
          : Reflect.apply(value, target, given);
    },
  });
  return {
    ...{ name, store: through as ShardMachineStore, performers: {}, clock: hostClock, random: Math.random },
    ...{ hints: noopWakeUpHints, metrics: noopEngineMetrics, log: noopEngineLog, cachedMachines: 10 },
    membership: { name: 'test', process: 'this', isProcessDead: () => false, graceMs: 1_000 },
  };
};

const engines: RamalEngine[] = [];
const anEngine = async (...shards: ReturnType<typeof aShard>[]): Promise<RamalEngine> => {
  const engine = new RamalEngine({ kinds: [errand], shards });
  engines.push(engine);
  await engine.open();
  return engine;
};
afterEach(() => engines.splice(0).forEach((engine) => engine.abandon()));

const start = (engine: RamalEngine, shard: string) =>
  engine.start({ kind: errand.name, shard, account: 1, input: {} });

describe('the state of a shard', () => {
  it('has no problem once it was joined, and names one while its database is away', async () => {
    const b = { away: true };
    const engine = await anEngine(aShard('a', { away: false }), aShard('b', b));
    expect(engine.shardStates()).toEqual([
      { shard: 'a' },
      { shard: 'b', problem: 'has not answered since this node started' },
    ]);
    b.away = false;
    await until(() => engine.shardStates().every(({ problem }) => problem === undefined));
    b.away = true;
    await until(() => engine.shardStates()[1]?.problem?.includes('no heartbeat'));
    expect(engine.shardStates()[0]).toEqual({ shard: 'a' });
  });

  it('is a problem while its database reads and refuses writes', async () => {
    const a = { away: false, readOnly: false };
    const engine = await anEngine(aShard('a', a));
    a.readOnly = true;
    await until(() => engine.shardStates()[0]?.problem?.includes('heartbeat'));
    a.readOnly = false;
    await until(() => engine.shardStates()[0]?.problem === undefined);
  });

  it('says that the service is stopping when it is, and of no shard that is away', async () => {
    const engine = await anEngine(aShard('a', { away: false }), aShard('b', { away: true }));
    const away = await start(engine, 'b').catch((error: unknown) => error);
    expect(away).toBeInstanceOf(Unavailable);
    expect(String(away)).toContain('shard b, which holds this account, does not answer');
    expect(() => engine.mintId('b')).toThrow(Unavailable);
    await engine.stop();
    await expect(start(engine, 'a')).rejects.toThrow('the service is stopping');
    expect(engine.shardStates()[0]?.problem).toContain('the service is stopping');
  });

  it('is unknown for a shard that was never given, and that passes like one that is away', async () => {
    const engine = await anEngine(aShard('a', { away: false }));
    await expect(start(engine, 'c')).rejects.toThrow(UnknownShard);
    expect(() => engine.mintId('c')).toThrow('shard c, which holds this account, is not served here');
  });
});
