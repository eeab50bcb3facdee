/** Callbacks that wait for a quiet moment do not keep a node from listening to the calls that it takes over. */
import { assign, setup } from 'xstate';
import { afterEach, beforeEach, it } from 'vitest';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import type { EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { until } from '../helpers/patience.ts';
import { memoryBed, type Bed } from './bed.ts';
import { errand } from './errand.ts';

/** More than are stepped at a time after a takeover. */
const MANY = 2_500;
/** Less than the longest wait of a callback: after that they are stepped in a row, and calls after them. */
const SOON_SECONDS = 40;

/** A call that is up, with no timer that is near: it listens to its carrier once it hears that it was taken over. */
const chart = setup({
  types: { context: {} as { adoptions: number }, input: {} as EventTimestamp },
}).createMachine({
  id: 'call',
  context: { adoptions: 0 },
  initial: 'up',
  states: {
    up: {
      tags: ['adoptable'],
      on: { takenOver: { actions: assign({ adoptions: ({ context }) => context.adoptions + 1 }) } },
    },
  },
});
const call: Kind = { name: 'call', versions: { 1: chart }, current: 1, effects: {}, operatorEvents: [] };
/** One that takes longer to be carried than the test. */
const callback: Kind = {
  ...{ ...errand, name: 'callback', lowPriority: true },
  effects: { ...errand.effects, fetch: { delivery: 'atLeastOnce', timeoutMs: 600_000 } },
};

let bed: Bed;
let ended: Set<string>;
beforeEach(async () => {
  bed = await memoryBed([call, callback]);
  ended = new Set();
});
afterEach(() => bed.end());

const never = () => new Promise<never>(() => {});
const begin = async (engine: RamalEngine, kind: string): Promise<MachineRef> => {
  const result = await engine.start({ kind, shard: 'a', account: 7, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const manyCallbacks = (engine: RamalEngine): Promise<MachineRef[]> =>
  Promise.all(Array.from({ length: MANY }, () => begin(engine, 'callback')));
const isListening = async (engine: RamalEngine, ref: MachineRef): Promise<boolean> =>
  ((await engine.view(ref))!.context as { adoptions: number }).adoptions === 1;
const ends = (engine: RamalEngine, process: string): void => {
  engine.abandon();
  ended.add(process);
};

it('listens to a call at once whose node had many callbacks under way', async () => {
  const one = await bed.node({ process: 'one', performers: { fetch: never }, cache: 10_000 });
  const callbacks = await manyCallbacks(one);
  await Promise.all(callbacks.map((ref) => one.send(ref, { type: 'ask', name: 'fetch' })));
  const ref = await begin(one, 'call');
  ends(one, 'one');
  const other = await bed.node({ ended, performers: { fetch: never }, cache: 10_000, load: () => 1 });
  await until(() => isListening(other, ref), SOON_SECONDS);
});

it('listens to a call at once while many callbacks of its own wait', async () => {
  const one = await bed.node({ process: 'one' });
  const ref = await begin(one, 'call');
  const other = await bed.node({ ended, cache: 10_000, load: () => 1, graceMs: 2_000 });
  const callbacks = await manyCallbacks(other);
  await Promise.all(callbacks.map((one) => other.send(one, { type: 'wait' })));
  // Their timers are due by then.
  const dueAt = other.now('a') + 1_000;
  await until(() => other.now('a') > dueAt);
  ends(one, 'one');
  await until(() => isListening(other, ref), SOON_SECONDS);
});
