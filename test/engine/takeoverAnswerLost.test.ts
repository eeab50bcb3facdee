/** What a node has taken up without hearing that it did: the answer of the database was lost on its way. */
import { assign, setup } from 'xstate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import type { EventTimestamp } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore, TakenOverMachine } from '../../src/engine/contract/store.ts';
import { until } from '../helpers/patience.ts';
import { type Bed, memoryBed, postgresBed } from './bed.ts';

/** A call that is up, without a timer: it listens to its carrier once it hears that it was taken over. */
const chart = setup({
  types: {
    context: {} as { adoptions: number; digits: number },
    input: {} as EventTimestamp,
  },
}).createMachine({
  id: 'call',
  context: { adoptions: 0, digits: 0 },
  initial: 'up',
  states: {
    up: {
      tags: ['adoptable'],
      on: {
        takenOver: { actions: assign({ adoptions: ({ context }) => context.adoptions + 1 }) },
        digit: { actions: assign({ digits: ({ context }) => context.digits + 1 }) },
      },
    },
  },
});
const call: Kind = {
  name: 'call',
  versions: { 1: chart },
  current: 1,
  effects: {},
  operatorEvents: ['digit'],
};

let bed: Bed;
afterEach(() => bed.end());

const begin = async (engine: RamalEngine): Promise<MachineRef> => {
  const result = await engine.start({ kind: 'call', shard: 'a', account: 7, input: {} });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const contextOf = async (engine: RamalEngine, ref: MachineRef) =>
  (await engine.view(ref))!.context as { adoptions: number; digits: number };
type TakeUp = ShardMachineStore['takeUp'];

type TakeUpThrough = (request: Parameters<TakeUp>[0], takeUp: TakeUp) => ReturnType<TakeUp>;

/** A store that takes nothing up but through this. */
const throughTakeUp =
  (through: TakeUpThrough) =>
  (store: ShardMachineStore): ShardMachineStore => {
    const takeUp: TakeUp = (request) => through(request, (one) => store.takeUp(one));
    return new Proxy(store, {
      get: (target, name) => {
        const own: unknown = name === 'takeUp' ? takeUp : Reflect.get(target, name);
        return typeof own === 'function' ? own.bind(target) : own;
      },
    });
  };
/** The first statement that finds something is done, and its answer is lost; `before` that is noticed. */
const losingFirstAnswer = (before: () => Promise<unknown> = async () => {}) => {
  let isLost = false;
  return throughTakeUp(async (request, takeUp) => {
    const rows = await takeUp(request);
    if (isLost || rows.length === 0) return rows;
    isLost = true;
    await before();
    throw broke();
  });
};
const broke = () => new Error('the connection broke');

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('on %s', (_, bedOf) => {
  let refs: MachineRef[];
  const ended = new Set<string>();
  beforeEach(async () => {
    bed = await bedOf([call]);
    const one = await bed.node({ process: 'one' });
    refs = await Promise.all(Array.from({ length: 20 }, () => begin(one)));
    one.abandon();
    ended.add('one');
  });

  /** Every call has heard of it, and none twice. */
  const allHear = async (engine: RamalEngine): Promise<void> => {
    const heard = () => Promise.all(refs.map(async (ref) => (await contextOf(engine, ref)).adoptions));
    await until(async () => (await heard()).every((count) => count > 0));
    expect(await heard()).toEqual(refs.map(() => 1));
  };

  it('calls hear that they were taken over where the answer was lost', async () => {
    await allHear(await bed.node({ ended, graceMs: 2_000, through: losingFirstAnswer() }));
  });

  it('a call hears it that was told something else before', async () => {
    let other: RamalEngine | undefined;
    const through = losingFirstAnswer(async () => {
      await until(() => other);
      expect(await other!.send(refs[0]!, { type: 'digit' })).toMatchObject({ outcome: 'stepped' });
    });
    other = await bed.node({ ended, graceMs: 2_000, through });
    await allHear(other);
    expect((await contextOf(other, refs[0]!)).digits).toBe(1);
  });

  it('calls hear it where the statement was done after its connection broke', async () => {
    let late: (() => Promise<TakenOverMachine[]>) | undefined;
    let asked = 0;
    let isDone = false;
    const through = throughTakeUp(async (request, takeUp) => {
      asked += 1;
      if (asked === 1) {
        late = () => takeUp(request);
        throw broke();
      }
      // Rows that the first statement has locked are passed over.
      return isDone ? takeUp(request) : [];
    });
    const other = await bed.node({ ended, graceMs: 2_000, through });
    await until(() => asked > 10);
    expect(await late!()).toHaveLength(20);
    isDone = true;
    await allHear(other);
  });
});
