import { describe, expect, it } from 'vitest';
import { enqueueActions, setup } from 'xstate';
import { engineEffects } from '../../src/engine/contract/effect.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { MachineState } from '../../src/engine/step/machineState.ts';
import { compileChart } from '../../src/engine/step/compileChart.ts';
import { UncommittedMachineStep } from '../../src/engine/step/stepTransaction.ts';
import { applyMailToStep } from '../../src/engine/step/applyMailToStep.ts';
import { sortedWritesOfBatch } from '../../src/engine/writer/batchItem.ts';
import type { Mail } from '../../src/engine/contract/machineMail.ts';
import { machineStateOnceCommitted } from '../../src/engine/step/stepToRows.ts';
import { errand } from './errand.ts';
import type { StepTransactionDeps } from '../../src/engine/step/transactionScope.ts';

const chart = compileChart(errand, 1);
let minted = 0;
const scope: StepTransactionDeps = {
  shard: 'a',
  heldBy: 1,
  graceMs: 10_000,
  mint: () => ++minted,
  catchUpMs: () => 0,
  chartOf: () => chart,
};

/** A machine that owes this effect; it was begun once. */
const owing = (name: 'once' | 'fetch'): { machine: MachineState; effect: string } => {
  const born = machineStateOnceCommitted(
    UncommittedMachineStep.first({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope),
  );
  const { machine, tx } = takes(born, { what: 'event', event: { type: 'ask', name } });
  return { machine, effect: tx.effects[0]!.id };
};

const takes = (
  machine: MachineState,
  ...mails: Mail[]
): { machine: MachineState; tx: UncommittedMachineStep } => takesAt(2_000, machine, ...mails);

const takesAt = (
  at: number,
  machine: MachineState,
  ...mails: Mail[]
): { machine: MachineState; tx: UncommittedMachineStep } => {
  const tx = UncommittedMachineStep.next(machine, at, scope, []);
  for (const mail of mails) applyMailToStep(tx, mail);
  return { machine: machineStateOnceCommitted(tx), tx };
};

describe.each(['once', 'fetch'] as const)('the effect %s that waits to be tried again', (name) => {
  const waiting = (): { machine: MachineState; effect: string } => {
    const { machine, effect } = owing(name);
    return { machine: takes(machine, { what: 'again', effect, delayMs: 500 }).machine, effect };
  };

  it('begins once, however often it is told that its time has come', () => {
    const { machine, effect } = waiting();
    const begin: Mail = { what: 'begin', effect, tries: 1 };
    const first = takes(machine, begin, begin);
    expect(first.tx.effects.map(({ tries }) => tries)).toEqual([2]);
    const late = takes(first.machine, begin);
    expect([late.tx.effects, late.tx.idle]).toEqual([[], true]);
  });

  it('begins at once when an operator asks', () => {
    const { machine, effect } = waiting();
    expect(takes(machine, { what: 'begin', effect }).tx.effects).toHaveLength(1);
  });

  it('is given up when an operator cancels it, once, and its machine hears why', () => {
    const { machine, effect } = waiting();
    const cancel: Mail = { what: 'cancel', effect };
    const { tx } = takes(machine, cancel, cancel, { what: 'begin', effect, tries: 1 });
    expect([tx.agenda.filter(({ t }) => t === 'effect'), tx.effects]).toEqual([[], []]);
    const heard = tx.history.map(({ payload }) => JSON.parse(payload ?? '{}') as Record<string, unknown>);
    // This chart does not listen for the failure of `once`.
    const failures = name === 'fetch' ? [{ type: 'fetchFailed', reason: 'cancelled' }] : [];
    expect(heard).toMatchObject(failures);
  });
});

describe('an effect that was begun', () => {
  it('is not given up while it is under way', () => {
    const { machine, effect } = owing('fetch');
    const { tx } = takes(machine, { what: 'cancel', effect });
    expect([tx.idle, tx.agenda.some(({ id }) => id === effect)]).toEqual([true, true]);
  });

  it('begins under a new commit when the moment to follow the old one has passed', () => {
    const { machine, effect } = owing('once');
    expect(takes(machine, { what: 'begin', effect, tries: 1 }).tx.effects).toHaveLength(1);
  });

  it('is not taken for lost when it has begun anew since that was found', () => {
    const { machine, effect } = owing('once');
    const lost: Mail = { what: 'lost', effect, tries: 1 };
    const doubts = ({ tx }: { tx: UncommittedMachineStep }): number =>
      tx.history.filter(({ event }) => event === 'outcomeUnknown').length;
    expect(doubts(takes(machine, lost))).toBe(1);
    expect(doubts(takes(machine, { what: 'begin', effect, tries: 1 }, lost))).toBe(0);
  });

  it('is begun beside itself when an operator asks, unless it is begun at most once', () => {
    const begun = (name: 'once' | 'fetch'): number => {
      const { machine, effect } = owing(name);
      return takes(machine, { what: 'begin', effect }).tx.effects.length;
    };
    expect([begun('fetch'), begun('once')]).toEqual([1, 0]);
  });
});

it('a machine that is taken up hears what it missed before its timers fire, though they ran out meanwhile', () => {
  const born = machineStateOnceCommitted(
    UncommittedMachineStep.first({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope),
  );
  const { machine: waits } = takes(born, { what: 'event', event: { type: 'wait' } });
  const deadline = waits.agenda.find(({ t }) => t === 'timer')!;
  const fires: Mail = { what: 'timer', id: deadline.id, rev: deadline.rev };
  const taken = takesAt(60_000, waits, { what: 'takenOver', upTo: waits.revision }, fires);
  expect(taken.machine.state).toBe('waiting');
  expect(taken.machine.agenda).toContainEqual({ ...deadline, due: 60_000 + scope.graceMs / 2 });
  const told = takesAt(
    60_100,
    taken.machine,
    { what: 'event', event: { type: 'word', text: 'missed' } },
    fires,
  );
  expect(told.machine.state).toBe('waiting');
  const over = takesAt(65_000, told.machine, fires).machine;
  expect([over.state, (over.snapshot.context as { words: string[] }).words]).toEqual([
    'open',
    ['taken up', 'missed', 'deadline ended'],
  ]);
});

it('a timer that was due before its node was away lets the machine hear first what it missed', () => {
  const born = machineStateOnceCommitted(
    UncommittedMachineStep.first({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope),
  );
  const { machine: waits } = takes(born, { what: 'event', event: { type: 'wait' } });
  const deadline = waits.agenda.find(({ t }) => t === 'timer')!;
  const fires: Mail = { what: 'timer', id: deadline.id, rev: deadline.rev };
  const back = UncommittedMachineStep.next(waits, 60_000, { ...scope, catchUpMs: () => 400 }, []);
  applyMailToStep(back, fires);
  const machine = machineStateOnceCommitted(back);
  expect([machine.state, machine.revision]).toEqual(['waiting', waits.revision]);
  expect(machine.agenda).toContainEqual({ ...deadline, due: 60_400 });
  expect(takesAt(60_400, machine, fires).machine.state).toBe('open');
});

it('a machine that is taken up doubts what its last holder had begun, and nothing that was begun since', () => {
  const { machine: held, effect: before } = owing('once');
  const asked = takes(held, { what: 'event', event: { type: 'ask', name: 'once' } });
  const since = asked.tx.effects[0]!.id;
  const { machine, tx } = takes(asked.machine, { what: 'takenOver', upTo: held.revision });
  const owed = machine.agenda.filter(({ t }) => t === 'effect').map(({ id }) => id);
  expect([owed, since === before]).toEqual([[since], false]);
  expect(tx.history.filter(({ event }) => event === 'outcomeUnknown')).toHaveLength(1);
});

it.each([
  [0, 'nothing that it has begun anew since'],
  [1, 'what was begun anew before that'],
])('a machine that is taken up at a revision %d after a try was put off doubts %s', (after, _) => {
  const { machine: asked, effect } = owing('once');
  const held = takes(asked, { what: 'again', effect, delayMs: 500 }).machine;
  const begun = takes(held, { what: 'begin', effect, tries: 1 }).machine;
  const { tx } = takes(begun, { what: 'takenOver', upTo: held.revision + after });
  expect(tx.history.filter(({ event }) => event === 'outcomeUnknown')).toHaveLength(after);
});

it('forgets a milestone that a chart no longer keeps, and reaches it anew', () => {
  const diary: Kind = {
    ...{ name: 'diary', current: 1, effects: {}, operatorEvents: [] },
    versions: {
      1: setup({ actions: engineEffects }).createMachine({
        on: {
          write: { actions: { type: 'reach', params: { milestone: 'written' } } },
          burn: { actions: { type: 'forget', params: { milestone: 'written' } } },
        },
      }),
    },
  };
  const born = machineStateOnceCommitted(
    UncommittedMachineStep.first(
      { chart: compileChart(diary, 1), account: 7, id: 1, input: {}, at: 1_000 },
      scope,
    ),
  );
  const hears = (type: string): Mail => ({ what: 'event', event: { type } });
  const written = takes(born, hears('write'));
  expect(written.machine.milestones).toEqual(['written']);
  const burnt = takes(written.machine, hears('burn'));
  expect(burnt.machine.milestones).toEqual([]);
  expect(takes(burnt.machine, hears('write')).tx.reached).toEqual(['written']);
});

it('writes what a newborn starts in its own first step as born of whoever stands', () => {
  const family: Kind = {
    ...{ name: 'family', current: 1, effects: {}, operatorEvents: [] },
    versions: {
      1: setup({ actions: engineEffects }).createMachine({
        context: ({ input }) => ({ children: (input as { children?: number[] }).children ?? [] }),
        entry: enqueueActions(({ context: { children }, enqueue }) => {
          const [id, ...rest] = children;
          const params = { kind: 'family', id, input: { children: rest } };
          if (id !== undefined) enqueue({ type: 'startMachine', params });
        }),
      }),
    },
  };
  const families = compileChart(family, 1);
  const born = UncommittedMachineStep.first(
    { chart: families, account: 7, id: 1, input: { children: [2, 3] }, at: 1_000 },
    {
      ...scope,
      chartOf: () => families,
    },
  );
  expect(born.children.map(({ id, children: births }) => [id, births.length])).toEqual([
    [2, 0],
    [3, 0],
  ]);
  const item = { tx: born, mails: [], cached: null, start: null };
  expect(sortedWritesOfBatch([item]).map(({ id, parent }) => [id, parent])).toEqual([
    [1, null],
    [2, 1],
    [3, 1],
  ]);
});

describe('an effect that does not keep', () => {
  const kind: Kind = {
    ...errand,
    effects: { ...errand.effects, fetch: { ...errand.effects['fetch']!, keepsMs: 30_000 } },
  };
  const owed = (): { machine: MachineState; effect: string } => {
    const chartOf = compileChart(kind, 1);
    const birth = { chart: chartOf, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 };
    const born = machineStateOnceCommitted(
      UncommittedMachineStep.first(birth, { ...scope, chartOf: () => chartOf }),
    );
    const { machine, tx } = takes(born, { what: 'event', event: { type: 'ask', name: 'fetch' } });
    return { machine, effect: tx.effects[0]!.id };
  };
  const begunAt = (at: number): { begins: number; events: string[] } => {
    const { machine, effect } = owed();
    const { tx } = takesAt(at, machine, { what: 'begin', effect, tries: 1 });
    return { begins: tx.effects.length, events: tx.history.map(({ event }) => event) };
  };

  it('is begun within its time', () => expect(begunAt(32_000)).toEqual({ begins: 1, events: [] }));

  it('is told to have failed after it, and is not begun', () =>
    expect(begunAt(32_001)).toEqual({ begins: 0, events: ['fetchFailed'] }));
});
