/**
 * `npm run bench:steps -- --against <folder> [--pairs 40] [in flight …]`: what a change costs a step of the engine, to a few
 * percent.
 *
 * An engine of each tree runs in a process of its own, on a database of its own, warm all the time, and they make calls in
 * turn, A B B A A B …: a machine whose pace changes within minutes changes it for both, and no round pays for the compiler.
 * For each number of calls in flight (default: 10, 100 and 1,000) it prints the CPU of Node and of PostgreSQL a step, and the
 * median of this tree's by the other's, pair by pair, with its interval.
 *
 * The other tree needs its `npm ci && npm run build`, and `test/bench/steps/` as this one has it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { intervalOfMedian, median } from './meter.ts';
import { circumstances, type Figure, keep } from './report.ts';
import type { RoundCost, StepRounds } from './steps/rounds.ts';

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, pairs: { type: 'string', default: '40' } },
  allowPositionals: true,
});
if (values.against === undefined) {
  console.error('usage: npm run bench:steps -- --against <folder of the other tree> [--pairs 40] [10 100 …]');
  process.exit(2);
}
const pairs = Number(values.pairs);
const loads = positionals.length > 0 ? positionals.map(Number) : [10, 100, 1_000];
const trees = [resolve(import.meta.dirname, '../..'), resolve(values.against)] as const;
/** Of a process's life, before it is measured. */
const warmingCalls = 3_000;

/** A round takes half a second or so. */
const callsOf = (inFlight: number): number => Math.max(200, 6 * inFlight);

/** What a child answers next. Rejects where it ends instead. */
const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((done, failed) => {
    const ended = (code: number | null): void => failed(new Error(`a side ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (answer) => {
      child.off('exit', ended);
      done(answer as T);
    });
  });

const startSide = async (tree: string, rounds: StepRounds): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'steps/rounds.ts'), [tree, JSON.stringify(rounds)], {
    cwd: tree,
  });
  await answerOf(child);
  return child;
};

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
const figures: Figure[] = [];

const compare = (name: string, ours: readonly number[], theirs: readonly number[]): void => {
  const ratios = ours.map((value, pair) => value / theirs[pair]!);
  const [low, high] = intervalOfMedian(ratios);
  const cells = [name, median(ours).toFixed(1), median(theirs).toFixed(1), 'us/step'];
  console.log(
    `| ${[...cells, percent(median(ratios)), `${percent(low)} to ${percent(high)}`].join(' | ')} |`,
  );
  figures.push({
    ...{ section: 'step pairs', name, unit: 'ratio of us/step', median: median(ratios), rounds: ratios },
    ...{ goals: '', met: null },
  });
};

const measure = async (inFlight: number): Promise<void> => {
  const rounds: StepRounds = { inFlight, calls: callsOf(inFlight), warmingCalls };
  const sides = [await startSide(trees[0], rounds), await startSide(trees[1], rounds)] as const;
  const costs: [RoundCost[], RoundCost[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++)
    for (const which of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const answer = answerOf<RoundCost>(sides[which]);
      sides[which].send('round');
      costs[which].push(await answer);
    }
  for (const side of sides) side.send('end');
  for (const of of ['Node', 'PostgreSQL'] as const) {
    const [ours, theirs] = costs.map((side) => side.map((cost) => cost[of]));
    compare(`${inFlight} in flight: CPU in ${of}`, ours!, theirs!);
  }
};

const about = { ...circumstances(''), against: trees[1], pairs };
console.log('| figure | this tree | the other | unit | this by the other | interval of the median |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const inFlight of loads) await measure(inFlight);
console.log(`\nkept in ${keep(about, figures)}`);
