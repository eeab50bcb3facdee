/** What was measured: figures by name, one value a round; shown as one table and kept as JSON lines. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './meter.ts';

export type Goal = { atLeast: number } | { below: number };

/** A value with what stands beside it in the same round (the limit it is compared with), and what is wanted of both. */
export interface Value {
  value: number;
  unit: string;
  goal?: Goal | undefined;
  beside?: number;
  /** For value / beside. */
  ratioGoal?: Goal | undefined;
}

/** Values of the same section and name are rounds of one figure. */
export interface Measured extends Value {
  section: string;
  name: string;
}

/** Medians over rounds; the ratio is the median of each round's own. */
export interface Figure {
  section: string;
  name: string;
  unit: string;
  median: number;
  rounds: number[];
  beside?: number;
  ratio?: number;
  goals: string;
  /** Null: there is no goal for it. */
  met: boolean | null;
}

/** Rounds gathered to figures, in the order they first came. */
export const figuresOf = (measured: readonly Measured[]): Figure[] => {
  const byName = new Map<string, Measured[]>();
  for (const one of measured) {
    const name = `${one.section} ${one.name}`;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return [...byName.values()].map(figureOf);
};

const figureOf = (measured: readonly Measured[]): Figure => {
  const { section, name, unit, goal, ratioGoal, beside } = measured[0]!;
  const rounds = measured.map(({ value }) => value);
  const middle = median(rounds);
  const ratio = median(measured.map((one) => one.value / (one.beside ?? Number.NaN)));
  const goals = [
    ...(goal ? [{ words: wordsOf(goal), met: isMet(middle, goal) }] : []),
    ...(ratioGoal ? [{ words: `ratio ${wordsOf(ratioGoal)}`, met: isMet(ratio, ratioGoal) }] : []),
  ];
  return {
    section,
    name,
    unit,
    median: middle,
    rounds,
    ...(beside !== undefined && { beside: median(measured.map((one) => one.beside!)), ratio }),
    goals: goals.map(({ words }) => words).join(', '),
    met: goals.length > 0 ? goals.every(({ met }) => met) : null,
  };
};

const isMet = (value: number, goal: Goal): boolean =>
  'atLeast' in goal ? value >= goal.atLeast : value < goal.below;

const wordsOf = (goal: Goal): string =>
  'atLeast' in goal ? `>= ${shown(goal.atLeast)}` : `< ${shown(goal.below)}`;

const shown = (value: number | undefined): string => {
  if (value === undefined) return '';
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
};

/** The table, in Markdown. */
export const table = (figures: readonly Figure[]): string => {
  const head = ['section', 'figure', 'median', 'lowest to highest', 'unit', 'limit', 'ratio', 'goal', 'met'];
  const lines = figures.map(({ section, name, median: middle, rounds, unit, beside, ratio, goals, met }) => [
    section,
    name,
    shown(middle),
    rounds.length > 1 ? `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}` : '',
    unit,
    shown(beside),
    shown(ratio),
    goals,
    met === null ? '' : met ? 'yes' : 'NO',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]!.length)));
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [row(head), row(widths.map((width) => '-'.repeat(width))), ...lines.map(row)].join('\n');
};

/** Where and how this was measured: without it a figure is a rumour. */
export const circumstances = (postgresql: string): Record<string, unknown> => ({
  date: new Date().toISOString(),
  commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
  machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.versions.node,
  postgresql,
  command: ['npm run bench', '--', ...process.argv.slice(2)].join(' '),
});

/** Keeps a run as JSON lines, its circumstances first; returns the file's path. */
export const keep = (about: Record<string, unknown>, figures: readonly Figure[]): string => {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${String(about['date']).replaceAll(':', '-')}.jsonl`);
  appendFileSync(path, [about, ...figures].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};
