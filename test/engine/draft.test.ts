import { describe, expect, it } from 'vitest';
import { enqueueActions, setup } from 'xstate';
import { engineEffects } from '../../machines/effect.ts';
import type { Kind } from '../../machines/kind.ts';
import type { Committed } from '../../src/engine/committed.ts';
import { compileChart } from '../../src/engine/chart.ts';
import { Draft, type DraftScope } from '../../src/engine/draft.ts';
import { takeMail } from '../../src/engine/taking.ts';
import { writesOf } from '../../src/engine/item.ts';
import type { Mail } from '../../src/engine/mail.ts';
import { committedOf } from '../../src/engine/write.ts';
import { errand } from './errand.ts';

const chart = compileChart(errand, 1);
let minted = 0;
const scope: DraftScope = {
  shard: 'a',
  heldBy: 1,
  graceMs: 10_000,
  mint: () => ++minted,
  hearsFor: () => 0,
  chartOf: () => chart,
};

/** A machine that owes this effect; it was begun once. */
const owing = (name: 'once' | 'fetch'): { machine: Committed; effect: string } => {
  const born = committedOf(Draft.birth({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope));
  const { machine, draft } = takes(born, { what: 'event', event: { type: 'ask', name } });
  return { machine, effect: draft.begins[0]!.id };
};

const takes = (machine: Committed, ...mails: Mail[]): { machine: Committed; draft: Draft } =>
  takesAt(2_000, machine, ...mails);

const takesAt = (at: number, machine: Committed, ...mails: Mail[]): { machine: Committed; draft: Draft } => {
  const draft = Draft.next(machine, at, scope, []);
  for (const mail of mails) takeMail(draft, mail);
  return { machine: committedOf(draft), draft };
};

describe.each(['once', 'fetch'] as const)('the effect %s that waits to be tried again', (name) => {
  const waiting = (): { machine: Committed; effect: string } => {
    const { machine, effect } = owing(name);
    return { machine: takes(machine, { what: 'again', effect, delayMs: 500 }).machine, effect };
  };

  it('begins once, however often it is told that its time has come', () => {
    const { machine, effect } = waiting();
    const begin: Mail = { what: 'begin', effect, tries: 1 };
    const first = takes(machine, begin, begin);
    expect(first.draft.begins.map(({ tries }) => tries)).toEqual([2]);
    const late = takes(first.machine, begin);
    expect([late.draft.begins, late.draft.idle]).toEqual([[], true]);
  });

  it('begins at once when an operator asks', () => {
    const { machine, effect } = waiting();
    expect(takes(machine, { what: 'begin', effect }).draft.begins).toHaveLength(1);
  });
});

describe('an effect that was begun', () => {
  it('begins under a new commit when the moment to follow the old one has passed', () => {
    const { machine, effect } = owing('once');
    expect(takes(machine, { what: 'begin', effect, tries: 1 }).draft.begins).toHaveLength(1);
  });

  it('is not taken for lost when it has begun anew since that was found', () => {
    const { machine, effect } = owing('once');
    const lost: Mail = { what: 'lost', effect, tries: 1 };
    const doubts = ({ draft }: { draft: Draft }): number =>
      draft.history.filter(({ event }) => event === 'outcomeUnknown').length;
    expect(doubts(takes(machine, lost))).toBe(1);
    expect(doubts(takes(machine, { what: 'begin', effect, tries: 1 }, lost))).toBe(0);
  });

  it('is begun beside itself when an operator asks, unless it is begun at most once', () => {
    const begun = (name: 'once' | 'fetch'): number => {
      const { machine, effect } = owing(name);
      return takes(machine, { what: 'begin', effect }).draft.begins.length;
    };
    expect([begun('fetch'), begun('once')]).toEqual([1, 0]);
  });
});

it('a machine that is taken up hears what it missed before its timers fire, though they ran out meanwhile', () => {
  const born = committedOf(Draft.birth({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope));
  const { machine: waits } = takes(born, { what: 'event', event: { type: 'wait' } });
  const patience = waits.agenda.find(({ t }) => t === 'timer')!;
  const fires: Mail = { what: 'timer', id: patience.id, rev: patience.rev };
  const taken = takesAt(60_000, waits, { what: 'takenUp', upTo: waits.revision }, fires);
  expect(taken.machine.state).toBe('waiting');
  expect(taken.machine.agenda).toContainEqual({ ...patience, due: 60_000 + scope.graceMs / 2 });
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
    ['taken up', 'missed', 'patience ended'],
  ]);
});

