import * as fc from 'fast-check';
import {
  initialTransition,
  setup,
  transition,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
} from 'xstate';
import { describe, expect, it } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import type { MachineEvent } from '../../src/engine/contract/effect.ts';
import { dottedStateName } from '../../src/engine/step/compileChart.ts';
import type { MachineSnapshot, ChartStepper } from '../../src/engine/step/stepperTypes.ts';
import { TransitionTableStepper } from '../../src/engine/step/stepper/tableStepper.ts';
import { hasNoParallelStates } from '../../src/engine/step/stepper/transitionTable.ts';
import { XStateStepper } from '../../src/engine/step/stepper/xstateStepper.ts';
import { eventTypes, randomChart } from './randomCharts.ts';

interface Stepped {
  snapshot: MachineSnapshot;
  asked: [type: string, params: unknown][];
  taken: number[];
}

/** What a step did, or that it threw. */
const attempt = (step: () => Stepped): Stepped | 'threw' => {
  try {
    return step();
  } catch {
    return 'threw';
  }
};

const stepping = (stepper: ChartStepper, before: MachineSnapshot | null, event: MachineEvent): Stepped => {
  const asked: Stepped['asked'] = [];
  const ask = (type: string, params: unknown): void => void asked.push([type, params]);
  const taken: number[] = [];
  const snapshot = before ? stepper.step(before, event, ask, taken) : stepper.begin(event, ask, taken);
  return { snapshot, asked, taken };
};

/** XState as everybody knows it; what it takes is what it tells inspectors. */
const reference = (
  machine: AnyStateMachine,
  before: MachineSnapshot | null,
  event: MachineEvent,
): Stepped => {
  const [snapshot, actions] = before
    ? transition(machine, before as AnyMachineSnapshot, event)
    : initialTransition(machine, event as never);
  if ((snapshot as AnyMachineSnapshot).status === 'error') throw (snapshot as AnyMachineSnapshot).error;
  const taken: number[] = [];
  const inspected = new XStateStepper(machine);
  if (before) inspected.step(before, event, () => {}, taken);
  else inspected.begin(event, () => {}, taken);
  return {
    taken,
    snapshot: snapshot as MachineSnapshot,
    asked: (actions as { type: string; params: unknown }[]).map(({ type, params }) => [type, params]),
  };
};

const plain = ({ snapshot, asked, taken }: Stepped): unknown => ({
  value: snapshot.value,
  status: snapshot.status,
  context: snapshot.context as unknown,
  asked,
  taken,
});

const tagsOf = (node: AnyStateNode): string[] => [
  ...node.tags,
  ...Object.values(node.states as Record<string, AnyStateNode>).flatMap(tagsOf),
];

/** Walks both through the same events; throws where they differ. */
const holdEqual = (
  machine: AnyStateMachine,
  stepper: ChartStepper,
  count: number,
  picks: readonly number[],
): number => {
  let told = 0;
  let theirs: MachineSnapshot | null = null;
  let ours: MachineSnapshot | null = null;
  const events = [{ type: 'unused', count }, ...picks.map((pick) => ({ type: eventTypes[pick]! }))];
  for (const event of events) {
    const expected = attempt(() => reference(machine, theirs, event));
    const got = attempt(() => stepping(stepper, ours, event));
    if (expected === 'threw' || got === 'threw') {
      expect(got).toBe(expected);
      // One whose first step throws never stood; another stands where it stood.
      if (!theirs) return told;
      continue;
    }
    expect(plain(got)).toEqual(plain(expected));
    for (const tag of tagsOf(machine.root)) {
      expect(got.snapshot.hasTag(tag)).toBe(expected.snapshot.hasTag(tag));
      const may = stepper.mayHaveTag(dottedStateName(got.snapshot.value), tag);
      expect(may).toBe(stepper instanceof XStateStepper || got.snapshot.hasTag(tag));
    }
    expect(got.snapshot === ours).toBe(expected.snapshot === theirs);
    theirs = expected.snapshot;
    // As it would be after a rest in the store.
    const { value, status, context } = got.snapshot;
    ours = told % 3 === 2 ? stepper.thaw({ v: value, s: status, c: context as unknown }) : got.snapshot;
    told += 1;
  }
  return told;
};

