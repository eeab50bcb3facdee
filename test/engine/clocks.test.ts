/** Clocks are set, machines are suspended: timers keep their time, who lives is not buried, what is old does not begin. */
import { assign, setup } from 'xstate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declareEffect, type EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  type Clock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
} from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import { World } from '../simulation/world.ts';

const EPOCH = 1_800_000_000_000;
const GRACE_MS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const waitMs = 30_000;
const account = 7;

interface Context {
  rung: number;
}
type Event = ({ type: 'wait' } | { type: 'dial' } | { type: 'unused' }) & EventTimestamp;

/** Waits for half a minute when it is told to, and dials. */
const machine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as EventTimestamp },
  actions: { dial: declareEffect<object>() },
  delays: { deadline: waitMs },
}).createMachine({
  id: 'watch',
  context: { rung: 0 },
  initial: 'idle',
  states: {
    idle: { on: { wait: 'waiting', dial: { actions: { type: 'dial', params: {} } } } },
    waiting: {
      after: { deadline: { target: 'idle', actions: assign({ rung: ({ context }) => context.rung + 1 }) } },
    },
  },
});

const watch: Kind = {
  name: 'watch',
  versions: { 1: machine },
  current: 1,
  effects: { dial: { delivery: 'atMostOnce', timeoutMs: 5_000 } },
  operatorEvents: [],
};

/** Between a process and its database. */
const wireMs = 5;

let world: World;
let store: MemoryStore;
/** How far the database's clock was set from the truth. */
let databaseSet: number;
/** Incarnations declared dead, and how many joined. */
let buried: number;
let joined: number;
let jumps: string[];
let hosts: Host[];

