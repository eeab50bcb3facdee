/**
 * Nodes whose clocks can be set, on hosts that can be suspended, with a database that can be set and be silent: engines in
 * virtual time, over tables in memory.
 */
import { assign, setup } from 'xstate';
import { afterEach, beforeEach } from 'vitest';
import { declareEffect, type EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  type Clock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
} from '../../src/engine/contract/ports.ts';
import { type ShardMachineStore, StoreUnavailable } from '../../src/engine/contract/store.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import { World } from '../simulation/world.ts';

const EPOCH = 1_800_000_000_000;
export const GRACE_MS = 10_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const waitMs = 30_000;
export const account = 7;

interface Context {
  rung: number;
}
type Event = ({ type: 'wait'; ms?: number } | { type: 'dial' } | { type: 'unused' }) & EventTimestamp;

/** Waits for half a minute, or as long as it is told to, and dials. */
const machine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as EventTimestamp },
  actions: { dial: declareEffect<object>() },
  delays: { deadline: ({ event }) => ('ms' in event && event.ms !== undefined ? event.ms : waitMs) },
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
export const wireMs = 5;
/** So long a question that gets no answer is waited for; a heartbeat is given up at once. */
const patienceMs = MINUTE_MS;

let world: World;
export let store: MemoryStore;
/** How far the database's clock was set from the truth. */
export let databaseSet: number;
/** Incarnations declared dead, and how many joined. */
export let buried: number;
export let joined: number;
/** Of which clock each process said that it had jumped. */
export let jumps: string[];
let hosts: Host[];
/** Until then nothing that is asked of the database arrives. */
let silentUntil: number;

/** A machine with one process. */
export class Host {
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
            if (world.now < silentUntil) {
              const gaveUp = new StoreUnavailable('the database says nothing');
              world.after(name === 'beat' ? wireMs : patienceMs, () => reject(gaveUp));
              return;
            }
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

/** Goes on by so much, milliseconds. */
export const pass = (ms: number): Promise<void> => world.run(world.now + ms);

/** A new host, whose node has joined. */
export const join = async (process = `process ${hosts.length}`): Promise<Host> => {
  const host = new Host(1e6 * hosts.length);
  hosts.push(host);
  await host.join(process);
  return host;
};

export const born = async (host: Host): Promise<{ shard: string; account: number; id: number }> => {
  const begun = host.engine.start({ shard: 'a', account, kind: 'watch', input: {} });
  await pass(100);
  return ((await begun) as { ref: { shard: string; account: number; id: number } }).ref;
};

/** How often its deadline has passed. */
export const rung = async (
  host: Host,
  ref: { shard: string; account: number; id: number },
): Promise<number> => {
  const view = host.engine.view(ref);
  await pass(50);
  return ((await view)!.context as Context).rung;
};

/** The database's clock is set further by so much. */
export const setDatabase = (byMs: number): void => {
  databaseSet += byMs;
};

/** Nothing arrives at the database for so long; those who ask hear of it after `patienceMs`. */
export const silenceDatabase = (ms: number): void => {
  silentUntil = world.now + ms;
};

/** A world of their own for each test. */
export const useHosts = (): void => {
  beforeEach(() => {
    world = new World();
    databaseSet = 0;
    silentUntil = 0;
    buried = 0;
    joined = 0;
    jumps = [];
    hosts = [];
    store = new MemoryStore([watch], () => EPOCH + world.now + databaseSet, new MemoryTables());
  });
  afterEach(() => {
    for (const { engine } of hosts) engine.abandon();
  });
};
