import { describe, expect, it } from 'vitest';
import { happyPathOf, chartHappyPaths } from '../../../src/console/statechart/chartHappyPaths.ts';
import { machineKinds } from '../../../machines/index.ts';
import { everyChart } from './charts.ts';

describe('happy paths', () => {
  it('are said of every kind, and of no other', () => {
    expect(Object.keys(chartHappyPaths).toSorted()).toEqual(machineKinds.map(({ name }) => name).toSorted());
  });

  it.each(
    everyChart.filter(
      ({ kind, chart }) => machineKinds.find(({ name }) => name === kind)!.current === chart.version,
    ),
  )('name stations of $name only, from top to bottom', ({ kind, layout }) => {
    for (const level of Object.keys(chartHappyPaths[kind]!)) {
      const stations = layout.levels.find(({ id }) => id === level)!.stations.map(({ id }) => id);
      const path = happyPathOf(kind, level);
      expect(path.filter((id) => !stations.includes(id))).toEqual([]);
      const rows = path.map((id) => stations.indexOf(id));
      expect(rows).toEqual(rows.toSorted((one, other) => one - other));
    }
  });
});
