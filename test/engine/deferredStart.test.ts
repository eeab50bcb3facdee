import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { engineEffects } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { compileChart } from '../../src/engine/step/compileChart.ts';
import { UncommittedMachineStep } from '../../src/engine/step/stepTransaction.ts';
import { applyMailToStep } from '../../src/engine/step/applyMailToStep.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { machineStateOnceCommitted, toMachineWrite } from '../../src/engine/step/stepToRows.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import type { StepTransactionDeps } from '../../src/engine/step/transactionScope.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const patient: Kind = { ...errand, name: 'patient', lowPriority: true };

type Ref = { shard: string; account: number; id: number };

/** A machine whose step starts low-priority ones of these ids. */
const started = async (engine: RamalEngine, ...ids: number[]): Promise<Ref[]> => {
  const parent = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (parent.outcome !== 'started') throw new Error('not started');
  await engine.send(parent.ref, { type: 'recruit', ids, friend: 3, kind: 'patient', all: true });
  return ids.map((id) => ({ shard: 'a', account, id }));
};

/** Keeps births that were put off from being written, until they are let. */
const withoutBirths = (store: ShardMachineStore): { store: ShardMachineStore; let(): void } => {
  let letThem = (): void => {};
  const allowed = new Promise<void>((resolve) => (letThem = resolve));
  const isBirth = ({ insert: birth, history }: MachineWrite): boolean =>
    !birth && history[0]?.event === 'started';
  const commit: ShardMachineStore['commit'] = async (lane, batch, at, ticket) => {
    if (batch.some(isBirth)) await allowed;
    return store.commit(lane, batch, at, ticket);
  };
  return {
    store: new Proxy(store, {
      get: (target, name) =>
        name === 'commit' ? commit : (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
    }),
    let: () => letThem(),
  };
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a machine of a low-priority kind that another starts, on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand, patient]);
  });
  afterEach(() => bed.end());

  const eventsOf = async (engine: RamalEngine, ref: Ref) =>
    (await engine.history(ref, 0, 10)).map(({ revision, event }) => [revision, event]);
  const isBorn = async (engine: RamalEngine, ref: Ref) => (await engine.view(ref))?.state === 'open';
  const busy = { load: () => 1 };
  const idle = { load: () => 0 };
  /** More than have their turn in a busy process while a caller waits. */
  const crowd = Array.from({ length: 250 }, (_, nth) => 100 + nth);

  it('is written down with the step that starts it, and born by a step of its own', async () => {
    const births = withoutBirths(bed.store);
    const engine = await bed.node({ ...idle, through: () => births.store });
    const [ref] = await started(engine, 41);
    expect(await engine.view(ref!)).toMatchObject({ kind: 'patient', state: 'pending', revision: 0 });
    expect(await engine.view(ref!)).toMatchObject({ pending: true, context: { friend: 3 } });
    expect(await eventsOf(engine, ref!)).toEqual([]);
    births.let();
    await until(() => isBorn(engine, ref!));
    expect(await engine.view(ref!)).toMatchObject({ revision: 1, pending: false, agenda: [] });
    expect(await eventsOf(engine, ref!)).toEqual([[1, 'started']]);
  });

  it('is born at once when somebody waits for its answer, and then hears the question', async () => {
    const engine = await bed.node(busy);
    const last = (await started(engine, ...crowd)).at(-1)!;
    expect(await engine.send(last, { type: 'word', text: 'first' })).toMatchObject({ state: 'open' });
    expect(contextOf(await engine.view(last)).words).toEqual(['first']);
    expect(await eventsOf(engine, last)).toEqual([
      [1, 'started'],
      [2, 'word'],
    ]);
  });

  it('is born elsewhere when its process ends before', async () => {
    const ended = new Set<string>();
    const births = withoutBirths(bed.store);
    const one = await bed.node({ through: () => births.store, process: 'one', ended });
    const [ref] = await started(one, 43);
    one.abandon();
    ended.add('one');
    const other = await bed.node({ ...idle, process: 'other', ended });
    await until(() => isBorn(other, ref!));
    expect(await eventsOf(other, ref!)).toEqual([
      [1, 'takenOver'],
      [2, 'started'],
    ]);
  });

  it('does not hold up an orderly end, and is born by whoever comes next', async () => {
    const one = await bed.node(busy);
    const refs = await started(one, ...crowd);
    await one.stop();
    expect(await isBorn(one, refs.at(-1)!)).toBe(false);
    const other = await bed.node(idle);
    await until(async () => (await Promise.all(refs.map((ref) => isBorn(other, ref)))).every(Boolean));
  });
});

describe('a birth that was put off and fails', () => {
  let broken = true;
  const kind: Kind = {
    ...{ name: 'frail', current: 1, effects: {}, operatorEvents: [], lowPriority: true },
    versions: {
      1: setup({ actions: engineEffects }).createMachine({
        context: () => {
          if (broken) throw new Error('no input like that');
          return {};
        },
        initial: 'well',
        states: { well: {} },
      }),
    },
  };
  const chart = compileChart(kind, 1);
  let minted = 0;
  const scope: StepTransactionDeps = {
    ...{ shard: 'a', heldBy: 1, graceMs: 10_000, catchUpMs: () => 0 },
    mint: () => ++minted,
    chartOf: () => chart,
  };

  it('calls for attention, and is tried again when the machine next hears of something', () => {
    const written = UncommittedMachineStep.deferred(
      { chart, account, id: 1, input: { size: 3 }, at: 1_000 },
      scope,
    );
    expect(toMachineWrite(written)).toMatchObject({
      history: [],
      record: null,
      row: { revision: 0, wakeAt: 1_000 },
    });

    const failed = UncommittedMachineStep.next(machineStateOnceCommitted(written), 2_000, scope, []);
    applyMailToStep(failed, { what: 'timer', id: 'birth', rev: 0 });
    expect(toMachineWrite(failed).row).toMatchObject({
      ...{ state: 'pending', snapshot: '{"pending":{"size":3}}', revision: 1, wakeAt: null },
      attention: 'started: no input like that',
    });

    broken = false;
    const mended = UncommittedMachineStep.next(machineStateOnceCommitted(failed), 3_000, scope, []);
    expect(toMachineWrite(mended).row).toMatchObject({ state: 'well', revision: 2 });
    expect(mended.history).toMatchObject([{ revision: 2, event: 'started', payload: '{"size":3}' }]);
  });
});