it('a timer that was due before its node was away lets the machine hear first what it missed', () => {
  const born = committedOf(Draft.birth({ chart, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 }, scope));
  const { machine: waits } = takes(born, { what: 'event', event: { type: 'wait' } });
  const patience = waits.agenda.find(({ t }) => t === 'timer')!;
  const fires: Mail = { what: 'timer', id: patience.id, rev: patience.rev };
  const back = Draft.next(waits, 60_000, { ...scope, hearsFor: () => 400 }, []);
  takeMail(back, fires);
  const machine = committedOf(back);
  expect([machine.state, machine.revision]).toEqual(['waiting', waits.revision]);
  expect(machine.agenda).toContainEqual({ ...patience, due: 60_400 });
  expect(takesAt(60_400, machine, fires).machine.state).toBe('open');
});

it('a machine that is taken up doubts what its last holder had begun, and nothing that was begun since', () => {
  const { machine: held, effect: before } = owing('once');
  const asked = takes(held, { what: 'event', event: { type: 'ask', name: 'once' } });
  const since = asked.draft.begins[0]!.id;
  const { machine, draft } = takes(asked.machine, { what: 'takenUp', upTo: held.revision });
  const owed = machine.agenda.filter(({ t }) => t === 'effect').map(({ id }) => id);
  expect([owed, since === before]).toEqual([[since], false]);
  expect(draft.history.filter(({ event }) => event === 'outcomeUnknown')).toHaveLength(1);
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
  const born = committedOf(
    Draft.birth({ chart: compileChart(diary, 1), account: 7, id: 1, input: {}, at: 1_000 }, scope),
  );
  const hears = (type: string): Mail => ({ what: 'event', event: { type } });
  const written = takes(born, hears('write'));
  expect(written.machine.milestones).toEqual(['written']);
  const burnt = takes(written.machine, hears('burn'));
  expect(burnt.machine.milestones).toEqual([]);
  expect(takes(burnt.machine, hears('write')).draft.reached).toEqual(['written']);
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
  const born = Draft.birth(
    { chart: families, account: 7, id: 1, input: { children: [2, 3] }, at: 1_000 },
    {
      ...scope,
      chartOf: () => families,
    },
  );
  expect(born.births.map(({ id, births }) => [id, births.length])).toEqual([
    [2, 0],
    [3, 0],
  ]);
  const item = { draft: born, mails: [], resident: null, birth: null };
  expect(writesOf([item]).map(({ id, parent }) => [id, parent])).toEqual([
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
  const owed = (): { machine: Committed; effect: string } => {
    const chartOf = compileChart(kind, 1);
    const birth = { chart: chartOf, account: 7, id: 1, input: { how: 'ok' }, at: 1_000 };
    const born = committedOf(Draft.birth(birth, { ...scope, chartOf: () => chartOf }));
    const { machine, draft } = takes(born, { what: 'event', event: { type: 'ask', name: 'fetch' } });
    return { machine, effect: draft.begins[0]!.id };
  };
  const begunAt = (at: number): { begins: number; events: string[] } => {
    const { machine, effect } = owed();
    const { draft } = takesAt(at, machine, { what: 'begin', effect, tries: 1 });
    return { begins: draft.begins.length, events: draft.history.map(({ event }) => event) };
  };

  it('is begun within its time', () => expect(begunAt(32_000)).toEqual({ begins: 1, events: [] }));

  it('is told to have failed after it, and is not begun', () =>
    expect(begunAt(32_001)).toEqual({ begins: 0, events: ['fetchFailed'] }));
});