/** A machine with one process. */
class Host {
  engine!: RamalEngine;
  dialled: number[] = [];
  /** How far its wall clock was set from the truth. */
  wallSet = 0;
  /** Whether it counts the time since boot. */
  countsBoot = true;
  /** Nothing of it goes on: its wall clock and what counts since boot neither. */
  freezes = false;
  #sleepsUntil = 0;
  #slept = 0;
  #frozen = 0;
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  readonly clock: Clock = {
    monotonic: () => this.#offset + world.now - this.#slept,
    wall: () => EPOCH + world.now + this.wallSet - this.#frozen,
    sinceBoot: () => (this.countsBoot ? this.#offset + world.now - this.#frozen : undefined),
    after: (ms, run) => this.reach(this.clock.monotonic() + Math.max(0, ms), run),
    soon: (run) => void this.reach(-Infinity, run),
    load: () => 0,
  };

  /** Its process stops, and its clocks go on. */
  pause(ms: number): void {
    this.#sleepsUntil = world.now + ms;
  }

  suspend(ms: number): void {
    this.#sleepsUntil = world.now + ms;
    this.#slept += ms;
    if (this.freezes) this.#frozen += ms;
  }

  /** Runs when it is awake and its monotonic clock has come so far. */
  reach(monotonic: number, run: () => void): () => void {
    let wanted = true;
    const arrive = (): void => {
      if (!wanted) return;
      const leftMs = monotonic - this.clock.monotonic();
      if (world.now < this.#sleepsUntil) world.at(this.#sleepsUntil, arrive);
      else if (leftMs > 1e-6) world.after(leftMs, arrive);
      else run();
    };
    world.after(Math.max(0, monotonic - this.clock.monotonic()), arrive);
    return () => void (wanted = false);
  }

  /** The store over the wire: questions that were sent arrive, answers are heard when it is awake. */
  get #store(): ShardMachineStore {
    return new Proxy<ShardMachineStore>(store, {
      get: (_target, name: keyof ShardMachineStore) => {
        const ask = (store[name] as (...asked: unknown[]) => Promise<unknown>).bind(store);
        return (...asked: unknown[]) =>
          new Promise((resolve, reject) => {
            world.after(wireMs, () => {
              ask(...asked).then((answer) => {
                if (name === 'declareDead' && answer === true) buried += 1;
                if (name === 'register') joined += 1;
                world.after(wireMs, () => void this.reach(-Infinity, () => resolve(answer)));
              }, reject);
            });
          });
      },
    });
  }

  async join(process: string): Promise<void> {
    this.engine = new RamalEngine({
      kinds: [watch],
      shards: [
        {
          ...{ name: 'a', clock: this.clock, random: () => 0.5, hints: noopWakeUpHints, log: noopEngineLog },
          store: this.#store,
          metrics: { ...noopEngineMetrics, jumped: (of) => void jumps.push(`${process}: ${of}`) },
          performers: { dial: async (call) => void this.dialled.push(call.machine.id) },
          cachedMachines: 1_000,
          membership: { name: process, process, isProcessDead: () => false, graceMs: GRACE_MS },
        },
      ],
    });
    let isOpen = false;
    const open = this.engine.open().then(() => (isOpen = true));
    await pass(1_000);
    while (!isOpen) await pass(100);
    await open;
  }

  get now(): number {
    return this.engine.now('a') - EPOCH - world.now;
  }
}

const pass = (ms: number): Promise<void> => world.run(world.now + ms);

const join = async (process = `process ${hosts.length}`): Promise<Host> => {
  const host = new Host(1e6 * hosts.length);
  hosts.push(host);
  await host.join(process);
  return host;
};

const born = async (host: Host): Promise<{ shard: string; account: number; id: number }> => {
  const begun = host.engine.start({ shard: 'a', account, kind: 'watch', input: {} });
  await pass(100);
  return ((await begun) as { ref: { shard: string; account: number; id: number } }).ref;
};

const rung = async (host: Host, ref: { shard: string; account: number; id: number }): Promise<number> => {
  const view = host.engine.view(ref);
  await pass(50);
  return ((await view)!.context as Context).rung;
};

beforeEach(() => {
  world = new World();
  databaseSet = 0;
  buried = 0;
  joined = 0;
  jumps = [];
  hosts = [];
  store = new MemoryStore([watch], () => EPOCH + world.now + databaseSet, new MemoryTables());
});
afterEach(() => {
  for (const { engine } of hosts) engine.abandon();
});

/** So far may nodes be apart whose machine was suspended without a word. */
const BEHIND_MS = GRACE_MS / 2;

const steps = [-HOUR_MS, -MINUTE_MS, -1_500, -300, 300, 1_500, MINUTE_MS, 9 * MINUTE_MS];

describe('a database whose clock is set', () => {
  it.each(steps)('by %i ms leaves timers their time', async (byMs) => {
    const host = await join();
    const [ref, later] = [await born(host), await born(host)];
    void host.engine.send(ref, { type: 'wait' });
    await pass(waitMs / 2);
    void host.engine.send(later, { type: 'wait' });
    await pass(1_000);
    databaseSet += byMs;
    await pass(waitMs / 2 - 2_000);
    expect(await rung(host, ref)).toBe(0);
    await pass(1_500);
    expect(await rung(host, ref)).toBe(1);
    await pass(waitMs / 2 - 2_000);
    expect(await rung(host, later)).toBe(0);
    await pass(2_500);
    expect(await rung(host, later)).toBe(1);
  });

  it.each(steps)(
    'by %i ms buries nobody who lives, of those who are there and those who join',
    async (byMs) => {
      await join();
      await join();
      databaseSet += byMs;
      await pass(500);
      await join();
      await pass(MINUTE_MS);
      await join();
      await pass(2 * MINUTE_MS);
      expect({ buried, joined }).toEqual({ buried: 0, joined: 4 });
    },
  );

  it.each(steps)('by %i ms leaves those who join later at the time of those who are there', async (byMs) => {
    const one = await join();
    databaseSet += byMs;
    await pass(5_000);
    const other = await join();
    expect(Math.abs(other.now - one.now)).toBeLessThan(50);
    await pass(10 * MINUTE_MS);
    expect(Math.abs(other.now - one.now)).toBeLessThan(50);
  });

  it.each(steps)('by %i ms leaves one who joins at the same moment at about their time', async (byMs) => {
    const one = await join();
    await pass(1_900);
    databaseSet += byMs;
    const other = await join();
    expect(Math.abs(other.now - one.now)).toBeLessThan((1.5 * GRACE_MS) / 5 + 50);
  });

  it.each([-MINUTE_MS, 9 * MINUTE_MS])(
    'by %i ms leaves one who joins at the time of a node that beats, though the last that beat before is paused',
    async (byMs) => {
      const [one, paused] = [await join(), await join()];
      // Behind the other, so that its heartbeats do not look like the latest ones.
      one.freezes = true;
      one.suspend(BEHIND_MS);
      await pass(BEHIND_MS + GRACE_MS / 5);
      databaseSet += byMs;
      paused.pause(GRACE_MS / 2);
      const other = await join();
      expect(Math.abs(other.now - one.now)).toBeLessThan(500);
      expect(buried).toBe(0);
    },
  );

  it('lets no claim of a node that was paused meanwhile end earlier for one who joined', async () => {
    const one = await join();
    await pass(1_900);
    one.pause(GRACE_MS / 2 + 2_000);
    databaseSet += 9 * MINUTE_MS;
    const other = await join();
    await pass(GRACE_MS / 2 + 2_000);
    expect(buried).toBe(0);
    expect(other.now - one.now).toBeGreaterThan(8 * MINUTE_MS);
    const claims = [{ key: 'number', forMs: 5 * MINUTE_MS }];
    const claim = async (host: Host): Promise<string> => {
      const begun = host.engine.start({ shard: 'a', account, kind: 'watch', input: {}, claims });
      await pass(100);
      return (await begun).outcome;
    };
    expect(await claim(one)).toBe('started');
    await pass(4 * MINUTE_MS);
    expect(await claim(other)).toBe('claimed');
    await pass(MINUTE_MS + GRACE_MS);
    expect(await claim(other)).toBe('started');
  });

  it('is followed slowly, and time never goes back', async () => {
    const host = await join();
    databaseSet -= MINUTE_MS;
    let last = host.engine.now('a');
    for (let second = 0; second < 7_000; second += 1) {
      await pass(1_000);
      const now = host.engine.now('a');
      expect(now - last).toBeGreaterThan(950);
      expect(now - last).toBeLessThan(1_050);
      last = now;
    }
    expect(Math.abs(host.now - databaseSet)).toBeLessThan(50);
  });

  it('does not take time back at the moment it is asked for, either', async () => {
    const host = await join();
    databaseSet -= MINUTE_MS;
    let last = host.engine.now('a');
    for (let look = 0; look < 4_000; look += 1) {
      await pass(5);
      expect(host.engine.now('a')).toBeGreaterThanOrEqual(last);
      last = host.engine.now('a');
    }
  });

  it('is reported once, by each node', async () => {
    await join();
    await join();
    databaseSet -= MINUTE_MS;
    await pass(MINUTE_MS);
    expect(jumps.toSorted()).toEqual(['process 0: database', 'process 1: database']);
    databaseSet += 300;
    await pass(MINUTE_MS);
    expect(jumps).toHaveLength(2);
  });

  it('back by minutes while nobody runs does not let timers wait for it', async () => {
    const one = await join();
    const ref = await born(one);
    void one.engine.send(ref, { type: 'wait' });
    await pass(1_000);
    const stopping = one.engine.stop();
    await pass(1_000);
    await stopping;
    databaseSet -= 5 * MINUTE_MS;
    const other = await join();
    await pass(GRACE_MS + waitMs);
    expect(await rung(other, ref)).toBe(1);
  });

  it.each([-HOUR_MS, HOUR_MS])('by an hour (%i) while nobody runs is believed', async (byMs) => {
    const one = await join();
    const stopping = one.engine.stop();
    await pass(1_000);
    await stopping;
    databaseSet += byMs;
    const other = await join();
    expect(Math.abs(other.now - byMs)).toBeLessThan(50);
  });

  it('forward by more than ten minutes is believed slowly, when the wall clock says otherwise', async () => {
    const host = await join();
    databaseSet += 1_000 * HOUR_MS;
    await pass(MINUTE_MS);
    expect(host.now).toBeLessThan(1_000);
  });

  it('forward by more than ten minutes is believed at once, when the wall clock agrees', async () => {
    const host = await join();
    host.wallSet += HOUR_MS + 1_000;
    databaseSet += HOUR_MS;
    await pass(5_000);
    expect(Math.abs(host.now - HOUR_MS)).toBeLessThan(50);
  });
});

describe('a node that dies', () => {
  it('is taken for dead when its heartbeats have stood still for a grace time, whatever the clocks say', async () => {
    const [one, other] = [await join(), await join()];
    const ref = await born(one);
    await pass(4_000);
    one.engine.abandon();
    databaseSet -= MINUTE_MS;
    await pass(GRACE_MS - GRACE_MS / 5 - 100);
    expect(buried).toBe(0);
    await pass((2 * GRACE_MS) / 5 + 200);
    expect(buried).toBe(1);
    await pass(1_000);
    expect((await store.read([ref]))[0]!.heldBy).toBe(other.engine.shards.get('a')!.membership.incarnation);
  });

  it('is watched anew by one who was away itself', async () => {
    const [one, other] = [await join(), await join()];
    await pass(4_000);
    one.engine.abandon();
    other.suspend(HOUR_MS);
    await pass(HOUR_MS + GRACE_MS - 100);
    expect(buried).toBe(0);
    await pass(GRACE_MS / 2);
    expect(buried).toBe(1);
  });
});

describe('a machine that was suspended', () => {
  /** It sends the commit that asks for a dial, and sleeps before it hears of it. */
  const sleepsBeforeDial = async (host: Host, ms: number): Promise<{ id: number }> => {
    const ref = await born(host);
    host.engine.send(ref, { type: 'dial' }).catch(() => {});
    await pass(wireMs + 2);
    host.suspend(ms);
    return ref;
  };

  it.each([
    ['counts the time since boot', true],
    ['has its wall clock only', false],
  ])('begins nothing that others have taken up meanwhile: it %s', async (_how, countsBoot) => {
    const [one, other] = [await join(), await join()];
    one.countsBoot = countsBoot;
    await pass(5_000);
    const { id } = await sleepsBeforeDial(one, 30_000);
    await pass(29_000);
    expect(buried).toBe(1);
    await pass(10_000);
    expect({ one: one.dialled, other: other.dialled }).toEqual({ one: [], other: [] });
    const { agenda } = (await store.read([{ account, id }]))[0]!;
    expect(agenda).toBe('[]');
  });

  it('renews what it had committed before it begins, when nobody took it up', async () => {
    const one = await join();
    await pass(5_000);
    const { id } = await sleepsBeforeDial(one, 30_000);
    await pass(32_000);
    expect(one.dialled).toEqual([id]);
    // Its birth, the wish, the renewal, the acceptance.
    expect((await store.read([{ account, id }]))[0]!.revision).toBe(4);
  });

  it.each([true, false])(
    'has the time of the others when it wakes (counts since boot: %s)',
    async (countsBoot) => {
      const [one, other] = [await join(), await join()];
      one.countsBoot = countsBoot;
      await pass(5_000);
      one.suspend(8 * HOUR_MS);
      await pass(8 * HOUR_MS + 5_000);
      expect(Math.abs(one.now - other.now)).toBeLessThan(50);
      expect(jumps).toContain('process 0: machine');
    },
  );

  it('fires at once what came due while it slept', async () => {
    const one = await join();
    const ref = await born(one);
    void one.engine.send(ref, { type: 'wait' });
    await pass(5_000);
    one.suspend(MINUTE_MS);
    await pass(MINUTE_MS + 3_000);
    expect(await rung(one, ref)).toBe(1);
  });

  it('learns it from the database when all its clocks stood still', async () => {
    const one = await join();
    one.freezes = true;
    await pass(5_000);
    one.suspend(8_000);
    await pass(8_000 + GRACE_MS / 5 + 100);
    expect(jumps).toEqual(['process 0: database']);
  });
});

describe('a wall clock that is set', () => {
  it.each([-HOUR_MS, -MINUTE_MS, MINUTE_MS, HOUR_MS])(
    'by %i ms changes neither time nor timers',
    async (byMs) => {
      const [one, other] = [await join(), await join()];
      const ref = await born(one);
      void one.engine.send(ref, { type: 'wait' });
      await pass(5_000);
      one.wallSet += byMs;
      await pass(waitMs - 6_000);
      expect(await rung(one, ref)).toBe(0);
      await pass(2_000);
      expect(await rung(one, ref)).toBe(1);
      expect(Math.abs(one.now - other.now)).toBeLessThan(50);
      expect({ buried, joined }).toEqual({ buried: 0, joined: 2 });
      const next = await born(one);
      void one.engine.send(next, { type: 'dial' });
      await pass(1_000);
      expect(one.dialled).toEqual([next.id]);
    },
  );

  it.each([-MINUTE_MS, MINUTE_MS])(
    'by %i ms together with the database of its own host changes neither',
    async (byMs) => {
      const one = await join();
      const ref = await born(one);
      void one.engine.send(ref, { type: 'wait' });
      await pass(5_000);
      one.wallSet += byMs;
      databaseSet += byMs;
      await pass(waitMs - 6_000);
      expect(await rung(one, ref)).toBe(0);
      await pass(2_000);
      expect(await rung(one, ref)).toBe(1);
    },
  );
});
