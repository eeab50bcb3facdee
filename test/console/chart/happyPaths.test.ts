import { describe, expect, it } from 'vitest';
import { happyPathOf, happyPaths } from '../../../src/console/chart/happyPaths.ts';
import { kinds } from '../../../machines/index.ts';
import { everyChart } from './charts.ts';

describe('happy paths', () => {
  it('are said of every kind, and of no other', () => {
    expect(Object.keys(happyPaths).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  });

  it.each(
    everyChart.filter(
      ({ kind, chart }) => kinds.find(({ name }) => name === kind)!.current === chart.version,
    ),
  )('name stations of $name only, from top to bottom', ({ kind, layout }) => {
    for (const level of Object.keys(happyPaths[kind]!)) {
      const stations = layout.levels.find(({ id }) => id === level)!.stations.map(({ id }) => id);
      const path = happyPathOf(kind, level);
      expect(path.filter((id) => !stations.includes(id))).toEqual([]);
      const rows = path.map((id) => stations.indexOf(id));
      expect(rows).toEqual(rows.toSorted((one, other) => one - other));
    }
  });
});
