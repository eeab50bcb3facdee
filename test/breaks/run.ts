/**
 * npm run breaks
 *   --only name,…   these only
 *   --sound         run every command on the unbroken tree first: all of them must pass
 *   --types         only look whether every break fits and compiles
 *
 * Breaks a copy of the tree in one place at a time and runs what should notice. Ends with 1 when more than 5 are missed.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openServer } from '../helpers/server.ts';
import { type Break, type By, commandOf } from './break.ts';
import { catalogue } from './catalogue.ts';
import { type Ended, run } from './command.ts';
import { copyTree, type Tree } from './tree.ts';

const MOST_MISSED = 5;

interface Trial {
  slip: Break;
  by?: By;
  ended?: Ended;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sound: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
  },
});

/** In the order of `--only`, else in that of the catalogue. */
const chosen = (): readonly Break[] => values.only?.split(',').map(named) ?? catalogue;

const named = (name: string): Break => {
  const found = catalogue.find((slip) => slip.name === name);
  if (!found) throw new Error(`there is no break ${name}`);
  return found;
};

/** All of them at once: each must fit, and what a compiler would have said is no find of a test. */
const compile = (tree: Tree): void => {
  for (const slip of catalogue) tree.break(slip);
  execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { cwd: tree.path, stdio: 'inherit' });
  console.log(`${catalogue.length} breaks fit, and compile`);
};

/** What fails without a break proves nothing. */
const judgeCommands = async (tree: Tree, slips: readonly Break[], server: string): Promise<void> => {
  const all = slips.flatMap(({ by }) => by);
  const files = [...new Set(all.flatMap((by) => ('tests' in by ? by.tests : [])))];
  const runs = [...new Set(all.flatMap((by) => ('simulate' in by ? [by.simulate] : [])))];
  for (const by of [{ tests: files }, ...runs.map((simulate) => ({ simulate }))]) {
    const { how, said, seconds } = await run(tree.path, by, server);
    if (how !== 'passed') throw new Error(`${commandOf(by)} ${how} without a break: ${said}`);
    console.log(`sound: ${commandOf(by)} (${seconds.toFixed(0)} s)`);
  }
};

const tryOut = async (tree: Tree, slip: Break, server: string): Promise<Trial> => {
  const mend = tree.break(slip);
  try {
    for (const by of slip.by) {
      const ended = await run(tree.path, by, server);
      if (ended.how !== 'passed') return { slip, by, ended };
    }
    return { slip };
  } finally {
    mend();
  }
};

const lineOf = ({ slip, by, ended }: Trial): string => {
  const verdict = ended ? (ended.how === 'hung' ? 'hung' : 'caught') : 'MISSED';
  const by_ = by && ended ? `${commandOf(by)} (${ended.seconds.toFixed(0)} s): ${ended.said}` : slip.harm;
  return `${verdict.padEnd(7)} ${slip.name.padEnd(36)} ${by_}`;
};

const tryAll = async (tree: Tree, server: string): Promise<readonly Trial[]> => {
  const slips = chosen();
  if (values.sound) await judgeCommands(tree, slips, server);
  const trials: Trial[] = [];
  for (const slip of slips) {
    const trial = await tryOut(tree, slip, server);
    trials.push(trial);
    console.log(lineOf(trial));
  }
  return trials;
};

const report = (trials: readonly Trial[]): void => {
  const missed = trials.filter(({ ended }) => !ended);
  const simulated = trials.filter(({ by }) => by && 'simulate' in by).length;
  console.log(
    `\n${trials.length - missed.length} of ${trials.length} caught, ${simulated} by the simulator; missed: ` +
      (missed.map(({ slip }) => slip.name).join(', ') || 'none'),
  );
  if (missed.length > MOST_MISSED) process.exitCode = 1;
};

const tree = copyTree();
try {
  if (values.types) compile(tree);
  else {
    const server = await openServer();
    try {
      report(await tryAll(tree, server.url));
    } finally {
      await server.close();
    }
  }
} finally {
  tree.remove();
}
