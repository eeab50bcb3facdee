/** The clock of a real PostgreSQL is set, under engines in real time: its question for the time is answered otherwise. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import type { DatabaseClockReading, ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { type Bed, postgresBed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 2_000;

let bed: Bed;
/** How far the clock was set. */
let setMs: number;
let buried: number;
let joined: number;
let beats: number;
let done: string[];

type Verb = (...given: unknown[]) => Promise<unknown>;

const through = (store: ShardMachineStore): ShardMachineStore =>
  new Proxy(store, {
    get: (target, name) => {
      const ask = (target[name as keyof ShardMachineStore] as Verb).bind(target);
      return async (...given: unknown[]) => {
        const answer = await ask(...given);
        if (name === 'now') return (answer as number) + setMs;
        if (name === 'clockReference')
          return { ...(answer as DatabaseClockReading), now: (answer as DatabaseClockReading).now + setMs };
        if (name === 'declareDead' && answer === true) buried += 1;
        if (name === 'register') joined += 1;
        if (name === 'beat') beats += 1;
        return answer;
      };
    },
  });

const join = (): Promise<RamalEngine> =>
  bed.node({
    graceMs,
    through,
    performers: { once: async (call: EffectCall) => void done.push(call.id) },
  });

const begin = async (engine: RamalEngine): Promise<MachineRef> => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};

/** Waits for its deadline, and does something once. */
const live = async (engine: RamalEngine, times: number): Promise<void> => {
  const ref = await begin(engine);
  for (let time = 1; time <= times; time += 1) {
    await engine.send(ref, { type: 'wait' });
    await engine.send(ref, { type: 'ask', name: 'once' });
    await until(async () => {
      const { words } = contextOf(await engine.view(ref));
      return words.filter((word) => word === 'deadline ended').length === time;
    });
  }
};

beforeEach(async () => {
  [setMs, buried, joined, beats, done] = [0, 0, 0, 0, []];
  bed = await postgresBed([errand]);
});
afterEach(() => bed.end());

describe.each([-60_000, 60_000])('a PostgreSQL whose clock is set by %i ms', (byMs) => {
  it('leaves timers their time, effects their once, and buries no node that lives', async () => {
    const nodes = [await join(), await join()];
    await Promise.all(nodes.map((node) => live(node, 1)));
    setMs = byMs;
    nodes.push(await join());
    const before = beats;
    await Promise.all(nodes.map((node) => live(node, 5)));
    // Long enough for all of them to be judged by all of them, several times.
    await until(() => beats >= before + 3 * 5 * 4);
    nodes.push(await join());
    await Promise.all(nodes.map((node) => live(node, 2)));
    expect({ buried, joined }).toEqual({ buried: 0, joined: 4 });
    expect(done).toHaveLength(2 + 3 * 5 + 4 * 2);
    expect(new Set(done).size).toBe(done.length);
  });
});