describe('the stepper of one path', () => {
  it('steps random charts as XState’s public transition does', () => {
    let told = 0;
    fc.assert(
      fc.property(
        randomChart,
        fc.nat(3),
        fc.array(fc.nat(eventTypes.length - 1), { maxLength: 12 }),
        (machine, count, picks) => {
          expect(hasNoParallelStates(machine)).toBe(true);
          told += holdEqual(machine, new TransitionTableStepper(machine), count, picks);
        },
      ),
      { numRuns: 1_000 },
    );
    // Most of what was told was told to a chart that came to rest.
    expect(told).toBeGreaterThan(2_000);
  });

  it('knows the end of a chart where it was kept as a state like others', () => {
    const machine = setup({}).createMachine({ initial: 'on', states: { on: {}, end: { type: 'final' } } });
    expect(new TransitionTableStepper(machine as AnyStateMachine).thaw({ v: 'end', c: {} }).status).toBe(
      'done',
    );
    expect(() => new TransitionTableStepper(machine as AnyStateMachine).thaw({ v: 'gone', c: {} })).toThrow(
      'gone',
    );
    expect(() =>
      new TransitionTableStepper(machine as AnyStateMachine).mayHaveTag('on.gone', 'busy'),
    ).toThrow('gone');
  });

  it('steps every chart of ours', () => {
    for (const { name, versions } of machineKinds)
      for (const machine of Object.values(versions))
        expect([name, hasNoParallelStates(machine)]).toEqual([name, true]);
  });
});

describe('XState’s own stepper', () => {
  const words = setup({});
  const beside = words.createMachine({
    id: 'm',
    type: 'parallel',
    states: {
      a: { initial: 'off', states: { off: { on: { go: 'on' } }, on: { tags: ['lit'] } } },
      b: { initial: 'off', states: { off: { on: { go: 'on' } }, on: {} } },
    },
  });
  const remembering = words.createMachine({
    id: 'm',
    initial: 'day',
    states: {
      day: {
        initial: 'morning',
        states: { morning: { on: { go: 'noon' } }, noon: {}, last: { type: 'history' } },
        on: { turn: 'night' },
      },
      night: { on: { turn: 'day.last' } },
    },
  });

  it('is what charts take whose states stand beside each other, or are remembered', () => {
    expect(hasNoParallelStates(beside as AnyStateMachine)).toBe(false);
    expect(hasNoParallelStates(remembering as AnyStateMachine)).toBe(false);
  });

  it('steps several states at once', () => {
    const stepper = new XStateStepper(beside as AnyStateMachine);
    const { snapshot } = stepping(stepper, stepping(stepper, null, { type: '' }).snapshot, { type: 'go' });
    expect(snapshot.value).toEqual({ a: 'on', b: 'on' });
    expect(snapshot.hasTag('lit')).toBe(true);
  });

  it('keeps what a state remembers through a rest in the store', () => {
    const stepper = new XStateStepper(remembering as AnyStateMachine);
    let { snapshot } = stepping(stepper, null, { type: '' });
    for (const type of ['go', 'turn']) ({ snapshot } = stepping(stepper, snapshot, { type }));
    const h = Object.fromEntries(
      Object.entries(snapshot.historyValue).map(([id, nodes]) => [id, nodes.map((node) => node.id)]),
    );
    const thawed = stepper.thaw({ v: snapshot.value, c: {}, h });
    expect(stepping(stepper, thawed, { type: 'turn' }).snapshot.value).toEqual({ day: 'noon' });
  });
});
