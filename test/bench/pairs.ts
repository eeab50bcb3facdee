/**
 * `npm run bench:pairs -- --against <folder> [--pairs 10] [--quick] [section …]`: what a change costs. It measures this tree and
 * another checkout of it in turn, A B B A A B …, each section once a turn, and prints for every figure that both have the
 * median of this tree's value by the other's, pair by pair, with its interval. A machine that drifts slows both of a pair.
 *
 * With `--quick` a tenth of the calls is made, so that ten pairs of `steps` take a quarter of an hour.
 *
 * The other tree needs its `npm ci && npm run build`. Each tree is measured by its own `test/bench`; where that differs,
 * copy this one over there first.
 */
import { fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { intervalOfMedian, median } from './meter.ts';
import { circumstances, keep, type Measured } from './report.ts';
import type { Answer, Wanted } from './sectionProcess.ts';

const { values, positionals } = parseArgs({
  options: {
    against: { type: 'string' },
    pairs: { type: 'string', default: '10' },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.against === undefined) {
  console.error(
    'usage: npm run bench:pairs -- --against <folder of the other tree> [--pairs 10] [--quick] [section …]',
  );
  process.exit(2);
}

const here = resolve(import.meta.dirname, '../..');
const there = resolve(values.against);
const names = positionals.length > 0 ? positionals : ['steps', 'http'];

const measure = (tree: string, section: string): Promise<Answer> =>
  new Promise((done, failed) => {
    const wanted: Wanted = { section, quick: values.quick, paired: true, rounds: 1 };
    const child = fork(join(tree, 'test/bench/sectionProcess.ts'), [JSON.stringify(wanted)], { cwd: tree });
    let answer: Answer | undefined;
    child.on('message', (message) => void (answer = message as Answer));
    child.once('error', failed);
    child.once('exit', (code, signal) => {
      if (answer) done(answer);
      else failed(new Error(`${section} in ${tree} ended with ${signal ?? code}`));
    });
  });

/** Of one figure: this tree's value by the other's, and each of the two, a value a pair. */
interface Compared {
  ratios: number[];
  here: number[];
  there: number[];
  unit: string;
}

const compared = new Map<string, Compared>();

const percent = (ratio: number): string => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;

/** A run that is broken off has told what it measured by then. */
const tell = (key: string, ratio: number): void => console.error(`    ${key}: ${percent(ratio)}`);

const note = (ours: readonly Measured[], theirs: readonly Measured[]): void => {
  for (const { section, name, value, beside, unit } of ours) {
    const other = theirs.find((one) => one.name === name);
    if (other === undefined) continue;
    const key = `${section}: ${name}`;
    keepRatio(key, unit, value, other.value);
    // What stands beside it was measured in the same process, a moment before or after: the machine's pace falls out.
    if (beside !== undefined && other.beside !== undefined)
      keepRatio(`${key}, beside the limit`, 'ratio', value / beside, other.value / other.beside);
  }
};

const keepRatio = (key: string, unit: string, ours: number, theirs: number): void => {
  const figure = compared.get(key) ?? { ratios: [], here: [], there: [], unit };
  figure.ratios.push(ours / theirs);
  tell(key, ours / theirs);
  figure.here.push(ours);
  figure.there.push(theirs);
  compared.set(key, figure);
};

const pairs = Number(values.pairs);
let postgresql = '';
for (let pair = 0; pair < pairs; pair++)
  for (const section of names) {
    console.error(`  pair ${pair + 1} of ${pairs}: ${section} …`);
    const turns = pair % 2 === 0 ? [here, there] : [there, here];
    const answers = new Map<string, Answer>();
    for (const tree of turns) answers.set(tree, await measure(tree, section));
    note(answers.get(here)!.measured, answers.get(there)!.measured);
    ({ postgresql } = answers.get(here)!);
  }

const about = { ...circumstances(postgresql), against: there, pairs, quick: values.quick };
for (const [key, value] of Object.entries(about)) console.log(`${key}: ${String(value)}`);
console.log('\n| figure | this tree | the other | unit | this by the other | interval of the median |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [key, { ratios, here: ours, there: theirs, unit }] of compared) {
  const [low, high] = intervalOfMedian(ratios);
  const cells = [key, median(ours).toPrecision(4), median(theirs).toPrecision(4), unit];
  console.log(
    `| ${[...cells, percent(median(ratios)), `${percent(low)} to ${percent(high)}`].join(' | ')} |`,
  );
}
const figures = [...compared].map(([name, { ratios, unit }]) => ({
  ...{ section: 'pairs', name, unit: `ratio of ${unit}`, median: median(ratios), rounds: ratios },
  ...{ goals: '', met: null },
}));
console.log(`\nkept in ${keep(about, figures)}`);
