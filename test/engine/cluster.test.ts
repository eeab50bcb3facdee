import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { type EffectCall, Retryable } from '../../src/engine/contract/performer.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { aLostReply, withCommit } from './commits.ts';
import { contextOf, errand } from './errand.ts';
import { timeOfId } from '../../src/engine/contract/idGenerator.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const begin = async (engine: RamalEngine, input: object = {}) => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const never = () => new Promise<never>(() => {});
const words = async (engine: RamalEngine, ref: { shard: string; account: number; id: number }) =>
  contextOf(await engine.view(ref)).words;

const problemOf = (engine: RamalEngine): string | undefined => engine.shardStates()[0]!.problem;
/** A store of which one verb fails while `database` does not serve it. */
const failing =
  (verb: keyof ShardMachineStore, database: { serves: boolean }) =>
  (store: ShardMachineStore): ShardMachineStore =>
    new Proxy(store, {
      get: (target, name) =>
        name === verb && !database.serves
          ? () => Promise.reject(new Error('the connection broke'))
          : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
    });

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('several nodes on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('does not say that an event was left for another node where it ended before that was written', async () => {
    let tries = 0;
    const away = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) =>
          name === 'leave'
            ? () => Promise.reject(new Error(`connection lost ${(tries += 1)}`))
            : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
      });
    const [one, other] = [await bed.node(), await bed.node({ through: away })];
    const ref = await begin(one);
    const told = other.send(ref, { type: 'word', text: 'from afar' }).catch((error: unknown) => error);
    await until(async () => tries > 0);
    other.abandon();
    expect(await told).toMatchObject({ message: 'the service is stopping' });
    expect(await words(one, ref)).not.toContain('from afar');
  });

  it('hands an event to the node that holds the machine instead of stealing it', async () => {
    const [one, other] = [await bed.node(), await bed.node()];
    const ref = await begin(one);
    expect(await other.send(ref, { type: 'word', text: 'from afar' })).toEqual({ outcome: 'left' });
    await until(async () => (await words(one, ref)).length > 0);
    expect((await bed.store.read([ref]))[0]!.heldBy).toBe(one.shards.get('a')!.membership.incarnation);
  });

  it('takes up the machines of a process that ended: timers fire, waiting states are told', async () => {
    const ended = new Set<string>();
    const adopted: number[] = [];
    const performers = { adopt: async (call: EffectCall) => void adopted.push(call.machine.id) };
    const one = await bed.node({ process: 'one', ended });
    const ref = await begin(one);
    await one.send(ref, { type: 'wait' });
    one.abandon();
    ended.add('one');
    const other = await bed.node({ process: 'other', ended, performers });
    await until(async () => (await words(other, ref)).includes('deadline ended'));
    expect(await words(other, ref)).toEqual(['taken up', 'deadline ended']);
    expect(adopted).toEqual([ref.id]);
    expect((await other.history(ref, 0, 10)).map(({ event }) => event).slice(0, 4)).toEqual([
      'started',
      'wait',
      'takenOver',
      'takenOver',
    ]);
  });

  it('repeats what may be repeated after a crash, and reports what may not as unknown', async () => {
    const ended = new Set<string>();
    const done: string[] = [];
    const one = await bed.node({ process: 'one', ended, performers: { fetch: never, once: never } });
    const ref = await begin(one);
    await one.send(ref, { type: 'ask', name: 'fetch' });
    await one.send(ref, { type: 'ask', name: 'once' });
    one.abandon();
    ended.add('one');
    const performers = {
      fetch: async (call: EffectCall) => {
        done.push(`${call.name} ${call.id}`);
        return { events: [{ type: 'fetched', text: 'bread' }] };
      },
      once: async (call: EffectCall) => void done.push(call.name),
    };
    const other = await bed.node({ process: 'other', ended, performers });
    await until(async () => (await words(other, ref)).length === 2);
    expect((await words(other, ref)).toSorted()).toEqual(['fetched bread', 'unknown once']);
    expect(done).toEqual([`fetch a.${account}.${ref.id}.2.0`]);
  });

  it('takes up a silent node after the grace time, and the silent one learns of it when it wakes', async () => {
    const silence = { on: false };
    const through = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) =>
          silence.on
            ? () => Promise.reject(new Error('asleep'))
            : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
      });
    const sleeper = await bed.node({ graceMs: 500, through });
    const ref = await begin(sleeper);
    await sleeper.send(ref, { type: 'word', text: 'before' });
    silence.on = true;
    const other = await bed.node({ graceMs: 500 });
    await until(async () => (await other.send(ref, { type: 'word', text: 'after' })).outcome === 'stepped');
    silence.on = false;
    await until(async () => (await sleeper.send(ref, { type: 'word', text: 'woken' })).outcome === 'left');
    await until(async () => (await words(other, ref)).includes('woken'));
    const heard = await words(other, ref);
    expect(heard[0]).toBe('before');
    expect(heard.filter((word) => word === 'before' || word === 'woken')).toHaveLength(2);
  });

  it.each([
    ['begin', 'fetched bread'],
    ['cancel', 'failed cancelled'],
  ] as const)(
    "carries out an operator's order to %s an effect at the node that holds the machine",
    async (order, heard) => {
      let asked = 0;
      const fetch = async () => {
        if ((asked += 1) === 1) throw new Retryable('not now', { afterMs: 60_000 });
        return { events: [{ type: 'fetched', text: 'bread' }] };
      };
      const [one, other] = [await bed.node({ performers: { fetch } }), await bed.node()];
      const ref = await begin(one);
      await one.send(ref, { type: 'ask', name: 'fetch' });
      await until(async () => (await one.view(ref))!.agenda.some(({ isWaiting }) => isWaiting));
      const { id } = (await one.view(ref))!.agenda.find(({ what }) => what === 'effect')!;
      expect(await other.orderEffect(ref, 'none', order)).toBe('left');
      expect(await other.orderEffect(ref, id, order)).toBe('left');
      await until(async () => (await words(one, ref)).length > 0);
      expect(await words(one, ref)).toEqual([heard]);
      expect(await one.orderEffect(ref, id, order)).toBe('refused');
    },
  );

  it('does nothing for a caller who has given up, after another asked for something else', async () => {
    const database = { serves: false };
    const through = failing('leave', database);
    const [one, other] = [await bed.node(), await bed.node({ through })];
    const ref = await begin(one);
    await expect(other.send(ref, { type: 'word', text: 'pause' })).rejects.toThrow('in time');
    await one.send(ref, { type: 'word', text: 'go on' });
    database.serves = true;
    expect((await other.send(ref, { type: 'word', text: 'last' })).outcome).toBe('left');
    await until(async () => (await words(one, ref)).includes('last'));
    expect(await words(one, ref)).toEqual(['go on', 'last']);
  });

  it('is ready again once the caller of what it could not leave has given up', async () => {
    const database = { serves: false };
    const [one, other] = [await bed.node(), await bed.node({ through: failing('leave', database) })];
    const ref = await begin(one);
    const told = other.send(ref, { type: 'word', text: 'pause' }).catch((error: unknown) => error);
    await until(async () => problemOf(other)?.includes('leaving events') === true);
    expect(await told).toMatchObject({ message: expect.stringContaining('in time') as string });
    database.serves = true;
    await until(async () => problemOf(other) === undefined);
    expect(await words(one, ref)).toEqual([]);
  });

  it('is ready again once it knows what became of a start, also where nothing is to be written then', async () => {
    const database = { serves: true };
    const [one, other] = [await bed.node(), await bed.node({ through: failing('claims', database) })];
    const wish = { kind: 'errand', shard: 'a', account, input: {}, claims: [{ key: 'key', forMs: 60_000 }] };
    expect(await one.start(wish)).toMatchObject({ outcome: 'started' });
    database.serves = false;
    const asked = other.start(wish);
    await until(async () => problemOf(other) !== undefined);
    database.serves = true;
    expect(await asked).toMatchObject({ outcome: 'claimed' });
    await until(async () => problemOf(other) === undefined);
  });

  it('mints no id beyond what a heartbeat has reserved, also in a burst: who has its slot next goes on above that', async () => {
    let reservedMs = 0;
    const beat =
      (store: ShardMachineStore): ShardMachineStore['beat'] =>
      (told) => {
        reservedMs = told.mintedMs;
        return store.beat(told);
      };
    const through = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) =>
          name === 'beat'
            ? beat(target)
            : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
      });
    const engine = await bed.node({ through });
    let last = 0;
    for (let minted = 0; minted < 30_000; minted += 1) last = engine.mintId('a');
    expect(timeOfId(last)).toBeLessThan(reservedMs);
  });

  it('acknowledges a commit whose reply was lost, and steps once', async () => {
    const reply = aLostReply();
    const engine = await bed.node({ through: reply.through });
    const ref = await begin(engine);
    reply.loseNext();
    expect(await engine.send(ref, { type: 'word', text: 'once' })).toEqual({
      outcome: 'stepped',
      state: 'open',
    });
    reply.loseNext();
    const born = await begin(engine);
    expect(await words(engine, ref)).toEqual(['once']);
    expect(await words(engine, born)).toEqual([]);
    expect((await engine.history(ref, 0, 10)).filter(({ event }) => event === 'word')).toHaveLength(1);
  });

  it('recognises a commit that lands after it was given up', async () => {
    let late: (() => Promise<unknown>) | null = null;
    let reads = 0;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(
        withCommit(store, (lane, batch, at, ticket) => {
          if (late || batch[0]!.insert || reads > 0) return store.commit(lane, batch, at, ticket);
          late = () => store.commit(lane, batch, at, ticket);
          return Promise.reject(new Error('connection reset'));
        }),
        {
          get: (target, name) => {
            if (name !== 'read')
              return (target[name as keyof ShardMachineStore] as () => unknown).bind(target);
            return async (keys: never) => {
              const rows = await store.read(keys);
              if (late && reads++ === 0) await late();
              return rows;
            };
          },
        },
      );
    const engine = await bed.node({ through });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'word', text: 'once' });
    expect(await words(engine, ref)).toEqual(['once']);
  });

  it('hears in their order what came while a commit was given up that lands after all', async () => {
    const said = Array.from({ length: 8 }, (_, nth) => `word ${nth}`);
    const turn = () => new Promise((resolve) => void setImmediate(resolve));
    let late: (() => Promise<unknown>) | undefined;
    let tries = 0;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const write = () => store.commit(lane, batch, at, ticket);
        const text = batch[0]!.insert ? undefined : said[(tries += 1)];
        if (text === undefined) return write();
        // While this one is under way the next word comes.
        engine.report(ref, { type: 'word', text });
        await turn();
        if (tries === 1) {
          late = write;
          throw new Error('connection reset');
        }
        if (tries === 2) await late!();
        return write();
      });
    const engine = await bed.node({ through });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'word', text: said[0] });
    await until(async () => (await words(engine, ref)).length === said.length);
    expect(await words(engine, ref)).toEqual(said);
  });

  it('finds the one machine whose data is refused and writes the others', async () => {
    const engine = await bed.node({
      through: (store) =>
        withCommit(store, (lane, batch, at, ticket) => store.commit(lane, batch.map(poisonSome), at, ticket)),
    });
    const refs = await Promise.all(Array.from({ length: 20 }, () => begin(engine)));
    const results = await Promise.allSettled(
      refs.map((ref, index) => engine.send(ref, { type: 'word', text: index === 13 ? 'poison' : 'fine' })),
    );
    expect(results.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(results[13]!.status).toBe('rejected');
    for (const [index, ref] of refs.entries())
      expect(await words(engine, ref)).toEqual(index === 13 ? [] : ['fine']);
    await engine.send(refs[13]!, { type: 'word', text: 'goes on' });
    expect(await words(engine, refs[13]!)).toEqual(['goes on']);
  });

  it('waits for a database that is away, answers 503 meanwhile, and goes on by itself', async () => {
    const away = { on: false };
    const through = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) =>
          away.on
            ? () => Promise.reject(new Error('ECONNREFUSED'))
            : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
      });
    const engine = await bed.node({ through });
    const ref = await begin(engine);
    away.on = true;
    engine.report(ref, { type: 'word', text: 'a fact' });
    await expect(begin(engine)).rejects.toThrow('in time');
    away.on = false;
    await until(async () => (await words(engine, ref)).includes('a fact'));
    expect(await engine.send(ref, { type: 'word', text: 'and on' })).toEqual({
      outcome: 'stepped',
      state: 'open',
    });
  });

  it('shares machines between two nodes without stepping one twice', async () => {
    const nodes = [await bed.node(), await bed.node()];
    const refs = await Promise.all(Array.from({ length: 200 }, (_, index) => begin(nodes[index % 2]!)));
    await Promise.all(
      refs.flatMap((ref) =>
        [1, 2, 3, 4, 5].map((word) => nodes[word % 2]!.send(ref, { type: 'word', text: String(word) })),
      ),
    );
    for (const ref of refs) {
      await until(async () => (await words(nodes[0]!, ref)).length === 5);
      expect((await words(nodes[0]!, ref)).toSorted()).toEqual(['1', '2', '3', '4', '5']);
    }
  });

  it('leaves machines of unknown chart versions alone and names them', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await engine.stop();
    const successor = { ...errand, versions: { 2: errand.versions[1]! }, current: 2 };
    const { RamalEngine } = await import('../../src/engine/engine.ts');
    const {
      hostClock,
      noopWakeUpHints: noHints,
      noopEngineLog: noLog,
      noopEngineMetrics: noMetrics,
    } = await import('../../src/engine/contract/ports.ts');
    const membership = { name: 't', process: 'later', isProcessDead: () => false, graceMs: 500 };
    const later = new RamalEngine({
      kinds: [successor],
      shards: [
        {
          name: 'a',
          store: bed.store,
          performers: {},
          clock: hostClock,
          random: Math.random,
          hints: noHints,
          metrics: noMetrics,
          log: noLog,
          cachedMachines: 10,
          membership,
        },
      ],
    });
    await later.open();
    expect(later.versions).toEqual(new Set(['errand:2']));
    expect(await later.send(ref, { type: 'word', text: 'kept' })).toEqual({ outcome: 'left' });
    expect((await bed.store.read([ref]))[0]!.revision).toBe(1);
    later.abandon();
  });
});

/** A payload that the database refuses, in the machine that asked for it. */
const poisonSome = (write: MachineWrite): MachineWrite => ({
  ...write,
  history: write.history.map((entry) =>
    entry.payload?.includes('poison') ? { ...entry, payload: `${entry.payload}\u0000` } : entry,
  ),
});
