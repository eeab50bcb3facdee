/** A process that was stopped goes on as if it had blinked: what it missed is heard before its timers judge. */
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
import { Unavailable } from '../../src/engine/contract/api.ts';
import { MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import { World } from '../simulation/world.ts';

interface Context {
  heard: string[];
}
type Event = ({ type: 'answered' } | { type: 'asked' } | { type: 'digit' } | { type: 'played' }) &
  EventTimestamp;

const note = (what: string) =>
  assign<Context, Event, undefined, Event, never>({ heard: ({ context }) => [...context.heard, what] });

const promptMs = 40_000;
const digitsMs = 4_000;

/** A call as far as this goes: it plays a prompt, or waits for a digit. */
const machine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as EventTimestamp },
  actions: { play: declareEffect<object>() },
  delays: { playGuard: promptMs + 15_000, digits: digitsMs },
}).createMachine({
  id: 'talk',
  context: { heard: [] },
  initial: 'dialing',
  states: {
    dialing: { on: { answered: 'speaking', asked: 'listening' } },
    speaking: {
      tags: ['adoptable'],
      entry: { type: 'play', params: {} },
      on: { digit: { actions: note('digit') }, played: { target: 'over', actions: note('played') } },
      after: { playGuard: { target: 'over', actions: note('guard') } },
    },
    listening: {
      tags: ['adoptable'],
      on: { digit: { target: 'over', actions: note('digit') } },
      after: { digits: { target: 'over', actions: note('silence') } },
    },
    over: {},
  },
});

const talk: Kind = {
  name: 'talk',
  versions: { 1: machine },
  current: 1,
  effects: { play: { delivery: 'atLeastOnce', timeoutMs: 5_000 } },
  operatorEvents: [],
};

/** Between two processes, or a process and its database. */
const wireMs = 10;

describe('a process that was stopped', () => {
  let world: World;
  let engine: RamalEngine;
  let id: number;
  let stoppedUntil: number;
  /** Effects that the carrier took. */
  let taken: Set<string>;

  /** Reaches the process at that time, or so long after it runs again: it looks at its timers before its sockets. */
  const reach = (at: number, run: () => void, lagMs = 1): (() => void) => {
    let wanted = true;
    const arrive = (): void => {
      if (world.now < stoppedUntil) world.at(stoppedUntil + lagMs, arrive);
      else if (wanted) run();
    };
    world.at(at, arrive);
    return () => void (wanted = false);
  };
  const clock: Clock = {
    monotonic: () => world.now,
    wall: () => 1_800_000_000_000 + world.now,
    sinceBoot: () => undefined,
    after: (ms, run) => reach(world.now + ms, run, 0),
    soon: (run) => void reach(world.now, run),
    load: () => 0,
  };
  const ref = () => ({ shard: 'a', account: 7, id });
  /** Whoever tells it may hear that it was not written in time; it is written all the same. */
  const tell = (ms: number, type: string): void =>
    void reach(world.now + ms, () => {
      engine.send(ref(), { type, source: 'leg 1', seq: (seq += 1) }).catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      });
    });
  let seq = 0;

  /** The carrier presses a key at half of the prompt. */
  const play = (effectId: string): Promise<void> =>
    new Promise((resolve) => {
      reach(world.now + wireMs, () => {
        resolve();
        if (taken.has(effectId)) return;
        taken.add(effectId);
        tell(promptMs / 2, 'digit');
        tell(promptMs, 'played');
      });
    });

  /** Its answers to what is written take a moment. */
  const remote = (store: ShardMachineStore): ShardMachineStore =>
    new Proxy(store, {
      get: (_target, name: keyof ShardMachineStore) => {
        const ask = (store[name] as (...asked: unknown[]) => Promise<unknown>).bind(store);
        if (name !== 'commit') return ask;
        return (...asked: unknown[]) => {
          const answer = ask(...asked);
          return new Promise((resolve) => void reach(world.now + wireMs, () => resolve(answer)));
        };
      },
    });

  const stop = (ms: number): void => void (stoppedUntil = world.now + ms);
  const heard = async (): Promise<string[]> => ((await engine.view(ref()))!.context as Context).heard;

  let store: ShardMachineStore;
  const join = async (process: string): Promise<void> => {
    engine = new RamalEngine({
      kinds: [talk],
      shards: [
        {
          ...{
            name: 'a',
            clock,
            random: () => 0.5,
            hints: noopWakeUpHints,
            metrics: noopEngineMetrics,
            log: noopEngineLog,
          },
          store: remote(store),
          performers: { play: (call) => play(call.id) },
          cachedMachines: 1_000,
          membership: { name: 'test', process, isProcessDead: (other) => other !== process, graceMs: 10_000 },
        },
      ],
    });
    const open = engine.open();
    await world.run(world.now + 1_000);
    await open;
  };

  beforeEach(async () => {
    world = new World();
    stoppedUntil = 0;
    taken = new Set();
    store = new MemoryStore([talk], () => 1_800_000_000_000 + world.now, new MemoryTables());
    await join('one');
    const begun = engine.start({ shard: 'a', account: 7, kind: 'talk', input: {} });
    await world.run(2_000);
    ({ id } = ((await begun) as { ref: { id: number } }).ref);
  });
  afterEach(() => engine.abandon());

  it.each([
    ['while the commit that asks for it is under way', wireMs / 2],
    ['while the carrier is being asked for it', wireMs + wireMs / 2],
    ['while it plays', 10_000],
  ])('lets a prompt be heard to its end: stopped %s', async (_when, afterMs) => {
    tell(0, 'answered');
    await world.run(world.now + afterMs);
    stop(20_000);
    await world.run(world.now + 2 * promptMs);
    expect(await heard()).toEqual(['digit', 'played']);
  });

  it('lets a prompt be heard to its end that was asked for as the process died, long ago', async () => {
    tell(0, 'answered');
    await world.run(world.now + wireMs / 2);
    engine.abandon();
    await world.run(world.now + promptMs);
    await join('another');
    await world.run(world.now + 2 * promptMs);
    expect(await heard()).toEqual(['digit', 'played']);
  });

  it.each([4_500, 20_000])('counts a digit that was pressed while it was stopped, for %i ms', async (ms) => {
    tell(0, 'asked');
    await world.run(world.now + 100);
    tell(digitsMs / 2, 'digit');
    stop(ms);
    await world.run(world.now + ms + 1_000);
    expect(await heard()).toEqual(['digit']);
  });

  it('takes silence for silence', async () => {
    tell(0, 'asked');
    await world.run(world.now + digitsMs + 100);
    expect(await heard()).toEqual(['silence']);
  });

  it('takes silence for silence soon after it was stopped', async () => {
    tell(0, 'asked');
    await world.run(world.now + 100);
    stop(20_000);
    await world.run(world.now + 20_000 + 5_500);
    expect(await heard()).toEqual(['silence']);
  });
});
