import { describe, expect, it } from 'vitest';
import {
  findMachineHistoryPaths,
  chartHighlightsAfter,
  type MachineHistoryStep,
} from '../../../src/console/statechart/highlightMachineHistory.ts';
import { everyChart } from './charts.ts';

const call = everyChart.find(({ kind }) => kind === 'call')!.chart;
const idOf = (from: string, event: string, guard = ''): number =>
  call.transitions.find((one) => one.from === from && one.event === event && one.guard === guard)!.id;

const entry = (event: string, state: string, more: Partial<MachineHistoryStep> = {}): MachineHistoryStep => ({
  ...{ event, state, asked: [], taken: [] },
  ...more,
});

describe('a journey', () => {
  const history = [
    entry('started', 'scheduled', { taken: [idOf('born', ''), idOf('due', '', 'isEarly')] }),
    entry('retryNow', 'clearing'),
    entry('cleared', 'clearing', { asked: ['failed: no route'] }),
    entry('postponed', 'postponed'),
  ];
  const legs = findMachineHistoryPaths(call, history);

  it('has a leg for every entry, and none of them leads anywhere where the step failed', () => {
    expect(legs.map(({ state }) => state)).toEqual(['scheduled', 'clearing', 'clearing', 'postponed']);
    expect(legs[2]).toEqual({ state: 'clearing', transitions: [], states: [] });
  });

  it('lights what was passed until then, and where the machine was', () => {
    const { active, entered, taken } = chartHighlightsAfter(legs, 2);
    expect(active).toBe('clearing');
    expect([...entered!].toSorted()).toEqual(['born', 'clearing', 'due', 'scheduled']);
    expect(taken!.get(idOf('due', '', 'isEarly'))).toBe('known');
    expect(taken!.has(idOf('clearing', 'postponed', ''))).toBe(false);
  });

  it('lights nothing before the first entry', () => {
    expect(chartHighlightsAfter(legs, 0)).toEqual({ entered: new Set(), taken: new Map() });
  });

  it('may begin in the middle, from a state that is known', () => {
    const [leg] = findMachineHistoryPaths(call, [entry('retryNow', 'clearing')], 'postponed');
    expect(leg!.transitions.map(({ id }) => id)[0]).toBe(idOf('postponed', 'retryNow'));
  });
});
