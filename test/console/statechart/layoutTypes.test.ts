import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { readStatechart } from '../../../src/console/statechart/statechartData.ts';
import { viteStatechartLayoutsPlugin } from '../../../src/console/app/viteStatechartLayoutsPlugin.ts';
import { placeChart } from '../../../src/console/statechart/placeChart.ts';
import { HEAD_HEIGHT } from '../../../src/console/statechart/layoutTypes.ts';
import { machineKinds } from '../../../machines/index.ts';
import { everyChart, labelBox, levelBox, overlap, overlaps, pieces } from './charts.ts';

describe.each(everyChart)('the layout of $name', ({ chart, layout }) => {
  const stations = layout.levels.flatMap((level) => level.stations);
  const lines = layout.levels.flatMap((level) => level.lines);

  it('has every state at one place', () => {
    const states = stations.filter(({ kind }) => ['state', 'question', 'final'].includes(kind));
    expect(states.map(({ id }) => id).toSorted()).toEqual(
      chart.states
        .map(({ id }) => id)
        .filter((id) => id !== '')
        .toSorted(),
    );
  });

  it('has every transition on a line or in the legend', () => {
    const drawn = new Set([...lines, ...layout.legend].flatMap(({ transitions }) => transitions));
    const missing = chart.transitions.filter(({ id, event }) => event !== '*' && !drawn.has(id));
    expect(missing).toEqual([]);
  });

  it('gives each level, station and line an id of its own', () => {
    for (const level of layout.levels) {
      const ids = level.stations.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const ids = [...layout.levels, ...lines].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leads every line from one of its stations to another', () => {
    for (const level of layout.levels) {
      const ids = new Set(level.stations.map(({ id }) => id));
      expect(level.lines.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    }
  });

  it('lets no label lie on another, on a station, or on a line of others', () => {
    for (const level of layout.levels) {
      expect(overlaps(level.lines, labelBox, ({ id }) => id)).toEqual([]);
      for (const line of level.lines) {
        const label = labelBox(line);
        expect(level.stations.filter((station) => overlap(station, label))).toEqual([]);
        const crossing = level.lines.filter(
          (other) => other !== line && pieces(other).some((piece) => overlap(piece, label)),
        );
        expect(crossing.map(({ id }) => id)).toEqual([]);
      }
    }
  });

  it('lets no line cross a station', () => {
    for (const level of layout.levels)
      for (const line of level.lines) {
        const others = level.stations.filter(({ id }) => id !== line.from && id !== line.to);
        const crossed = others.filter((station) => pieces(line).some((piece) => overlap(piece, station)));
        expect(crossed.map(({ id }) => `${line.id} crosses ${id}`)).toEqual([]);
      }
  });

  it('keeps stations, labels and levels apart and inside', () => {
    expect(
      overlaps(
        layout.levels,
        (level) => levelBox(level, HEAD_HEIGHT),
        ({ id }) => id,
      ),
    ).toEqual([]);
    for (const level of layout.levels) {
      expect(
        overlaps(
          level.stations,
          (station) => station,
          ({ id }) => id,
        ),
      ).toEqual([]);
      const inside = [...level.stations, ...level.lines.map(labelBox), ...level.lines.flatMap(pieces)];
      expect(inside.filter(({ x, y, w, h }) => x < 0 || y < 0 || x + w > level.w || y + h > level.h)).toEqual(
        [],
      );
      expect(level.x + level.w).toBeLessThanOrEqual(layout.w);
      expect(level.y + level.h).toBeLessThanOrEqual(layout.h);
    }
  });

  it('draws the happy path as one straight line', () => {
    for (const level of layout.levels) {
      const spine = level.lines.filter(({ course }) => course === 'spine');
      expect(new Set(spine.flatMap(({ points }) => points.map(([x]) => x))).size).toBeLessThanOrEqual(1);
    }
  });

  it('is the same each time it is made, and after it was shipped as JSON', () => {
    expect(placeChart(chart)).toEqual(layout);
    expect(JSON.parse(JSON.stringify(layout))).toEqual(layout);
  });
});

it('layouts are made of every chart version, each a module of its own', () => {
  const { resolveId, load } = viteStatechartLayoutsPlugin() as unknown as Record<
    'resolveId' | 'load',
    (id: string) => string
  >;
  const names = machineKinds.flatMap(({ name, versions }) =>
    Object.keys(versions).map((one) => `${name}.${one}`),
  );
  const index = load(resolveId('virtual:charts'));
  for (const [nth, name] of names.entries()) {
    const module = `virtual:charts/${name}`;
    expect(index).toContain(`"${name}": () => import("${module}")`);
    const [, text = ''] = /^export default JSON\.parse\((.*)\);$/s.exec(load(resolveId(module)))!;
    expect(JSON.parse(JSON.parse(text) as string)).toEqual(everyChart[nth]!.layout);
  }
  expect(resolveId('virtual:other')).toBeUndefined();
});

it('a layout takes some milliseconds, so that it can be made in a page as well', () => {
  const { chart } = everyChart.find(({ kind }) => kind === 'call')!;
  const times = Array.from({ length: 9 }, () => {
    const began = process.cpuUsage();
    placeChart(chart);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  });
  expect(times.toSorted((one, other) => one - other)[4]).toBeLessThan(60);
});

describe('ids', () => {
  const words = setup({});
  const chartOf = (more: object) =>
    readStatechart(
      'order',
      1,
      words.createMachine({
        id: 'order',
        initial: 'open',
        states: {
          open: { on: { paid: 'packed' } },
          packed: { on: { sent: 'gone' } },
          gone: { type: 'final' },
          ...more,
        },
      }),
    );

  it('stay the same where a chart gains a state', () => {
    const idsOf = (chart: ReturnType<typeof chartOf>): string[] =>
      placeChart(chart).levels.flatMap(({ stations, lines }) => [...stations, ...lines].map(({ id }) => id));
    const before = idsOf(chartOf({}));
    const after = idsOf(chartOf({ lost: { on: { found: 'packed' } } }));
    expect(before).toContain('line::open>packed');
    expect(after).toEqual(expect.arrayContaining(before));
  });
});
