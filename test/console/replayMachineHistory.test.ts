import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HistoryBeginningMissing, replay } from '../../src/console/replayMachineHistory.ts';
import { machineKinds } from '../../machines/index.ts';
import { charts, inputs, Life } from './lives.ts';
import { walk } from './walks.ts';

/** Contexts as they would be read from the database. */
const replayed = (kind: string, life: Life): unknown[] =>
  [...replay(charts.current(kind), life.id, life.history)].map(
    ({ context }) => JSON.parse(JSON.stringify(context)) as unknown,
  );

describe.each(
  machineKinds.flatMap(({ name }) => inputs[name]!.map((input, nth) => ({ kind: name, input, nth }))),
)('the replay of $kind ($nth)', ({ kind, input }) => {
  it('has the contexts and timers that the machine had after each entry, wherever it was read anew', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const life = walk(new Life(kind, input), kind, seed);
        expect(replayed(kind, life)).toEqual(life.contexts);
        const moments = [...replay(charts.current(kind), life.id, life.history)];
        expect(moments.map(({ state }) => state)).toEqual(life.rows.map(({ state }) => state));
        expect(moments.every(({ agrees }) => agrees)).toBe(true);
        expect(moments.map(({ timers }) => timers.map(({ id }) => id).toSorted())).toEqual(life.timers);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a replay', () => {
  const life = walk(new Life('delivery', inputs['delivery']![0]!), 'delivery', 7);
  const chart = charts.current('delivery');

  it('passes over what no chart hears of: takeovers and archiving', () => {
    const [first, ...rest] = life.history;
    const between = { ...first!, event: 'takenOver', payload: { from: 1, by: 2 }, asked: [] };
    const after = { ...rest.at(-1)!, event: 'archived', payload: { kind: 'delivery', snapshot: {} } };
    const moments = [...replay(chart, life.id, [first!, between, ...rest, after])];
    const contexts = moments.map(({ context }) => JSON.parse(JSON.stringify(context)) as unknown);
    expect(contexts).toEqual([life.contexts[0], ...life.contexts, life.contexts.at(-1)]);
  });

  it('says from where on it is not what was written down', () => {
    const history = life.history.map((entry, index) => (index === 1 ? { ...entry, state: 'idle' } : entry));
    const agrees = [...replay(chart, life.id, history)].map((moment) => moment.agrees);
    expect(agrees).toEqual(history.map((_, index) => index < 1));
  });

  it('throws where the beginning was dropped', () => {
    expect(() => [...replay(chart, life.id, life.history.slice(1))]).toThrow(HistoryBeginningMissing);
  });
});
